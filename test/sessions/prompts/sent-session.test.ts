import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createToolResponse,
  type IContent,
  type TextBlock,
  type ToolResponseBlock,
  type Usage,
} from '../../../src/content/content.ts';
import type { SessionEvent } from '../../../src/content/session-event.ts';
import { newMessages } from '../../../src/formats/anthropic/anthropic-messages.ts';
import { claudeCode } from '../../../src/formats/claude-code/claude-code.ts';
import { liveHistory, type Session } from '../../../src/formats/contract.ts';
import { joinLines, linesOf } from '../../../src/formats/lines/lines.ts';
import type { PrunerStore } from '../../../src/live/contract.ts';
import { hashOf } from '../../../src/live/conversation/hash-of.ts';
import { fileStore } from '../../../src/live/file-store.ts';
import { memoryStore } from '../../../src/live/memory-store.ts';
import { createPruner } from '../../../src/live/pruner.ts';
import { RECOMMENDED_CONFIG } from '../../../src/live/turn/recommended-config.ts';
import { conversationsFolder } from '../../../src/sessions/places/data-folder.ts';
import { sentSession } from '../../../src/sessions/prompts/sent-session.ts';
import { areResultsShortened } from '../../../src/sessions/prompts/shortened-results.ts';
import { rewritten } from '../../../src/sessions/rewritten.ts';
import { sessionReplies } from '../../../src/sessions/threads/session-replies.ts';
import { entryCounter } from '../../../src/tokens/entries/block-counter.ts';
import { taskReport } from '../../agent-texts.ts';
import { runs } from '../../property-runs.ts';

const TEXT = Array.from({ length: 200 }, (_, at) => `const value${at} = ${at};`).join('\n');
const ID = '3f2b8c1e-0000-4000-8000-000000000001';
const LONG_IDS = ['toolu_01aaaaaaaaaaaaaaaaaaaaaa', 'toolu_01bbbbbbbbbbbbbbbbbbbbbb'];
const NUMBERS = ['call_1', 'call_2'];

let data = '';
beforeEach(() => {
  data = mkdtempSync(path.join(tmpdir(), 'density-data-'));
  vi.stubEnv('XDG_DATA_HOME', data);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(data, { recursive: true, force: true });
});

/** Two reads of one file in a request: the second one is sent as a marker. */
async function prune(
  ids: readonly string[],
  { headers = {}, store = fileStore(conversationsFolder()), note = '', text = TEXT, onSent }: PruneOptions = {},
): Promise<void> {
  const messages: object[] = [{ role: 'user', content: 'Look.' }];
  for (const id of ids) {
    messages.push({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/a' } }] });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text + note }] });
  }
  const body = { model: 'claude-sonnet-4-5', tools: [{ name: 'Read' }, { name: 'Bash' }], messages };
  const { report, body: sent } = await createPruner({ api: 'anthropic-messages', store }).prune({ body, headers });
  expect(report.projected).toBe(1);
  for (const { content } of sent.messages as { content: { content?: string }[] }[])
    if (Array.isArray(content) && content[0]?.content !== undefined) onSent?.(content[0].content);
}

interface PruneOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly store?: PrunerStore;
  /** What the agent adds to each result in its requests, and does not record. */
  readonly note?: string;
  /** Of each result. */
  readonly text?: string;
  /** Called with the text of each result in the request. */
  readonly onSent?: (text: string) => void;
}

/** What the agent recorded of them. */
function recorded(ids: readonly string[], id = ID, text = TEXT): Session {
  const entries = ids.flatMap((callId): IContent[] => [
    { speaker: 'ai', blocks: [{ type: 'tool_call', id: callId, name: 'Read', parameters: { file_path: '/a' } }] },
    { speaker: 'tool', blocks: [{ type: 'tool_response', callId, toolName: 'Read', result: text }] },
  ]);
  return { format: 'claude-code', id, events: entries.map((content) => ({ kind: 'add', content })), skipped: [] };
}

const added = (content: IContent): SessionEvent => ({ kind: 'add', content });
const words = (text: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text }] });

