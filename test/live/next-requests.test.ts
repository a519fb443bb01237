import { beforeEach, describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { PruneReport } from '../../src/live/contract.ts';
import { livePruners } from '../../src/live/exchange/live-changes.ts';
import { sendChanged } from '../../src/live/exchange/send-changed.ts';

interface Message {
  readonly role: string;
  readonly content: unknown;
}
interface Answer {
  readonly status: number;
  readonly error: string;
}

const TEXT = Array.from({ length: 200 }, (_, at) => `line ${at + 1} of the file with words enough for a note`).join(
  '\n',
);
const OTHER = TEXT.replaceAll('line', 'row');
const ABOVE = /shown above/;
const user = (...content: object[]): Message => ({ role: 'user', content });
const says = (...content: object[]): Message => ({ role: 'assistant', content });
const use = (id: string, file: string, name = 'Read'): object => ({
  type: 'tool_use',
  id,
  name,
  input: { file_path: file },
});
const write = (file: string): object => ({
  type: 'tool_use',
  id: 'w',
  name: 'Write',
  input: { file_path: file, content: 'new' },
});
const result = (id: string, content = TEXT): Message => user({ type: 'tool_result', tool_use_id: id, content });
const OK: Answer = { status: 200, error: '' };

let nowMs = 0;
let change = livePruners({ vocabulary: claudeCode }).change;
beforeEach(() => {
  nowMs = 0;
  const archive = async (): Promise<void> => {};
  change = livePruners({ vocabulary: claudeCode, workspaceRoot: '/', archive, now: () => nowMs }).change;
});

/** Sends a request of an agent as the proxy does, to a provider that answers what is given: the last answer again and again. */
async function ask(messages: readonly Message[], answers: readonly Answer[] = [OK], fields: object = {}) {
  const body = Buffer.from(
    JSON.stringify({ model: 'claude-opus-5-5', tools: [{ name: 'Read' }], ...fields, messages }),
  );
  const sent: Message[][] = [];
  const path = '/v1/messages';
  const { answer, changed } = await sendChanged(
    {
      api: 'anthropic-messages',
      path,
      upstream: 'https://a.example',
      headers: { 'x-session-id': 's' },
      body,
      isCount: false,
    } as never,
    {
      change,
      send: async (bytes = body) => {
        sent.push((JSON.parse(Buffer.from(bytes).toString()) as { messages: Message[] }).messages);
        return answers[Math.min(sent.length, answers.length) - 1]!;
      },
      refusal: async ({ error }) => error,
    },
  );
  changed?.answered({ status: answer.status, error: answer.error });
  return { sent, last: sent.at(-1)!, answer, report: changed?.report as PruneReport };
}

const START = [user({ type: 'text', text: 'Fix it.' }), says(use('t1', '/b.ts')), result('t1')];
const AGAIN = [...START, says(use('t2', '/b.ts')), result('t2')];

async function play(messages: readonly Message[]): Promise<Message[]> {
  let last: Message[] = [];
  for (const [at, { role }] of messages.entries())
    if (role === 'user') last = (await ask(messages.slice(0, at + 1))).last;
  return last;
}

test.each([422, 424])(
  'a hint to clear context (%i) is the agent’s to follow: no second send, and what it clears shows nothing',
  async (status) => {
    await play(START);
    const hint = { status, error: 'context hint' };
    const refused = await ask(AGAIN, [hint]);
    expect([refused.sent.length, refused.answer]).toEqual([1, hint]);
    expect(JSON.stringify(refused.last.at(-1))).toMatch(ABOVE);
    const cleared = AGAIN.with(2, result('t1', '[Old tool result content cleared]'));
    expect((await ask(cleared)).last).toEqual(cleared);
  },
);

test('thinking that something else changed is refused twice, and then no form is taken back or tried again', async () => {
  const thinking = { type: 'redacted_thinking', data: 'changed' };
  const list = [...START, says(thinking, use('t2', '/b.ts')), result('t2')];
  const error =
    'messages.3.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.';
  await play(START);
  const first = await ask(list, [{ status: 400, error }]);
  expect([first.sent.length, first.answer]).toEqual([2, { status: 400, error }]);
  expect(JSON.stringify(first.sent[0]!.at(-1))).toMatch(ABOVE);
  expect(first.last).toEqual(list);
  const without = AGAIN;
  const next = await ask(without);
  expect(next.sent).toHaveLength(1);
  expect(JSON.stringify(next.last.at(-1))).toMatch(ABOVE);
});

test('a picture that is too large among twenty-one is refused in the provider’s words, after one more send at most', async () => {
  const error =
    'messages.5.content.20.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels';
  const pictures = Array.from({ length: 21 }, () => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
  }));
  await play(AGAIN);
  const refused = { status: 400, error };
  const list = [...AGAIN, says({ type: 'text', text: 'Show me.' }), user(...pictures)];
  const first = await ask(list, [refused]);
  expect([first.sent.length, first.answer]).toEqual([1, refused]);
  const fresh = [...list.slice(0, -1), says(use('t3', '/b.ts')), result('t3'), user(...pictures)];
  const second = await ask(fresh, [refused]);
  expect([second.sent.length, second.answer]).toEqual([2, refused]);
});

