import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContentBlock } from '../../src/content/content.ts';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import { archiveName } from '../../src/disk/block-archive.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';
import { changedFile, fileLines, reminder, skillBody, taskReport } from '../agent-texts.ts';
import { runs } from '../property-runs.ts';

const HOURS_MS = 3 * 60 * 60_000;
const MODEL = 'claude-opus-5';
const user = (content: unknown, role = 'user'): object => ({ role, content });
const call = (id: string, name: string, input: object): object => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input }],
});
const result = (id: string, content: string, ...beside: string[]): object =>
  user([{ type: 'tool_result', tool_use_id: id, content }, ...beside.map((text) => ({ type: 'text', text }))]);
/** Calls whose results say too little to be shortened. */
const work = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => [
    call(`w${at}`, 'Bash', { command: `ls ${at}` }),
    result(`w${at}`, 'a b'),
  ]).flat();

const SKILL = skillBody('/home/dev/.claude/skills/golang');
const CHANGED = reminder(changedFile('/a.ts', fileLines('a', 400)));
const WORDS = `Please look at it, as <task-notification> says. ${taskReport('No report')}`;
const NOTICE = `[SYSTEM NOTIFICATION - NOT USER INPUT]\nNot a message from the user.\n\n${taskReport('System')}\n\n<total_tokens>9</total_tokens>`;

/** As Claude Code sends it: alone, beside a result, and as a message of the system. */
const STARTED: readonly object[] = [
  user('start'),
  call('task', 'Agent', { prompt: 'Look' }),
  result('task', 'Launched.'),
  call('s', 'Skill', { skill: 'golang' }),
  result('s', 'Launching skill: golang', SKILL, WORDS),
  call('b', 'Bash', { command: 'true' }),
  result('b', 'ok'),
  user(taskReport('Look', { count: 400 })),
  call('c', 'Bash', { command: 'true' }),
  result('c', 'ok', CHANGED),
  user(NOTICE, 'system'),
];

interface Played {
  readonly sent: readonly (readonly object[])[];
  readonly kept: readonly ContentBlock[];
  readonly changed: readonly { readonly what: string; readonly hash?: string }[];
}

/** Sends each longer list; `breaks` says before which calls the agent waits for hours, `restarts` from which call on another pruner sends each. */
async function play(
  messages: readonly object[],
  {
    breaks = [],
    restartsFrom = Number.POSITIVE_INFINITY,
    isBytes = false,
  }: { breaks?: readonly number[]; restartsFrom?: number; isBytes?: boolean },
): Promise<Played> {
  const store = memoryStore();
  const kept: ContentBlock[] = [];
  const sent: (readonly object[])[] = [];
  const changed: { what: string; hash?: string }[] = [];
  let ms = 0;
  const start = () =>
    createPruner({
      api: 'anthropic-messages',
      vocabulary: claudeCode,
      workspaceRoot: '/',
      store,
      now: () => ms,
      archive: async (blocks) => void kept.push(...blocks),
    });
  let pruner = start();
  for (const [at, message] of messages.entries()) {
    if ((message as { role: string }).role !== 'assistant') continue;
    ms += breaks.includes(at) ? HOURS_MS : 1_000;
    if (at > restartsFrom) pruner = start();
    const given = { model: MODEL, tools: [{ name: 'Read' }, { name: 'Bash' }], messages: messages.slice(0, at) };
    const body = isBytes ? Buffer.from(JSON.stringify(given)) : given;
    const pruned = await pruner.prune({ body, conversation: 'c' });
    const value = isBytes ? JSON.parse(Buffer.from(pruned.body as Uint8Array).toString()) : pruned.body;
    sent.push(value.messages);
    changed.push(...pruned.report.changed);
  }
  return { sent, kept, changed };
}

const textsOf = (message: object): string[] => {
  const { content } = message as { content: string | { text?: string }[] };
  return typeof content === 'string' ? [content] : content.map(({ text = '' }) => text);
};