/** The results that were sent in another form than they are recorded in. */
const changed = (session: Session): string[] =>
  liveHistory(sentSession(session)).flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'tool_response' && block.result !== TEXT ? block.callId : [])),
  );

const NAMED = { 'x-claude-code-session-id': ID };
const NOTE = '\n<total_tokens>170000 tokens left</total_tokens>';

test.each([
  ['x-claude-code-session-id', ID],
  ['session-id', '01a214e4-f0d3-76c3-893c-f9fb8ca22da5'],
  ['x-session-id', 'ses_deb197e0affe'],
])('a session that requests name by %s is found by its id, whatever its calls are named', async (header, id) => {
  await prune(NUMBERS, { headers: { [header]: id }, note: NOTE });
  expect(changed(recorded(NUMBERS, id))).toEqual(['call_2']);
  expect(changed(recorded(NUMBERS, 'another-session'))).toEqual([]);
});

test.each([NOTE, '\n\n<system-reminder>\n<total_tokens>14999890 tokens left</total_tokens>\n</system-reminder>'])(
  'has forms without what the agent adds to a result in each request',
  async (note) => {
    const text = TEXT.replace(/^/gm, (_, at: number) => `${TEXT.slice(0, at).split('\n').length}\t`);
    const sent: string[] = [];
    await prune(LONG_IDS, { headers: NAMED, note, text: `${text}\n201`, onSent: (one) => sent.push(one) });
    const forms = liveHistory(sentSession(recorded(LONG_IDS, ID, `${text}\n201\t`))).flatMap(({ blocks: [block] }) =>
      block?.type === 'tool_response' ? [(block.result as string).trimEnd() + note] : [],
    );
    expect(forms).toEqual(sent);
    expect(forms[1]).toContain('⟦density: ');
  },
);

test('has the texts that were sent in place of what the agent wrote in user turns', async () => {
  const report = taskReport('Look', { count: 400 });
  let ms = 0;
  const store = fileStore(conversationsFolder());
  const pruner = createPruner({ api: 'anthropic-messages', store, archive: async () => {}, now: () => ms });
  const messages: object[] = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: report },
  ];
  for (let at = 0; at < 24; at++)
    messages.push({ role: 'assistant', content: `On ${at}.` }, { role: 'user', content: 'Go on.' });
  for (const count of [messages.length - 2, messages.length]) {
    const body = {
      model: 'claude-opus-5',
      tools: [{ name: 'Read' }, { name: 'Bash' }],
      messages: messages.slice(0, count),
    };
    await pruner.prune({ body, headers: { 'x-claude-code-session-id': ID } });
    ms += 3 * 60 * 60_000;
  }
  const entry: IContent = { speaker: 'human', blocks: [{ type: 'text', text: report }] };
  const session: Session = { format: 'claude-code', id: ID, events: [{ kind: 'add', content: entry }], skipped: [] };
  const [sent] = liveHistory(sentSession(session));
  expect(sent?.blocks[0]).toMatchObject({
    type: 'text',
    text: expect.stringMatching(/ left out; full text: density show /),
  });
});