describe('calls that the provider runs', () => {
  const searched = [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: TEXT } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [{ type: 'web_search_result', url: 'https://a.example', encrypted_content: TEXT }],
    },
  ];

  test('stay as they are while results around them are pruned', async () => {
    const list = [
      ...START,
      says(...searched, use('t2', '/o.ts')),
      result('t2', OTHER),
      says(write('/b.ts')),
      result('w', 'ok'),
      says(...searched, use('t3', '/o.ts')),
    ];
    await play(list);
    nowMs += 90 * 60_000;
    const { last, report } = await ask([...list, result('t3', 'one line')]);
    expect(report.changed.length + report.projected).toBeGreaterThan(0);
    expect(last[2]).not.toEqual(list[2]);
    for (const at of [1, 3, 5, 7]) expect(last[at]).toEqual(list[at]);
  });
});

test('a system message in the middle changes no form behind it, is not our miss, and what is behind it changes for free', async () => {
  const list = [
    ...AGAIN,
    says(use('t3', '/p.ts')),
    result('t3', OTHER),
    says(use('t4', '/o.ts')),
    result('t4', `${OTHER}\n${TEXT.replaceAll('line', 'verse')}\n${TEXT.replaceAll('line', 'word')}`),
    says(write('/p.ts')),
    result('w', 'ok'),
  ];
  const before = await play(list);
  expect(before[4]).not.toEqual(list[4]);
  expect(before[6]).toEqual(list[6]);
  const inserted = list.toSpliced(1, 0, { role: 'system', content: 'A hook says this.' });
  const { last, report } = await ask(inserted);
  expect(last[5]).toEqual(before[4]);
  expect(report.isEpoch).toBe(false);
  expect(last[7]).not.toEqual(list[6]);
});

test.each<[string, readonly Message[], object]>([
  ['of its quota, without tools', [user({ type: 'text', text: 'quota' })], { tools: undefined }],
  ['of a warm-up, with its tools', [user({ type: 'text', text: 'Warmup' })], {}],
  ['with all of its messages', AGAIN, {}],
])('a request for one token beside a conversation leaves that alone: %s', async (_, beside, fields) => {
  const list = [...AGAIN, says(use('t3', '/o.ts')), result('t3', OTHER)];
  const before = await play(AGAIN);
  expect(JSON.stringify(before.at(-1))).toMatch(ABOVE);
  const side = await ask(beside, [OK], { max_tokens: 1, ...fields });
  expect(side.last).toEqual(beside === AGAIN ? before : beside);
  const { last, report } = await ask(list);
  expect(last.slice(0, before.length)).toEqual(before);
  expect(report.isBranch).toBeUndefined();
});