describe('what the agent put into user turns', () => {
  const messages = [...STARTED, ...work(30), call('end', 'Bash', { command: 'end' })];
  const breaks = [messages.length - 1];

  test('is shortened in an epoch, with its name in the archive; words of a person stay byte for byte', async () => {
    const { sent, kept, changed } = await play(messages, { breaks });
    const last = sent.at(-1)!;
    const [skill, words] = textsOf(last[4]!).slice(1);
    expect(skill).toMatch(/\n⟦density: \d+ lines of a skill left out; full text: density show [0-9a-f]{12}⟧$/);
    expect(words).toBe(WORDS);
    const report = textsOf(last[7]!)[0]!;
    expect(report).toMatch(
      /\n⟦density: \d+ lines of a report left out; full text: density show [0-9a-f]{12}⟧\n<\/result>\n/,
    );
    expect(textsOf(last[10]!)[0]).toMatch(
      /^\[SYSTEM [\s\S]* left out; full text: [\s\S]*<total_tokens>9<\/total_tokens>$/,
    );
    expect(changed.map(({ what }) => what)).toEqual(expect.arrayContaining(['skill golang', 'report of a sub-agent']));
    // Each text that is named is kept whole.
    for (const { hash } of changed.filter(({ hash }) => hash !== undefined)) {
      const block = kept.find((one) => archiveName(one) === hash);
      expect(block).toBeDefined();
      expect(JSON.stringify(STARTED)).toContain(JSON.stringify((block as { text: string }).text));
    }
  });

  test('is sent so in all later requests, in the same bytes by a pruner that starts again', async () => {
    const longer = [...messages, result('end', 'x'), ...work(4)];
    const [plain, restarted, bytes] = await Promise.all([
      play(longer, { breaks }),
      play(longer, { breaks, restartsFrom: breaks[0]! }),
      play(longer, { breaks, isBytes: true }),
    ]);
    expect(restarted.sent).toEqual(plain.sent);
    expect(bytes.sent).toEqual(plain.sent);
    const [epoch, ...later] = plain.sent.slice(-5);
    for (const list of later) expect(list.slice(0, epoch!.length)).toEqual(epoch);
  });

  test('stays where nothing keeps it', async () => {
    const pruner = createPruner({ api: 'anthropic-messages', vocabulary: claudeCode, workspaceRoot: '/' });
    const body = { model: MODEL, tools: [{ name: 'Read' }, { name: 'Bash' }], messages: messages.slice(0, -1) };
    const { body: sent } = await pruner.prune({ body, conversation: 'c' });
    for (const at of [4, 7, 10]) expect(textsOf(sent.messages[at]!)).toEqual(textsOf(messages[at]!));
  });

  test('is the same text twice: the later one keeps its own form', async () => {
    const report = taskReport('Twice', { count: 200 });
    const twice = [user('start'), call('a', 'Agent', {}), result('a', 'ok'), user(report), ...work(24)];
    const longer = [...twice, user(report), ...work(6), call('end', 'Bash', { command: 'end' })];
    const { sent } = await play(longer, { breaks: [longer.length - 1] });
    const last = sent.at(-1)!;
    expect(textsOf(last[3]!)[0]).toContain(' left out; full text: ');
    expect(textsOf(last[twice.length]!)[0]).toBe(report);
  });
});

const texts = fc.subarray([SKILL, CHANGED, taskReport('One', { count: 80 }), WORDS, 'Go on.'], { maxLength: 3 });
const turn = fc.record({
  tool: fc.constantFrom('Skill', 'Bash', 'Read'),
  texts,
  isAlone: fc.boolean(),
  waits: fc.boolean(),
});

test('whatever agents and people say: only the texts of agents change, nothing outside epochs, and never to more', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 24, maxLength: 32 }), async (turns) => {
      const messages: object[] = [user('start')];
      const breaks: number[] = [];
      for (const [at, { tool: name, texts: said, isAlone, waits }] of turns.entries()) {
        if (waits && at % 5 === 4) breaks.push(messages.length);
        messages.push(
          call(`c${at}`, name, name === 'Read' ? { file_path: '/a.ts' } : { command: 'true', skill: 'golang' }),
        );
        messages.push(isAlone ? result(`c${at}`, 'ok') : result(`c${at}`, 'ok', ...said));
        if (isAlone) messages.push(...said.map((text) => user(text)));
      }
      const { sent } = await play(messages, { breaks, restartsFrom: turns[0]!.waits ? 0 : Number.POSITIVE_INFINITY });
      const isPersons = (text: string): boolean => text === WORDS || text === 'Go on.' || text === 'start';
      for (const list of sent) {
        for (const [at, message] of list.entries()) {
          const before = textsOf(messages[at]!);
          const after = textsOf(message);
          expect(after.length).toBe(before.length);
          for (const [place, text] of before.entries()) {
            if (isPersons(text)) expect(after[place]).toBe(text);
            else if (after[place] !== text) {
              expect(after[place]!.length).toBeLessThan(text.length);
              expect(after[place]).toMatch(
                /⟦density: .* left out; full text: density show [0-9a-f]{12}⟧|lines pruned: /,
              );
            }
          }
        }
      }
    }),
    { numRuns: runs(15) },
  );
});