test('has the lines that were sent of a file that the agent attached, without the sentence that only requests have', async () => {
  const lines = TEXT.split('\n').map((line, at) => `${at + 1}\t${line}`);
  const before =
    '<system-reminder>\nNote: /w/a.ts changed on disk since you last read it. Here are the relevant changes (shown with line numbers):\n';
  const said = (text: string): object => ({ role: 'user', content: `${before}${text}\n</system-reminder>` });
  const texts = [lines.join('\n'), lines.slice(1).join('\n')];
  const messages: object[] = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: 'Yes.' },
  ];
  for (const text of texts) messages.push(said(text), { role: 'assistant', content: 'I see.' });
  for (let at = 0; at < 24; at++)
    messages.push({ role: 'user', content: 'Go on.' }, { role: 'assistant', content: `On ${at}.` });
  messages.push({ role: 'user', content: 'The end.' });
  let ms = 0;
  const store = fileStore(conversationsFolder());
  const pruner = createPruner({ api: 'anthropic-messages', store, archive: async () => {}, now: () => ms });
  let sent: unknown[] = [];
  for (const count of [messages.length - 2, messages.length]) {
    const body = {
      model: 'claude-opus-5',
      tools: [{ name: 'Read' }, { name: 'Bash' }],
      messages: messages.slice(0, count),
    };
    sent = (await pruner.prune({ body, headers: NAMED })).body.messages;
    ms += 3 * 60 * 60_000;
  }
  const entries = texts.map((text): IContent => ({ ...words(text), metadata: { attachedFile: '/w/a.ts' } }));
  const session: Session = { format: 'claude-code', id: ID, events: entries.map(added), skipped: [] };
  const found = liveHistory(sentSession(session)).map(({ blocks: [block] }) => said((block as TextBlock).text));
  expect(found).toEqual([sent[2], sent[4]]);
  expect(found).not.toEqual(texts.map(said));
});

test('a session whose shortened results are known is not said to have unknown ones', async () => {
  const ids = [...LONG_IDS, 'toolu_01cccccccccccccccccccccc', 'toolu_01dddddddddddddddddddddd'];
  const { events, ...session } = recorded(ids);
  const prompts = [9_000, 9_050, 9_100, 9_150];
  const counted = events.map((event) => {
    if (event.kind !== 'add' || event.content.speaker !== 'ai') return event;
    const promptTokens = prompts.shift()!;
    const usage = { promptTokens, completionTokens: 9, totalTokens: promptTokens + 9 };
    return { ...event, content: { ...event.content, metadata: { usage } } };
  });
  const answered: Session = { ...session, events: counted };
  const isShortened = (): boolean => areResultsShortened(sentSession(answered), entryCounter('claude-sonnet-4-5'));
  expect(isShortened()).toBe(true);
  // Only the second result is known to have another form.
  await prune(LONG_IDS, { headers: NAMED });
  expect(isShortened()).toBe(false);
});

test('the id of the session is not kept in the clear', async () => {
  await prune(NUMBERS, { headers: NAMED });
  const files = readdirSync(conversationsFolder()).map((name) => path.join(conversationsFolder(), name));
  expect(files.map((file) => readFileSync(file, 'utf8')).join('')).not.toContain(ID);
});

test('of two conversations with the same calls, the one of the session itself counts', async () => {
  await prune(LONG_IDS, { headers: NAMED });
  const folder = conversationsFolder();
  // It says that another session, which this one may be a fork of, sent the first call in another form.
  const freeze = { id: `${LONG_IDS[0]} x`, kind: 'pruned', text: 'another form', reason: '', files: [] };
  for (const name of ['0', 'f']) writeFileSync(path.join(folder, `${name}.jsonl`), `${JSON.stringify({ freeze })}\n`);
  const texts = (session: Session): unknown[] =>
    liveHistory(sentSession(session)).flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === 'tool_response' ? block.result : [])),
    );
  expect(texts(recorded(LONG_IDS))).toEqual(['another form', expect.stringContaining('⟦density: ')]);
  const own = { ...freeze, id: `${LONG_IDS[1]} x` };
  for (const name of ['0', 'f'])
    writeFileSync(path.join(folder, `${name}.jsonl`), `${JSON.stringify({ freeze: own })}\n`);
  expect(texts(recorded(LONG_IDS))).toEqual([TEXT, expect.stringContaining('⟦density: ')]);
});

