import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { IContent, Usage } from '../../../src/content/content.ts';
import { claudeCode } from '../../../src/formats/claude-code/claude-code.ts';
import { liveHistory, type Session } from '../../../src/formats/contract.ts';
import { joinLines, linesOf } from '../../../src/formats/lines/lines.ts';
import type { PrunerStore } from '../../../src/live/contract.ts';
import { fileStore } from '../../../src/live/file-store.ts';
import { memoryStore } from '../../../src/live/memory-store.ts';
import { createPruner } from '../../../src/live/pruner.ts';
import { conversationsFolder } from '../../../src/sessions/places/data-folder.ts';
import { sentSession } from '../../../src/sessions/prompts/sent-session.ts';
import { areResultsShortened } from '../../../src/sessions/prompts/shortened-results.ts';
import { sessionReplies } from '../../../src/sessions/threads/session-replies.ts';
import { entryCounter } from '../../../src/tokens/entries/block-counter.ts';

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
  { headers = {}, store = fileStore(conversationsFolder()), note = '' }: PruneOptions = {},
): Promise<void> {
  const messages: object[] = [{ role: 'user', content: 'Look.' }];
  for (const id of ids) {
    messages.push({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/a' } }] });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: TEXT + note }] });
  }
  const body = { model: 'claude-sonnet-4-5', tools: [{ name: 'Read' }], messages };
  const { report } = await createPruner({ api: 'anthropic-messages', store }).prune({ body, headers });
  expect(report.projected).toBe(1);
}

interface PruneOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly store?: PrunerStore;
  /** What the agent adds to each result in its requests, and does not record. */
  readonly note?: string;
}

/** What the agent recorded of them. */
function recorded(ids: readonly string[], id = ID): Session {
  const entries = ids.flatMap((callId): IContent[] => [
    { speaker: 'ai', blocks: [{ type: 'tool_call', id: callId, name: 'Read', parameters: { file_path: '/a' } }] },
    { speaker: 'tool', blocks: [{ type: 'tool_response', callId, toolName: 'Read', result: TEXT }] },
  ]);
  return { format: 'claude-code', id, events: entries.map((content) => ({ kind: 'add', content })), skipped: [] };
}

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