test('a conversation without the line is found by long ids of calls, or by numbers with the same texts', async () => {
  await prune(LONG_IDS, { note: NOTE });
  await prune(NUMBERS);
  expect(changed(recorded(LONG_IDS))).toEqual([LONG_IDS[1]]);
  expect(changed(recorded(NUMBERS))).toEqual(['call_2']);
  rmSync(conversationsFolder(), { recursive: true });
  mkdirSync(conversationsFolder(), { recursive: true });
  await prune(NUMBERS, { note: NOTE });
  expect(changed(recorded(NUMBERS))).toEqual([]);
});

test.each([LONG_IDS, NUMBERS])(
  'what an agent itself put in the place of a result stays as it is (%#)',
  async (...ids) => {
    await prune(ids, { headers: NAMED });
    const { events, ...session } = recorded(ids);
    const cleared = 'Old tool result content cleared';
    const block = { type: 'tool_response', callId: ids[1]!, toolName: 'Read', result: cleared } as const;
    const replaced = liveHistory({ events, ...session }).with(-1, { speaker: 'tool', blocks: [block] });
    const both: Session = { ...session, events: [...events, { kind: 'replace', contents: replaced }] };
    const sent = sentSession(both);
    expect(changed({ ...sent, events: sent.events.slice(0, -1) })).toEqual([ids[1]]);
    expect(liveHistory(sent).at(-1)!.blocks).toEqual([block]);
  },
);

test('calls are found that Gemini CLI records after the names of their tools', async () => {
  await prune(NUMBERS);
  expect(changed(recorded(NUMBERS.map((id) => `Read__${id}`)))).toEqual(['Read__call_2']);
});

test('a new file says of usage that belongs to shorter prompts that it was reported for those', async () => {
  const usage = { promptTokens: 4_000, completionTokens: 20, totalTokens: 4_020, cachedTokens: 3_000 };
  const { events, ...session } = recorded(LONG_IDS);
  const answer: IContent = { speaker: 'ai', blocks: [{ type: 'text', text: 'Done.' }], metadata: { usage } };
  const history = [...liveHistory({ events, ...session }), answer];
  const facts = { id: ID, model: 'claude-sonnet-4-5', startedAt: 0 };
  const file = path.join(data, `${ID}.jsonl`);
  writeFileSync(file, joinLines(claudeCode.create!(history, facts)));
  const convertedUsage = (): unknown => {
    const question = { kind: 'convert', path: file, to: 'claude-code', fallback: facts } as const;
    const replies = [...sessionReplies(question, () => {})];
    const pieces = replies.flatMap((reply) => (reply.kind === 'piece' ? reply.bytes : []));
    return liveHistory(claudeCode.read(linesOf(() => pieces))).at(-1)!.metadata!.usage;
  };
  expect(convertedUsage()).toEqual(usage);
  await prune(LONG_IDS, { headers: NAMED });
  const { promptTokens } = convertedUsage() as Usage;
  const tokens = entryCounter(facts.model)({ speaker: 'human', blocks: [{ type: 'text', text: TEXT }] });
  expect(promptTokens).toBeGreaterThan(4_000 + 0.9 * tokens);
  expect(convertedUsage()).toMatchObject({ completionTokens: 20, cachedTokens: 0, reported: usage });
});

test('a store that others share gets no line about the session', async () => {
  const lines: string[] = [];
  const kept = memoryStore();
  const store: PrunerStore = {
    ...kept,
    isShared: true,
    append: (conversation, more, expected) => {
      lines.push(...more);
      return kept.append(conversation, more, expected);
    },
  };
  await prune(NUMBERS, { headers: NAMED, store });
  expect(lines.filter((line) => line.includes('freeze'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('"session"'))).toEqual([]);
});

/** A decision as the data folder keeps it. */
const frozen = (callId: string, text: string, more: object = {}): string =>
  JSON.stringify({ freeze: { id: callId, kind: 'pruned', text, reason: '', files: [], ...more } });

function decided(name: string, ...lines: string[]): void {
  mkdirSync(conversationsFolder(), { recursive: true });
  writeFileSync(path.join(conversationsFolder(), `${name}.jsonl`), lines.map((line) => `${line}\n`).join(''));
}

test('a session that contains what was sent is the same object, also where other conversations went on from it', () => {
  const [first, second] = LONG_IDS as [string, string];
  // The form of the session was shortened again in a copy, whose form was shortened once more.
  decided('a', frozen(`${second} ${hashOf(TEXT)}`, 'form 1'), frozen(`${second} ${hashOf(TEXT)}`, 'form 2'));
  decided('b', frozen(`${second} ${hashOf('form 1')}`, 'form 3'));
  const copy = (text: string): Session => {
    const session = recorded([first, second], 'a-copy');
    const history = liveHistory(session);
    const last = { ...history.at(-1)!.blocks[0], result: text } as ToolResponseBlock;
    return { ...session, events: [...session.events.slice(0, -1), added({ speaker: 'tool', blocks: [last] })] };
  };
  for (const form of ['form 2', 'form 3']) expect(sentSession(copy(form))).toEqual(copy(form));
  const texts = (session: Session): unknown =>
    (liveHistory(sentSession(session)).at(-1)!.blocks[0] as ToolResponseBlock).result;
  expect([TEXT, 'form 1'].map((text) => texts(copy(text)))).toEqual(['form 2', 'form 3']);
});

test('a summary has the words that were sent in place of its markers', () => {
  const said = 'This session is being continued from a previous conversation: [density: gone]';
  decided('a', frozen(`summary ${hashOf(said)}`, 'Continued: Read /a', { kind: 'named' }));
  const session: Session = {
    format: 'claude-code',
    id: ID,
    events: [added(words(said)), added(words('Go on.'))],
    skipped: [],
  };
  expect(liveHistory(sentSession(session))).toEqual([words('Continued: Read /a'), words('Go on.')]);
});

test('a form whose target the agent left out of its history is not sent any more', () => {
  const ids = [LONG_IDS[0]!, LONG_IDS[1]!] as const;
  const target = `${ids[0]} ${hashOf(TEXT)}`;
  decided('a', frozen(`${ids[1]} ${hashOf(TEXT)}`, 'as above', { sources: [target] }));
  const { events, ...session } = recorded(ids);
  const history = liveHistory({ events, ...session });
  const after = (contents: readonly IContent[]): unknown[] =>
    liveHistory(sentSession({ ...session, events: [...events, { kind: 'replace', contents }] })).flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === 'tool_response' ? [block.result] : [])),
    );
  expect(after(history)).toEqual([TEXT, 'as above']);
  expect(after(history.slice(2))).toEqual([TEXT]);
  const cleared = { ...history[1]!.blocks[0], result: 'Old tool result content cleared' } as ToolResponseBlock;
  expect(after(history.with(1, { speaker: 'tool', blocks: [cleared] }))).toEqual([cleared.result, TEXT]);
});

/** Reads of three files, some of which changed meanwhile. */
const READS = fc.array(
  fc.record({ file: fc.nat(2), version: fc.nat(1), lines: fc.integer({ min: 5, max: 60 }), fails: fc.boolean() }),
  {
    minLength: 2,
    maxLength: 8,
  },
);

/** Turns of a conversation: how long the agent waited before each, and how many calls it makes. */
const TURNS = fc.array(fc.record({ waitMinutes: fc.constantFrom(1, 400), calls: fc.integer({ min: 1, max: 3 }) }), {
  minLength: 3,
  maxLength: 8,
});

test.each([
  ['claude-opus-5', { thinkingCalls: 1 }],
  ['claude-opus-5-5', { thinkingWhenCold: 'drop' as const }],
])('a copy of a session with %s has no thinking that its last request did not have', async (model, rules) => {
  let omitted = 0;
  await fc.assert(
    fc.asyncProperty(TURNS, async (turns) => {
      rmSync(conversationsFolder(), { recursive: true, force: true });
      let nowMs = Date.now();
      const config = { ...RECOMMENDED_CONFIG, rules: { ...RECOMMENDED_CONFIG.rules, ...rules } };
      const store = fileStore(conversationsFolder());
      const pruner = createPruner({
        api: 'anthropic-messages',
        store,
        config,
        archive: async () => {},
        now: () => nowMs,
      });
      const history: IContent[] = [];
      let sent: readonly unknown[] = [];
      const send = async (): Promise<void> => {
        const body = { model, tools: [{ name: 'Bash' }], messages: newMessages(history) };
        sent = (await pruner.prune({ body, headers: NAMED })).body.messages;
      };
      for (const [turn, { waitMinutes, calls }] of turns.entries()) {
        nowMs += waitMinutes * 60_000;
        history.push(words(`Go on, ${turn}.`));
        await send();
        for (let at = 0; at < calls; at++) {
          const name = `${turn}_${at}`;
          const thought = `What does ${name} show? `.repeat(40);
          history.push({
            speaker: 'ai',
            blocks: [
              { type: 'thinking', thought, sourceField: 'thinking', signature: `seal of ${name}` },
              { type: 'tool_call', id: `toolu_${name}`, name: 'Bash', parameters: { command: `./try ${name}` } },
            ],
          });
          history.push(createToolResponse(`toolu_${name}`, 'Bash', TEXT.replaceAll('value', `value${name}of`)));
          await send();
        }
        history.push({ speaker: 'ai', blocks: [{ type: 'text', text: `Done ${turn}.` }] });
      }
      history.push(words('The end.'));
      await send();
      const lines = linesOf(() => claudeCode.create!(history, { id: ID, startedAt: 0 }));
      const session = claudeCode.read(lines);
      const { pieces } = rewritten({ session, format: claudeCode, lines }, liveHistory(sentSession(session)));
      const copy = claudeCode.read(linesOf(() => pieces));
      expect(newMessages(liveHistory(copy))).toEqual(sent);
      const thoughts = (list: readonly unknown[]): number => JSON.stringify(list).split('"signature":').length - 1;
      omitted += thoughts(newMessages(history)) - thoughts(sent);
    }),
    { numRuns: runs(25) },
  );
  expect(omitted).toBeGreaterThan(0);
});

test('a copy of a session has, call by call, the texts of its last request', async () => {
  await fc.assert(
    fc.asyncProperty(READS, async (reads) => {
      rmSync(conversationsFolder(), { recursive: true, force: true });
      const pruner = createPruner({ api: 'anthropic-messages', store: fileStore(conversationsFolder()) });
      const history: IContent[] = [words('Look.')];
      let sent: readonly unknown[] = [];
      for (const [at, { file, version, lines, fails }] of reads.entries()) {
        const call = { id: `toolu_${at}`, name: 'Read', parameters: { file_path: `/w/${file}.ts` } };
        const text = Array.from(
          { length: lines },
          (_, line) => `const name${file}of${line} = ${line % 7 === 0 ? version : line};`,
        );
        history.push({ speaker: 'ai', blocks: [{ type: 'tool_call', ...call }] });
        history.push(createToolResponse(call.id, 'Read', text.join('\n'), fails ? 'Exit code 1' : undefined));
        const messages = newMessages(history);
        const body = { model: 'claude-opus-5-5', tools: [{ name: 'Read' }, { name: 'Bash' }], messages };
        sent = (await pruner.prune({ body, headers: NAMED })).body.messages;
      }
      const lines = linesOf(() => claudeCode.create!(history, { id: ID, startedAt: 0 }));
      const session = claudeCode.read(lines);
      const { pieces } = rewritten({ session, format: claudeCode, lines }, liveHistory(sentSession(session)));
      const copy = claudeCode.read(linesOf(() => pieces));
      expect(newMessages(liveHistory(copy))).toEqual(sent);
      expect(sentSession({ ...copy, id: 'a-copy' })).toMatchObject({ events: copy.events });
    }),
    { numRuns: runs(25) },
  );
});
