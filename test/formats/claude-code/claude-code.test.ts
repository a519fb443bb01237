import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../../src/content/content.ts';
import type { SessionEvent } from '../../../src/content/session-event.ts';
import { claudeCode } from '../../../src/formats/claude-code/claude-code.ts';
import { liveHistory } from '../../../src/formats/contract.ts';
import { linesOf, linesOfText } from '../../../src/formats/lines/lines.ts';
import { historyOf, rewritten, unpaired } from '../../contracts/format.ts';
import { haveRealSessions, realSessions } from '../../real-sessions.ts';
import { SessionBuilder } from '../claude-code-fixture.ts';

interface RecordedLine {
  readonly type: string;
  readonly isSidechain: boolean;
  readonly message: { readonly content: string | readonly { readonly tool_use_id?: string }[] };
}

interface ManifestRow {
  readonly format: string;
  readonly file: string;
  readonly tok_ctx: number;
}

/** Version 1.0 wrote sub-agents into the same file, and the manifest counts them. */
const WITH_INLINE_AGENTS = /ccviewer__(5c0375b4|fe5e1c67)/;

function visibleCharacters({ blocks }: IContent): number {
  const size = (value: unknown): number => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).length;
  return blocks.reduce((sum, block) => {
    if (block.type === 'text') return sum + block.text.length;
    if (block.type === 'tool_call') return sum + size(block.parameters);
    return block.type === 'tool_response' ? sum + size(block.result) + (block.error?.length ?? 0) : sum;
  }, 0);
}

const read = (session: SessionBuilder) => claudeCode.read(linesOfText(session.toString()));
const history = (session: SessionBuilder): IContent[] => liveHistory(read(session));

const say = (block: ContentBlock): string => {
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_call') return `call ${block.id}`;
  if (block.type === 'tool_response') return `result ${block.callId}`;
  return block.type;
};
const words = (entries: readonly IContent[]): string[] =>
  entries.map(({ speaker, blocks }) => `${speaker}: ${blocks.map(say).join(' + ')}`);
const steps = (events: readonly SessionEvent[]): (string | string[])[] =>
  events.map((event) => (event.kind === 'add' ? (words([event.content])[0] ?? '') : words(event.contents)));

describe('reading Claude Code', () => {
  test('names a result whose call is later in the file', () => {
    const session = new SessionBuilder();
    session.user('go');
    session.thinking('m1', 'hm');
    session.call('m1', 't1', 'Read', {});
    session.result('t1', 'one');
    session.text('m2', 'done');
    const [goes, thinks, calls, result, done] = session.lines;
    session.lines.splice(0, 5, goes!, thinks!, result!, calls!, done!);
    expect(words(history(session))).toEqual(['human: go', 'ai: thinking + call t1', 'tool: result t1', 'ai: done']);
    expect(history(session)[2]?.blocks).toMatchObject([{ callId: 't1', toolName: 'Read' }]);
  });

  test('keeps a result before its call on the path when a later pair in that order is removed', () => {
    const session = new SessionBuilder();
    session.user('go');
    for (const at of [1, 2]) {
      session.thinking(`m${at}`, 'hm');
      session.call(`m${at}`, `t${at}`, 'Read', {});
      session.result(`t${at}`, 'text');
    }
    session.text('m3', 'done');
    const [goes, ...lines] = session.lines;
    const [firstThinks, firstCalls, firstResult, thinks, calls, result, done] = lines;
    session.lines.splice(0, 8, goes!, firstThinks!, firstResult!, firstCalls!, thinks!, result!, calls!, done!);
    const left = history(session).filter((entry) => !words([entry])[0]!.includes('t2'));
    expect(words(left)).toEqual(['human: go', 'ai: thinking + call t1', 'tool: result t1', 'ai: done']);
    expect(historyOf(claudeCode, rewritten(claudeCode, `${session.lines.join('\n')}\n`, left))).toEqual(left);
  });

  test('joins the lines of one answer, and keeps results that fan out from the path', () => {
    const session = new SessionBuilder();
    session.user('go');
    session.thinking('m1', 'hm');
    const first = session.call('m1', 't1', 'Read', {});
    session.call('m1', 't2', 'Grep', {});
    session.result('t2', 'two');
    session.under(first).result('t1', 'one');
    session.text('m2', 'done');
    expect(words(history(session))).toEqual([
      'human: go',
      'ai: thinking + call t1 + call t2',
      'tool: result t2',
      'tool: result t1',
      'ai: done',
    ]);
    expect(history(session)[2]?.blocks).toEqual([
      { type: 'tool_response', callId: 't2', toolName: 'Grep', result: 'two' },
    ]);
  });

  test('joins an answer whose first results arrived while it was written', () => {
    const session = new SessionBuilder();
    session.user('go');
    session.call('m1', 't1', 'Read', {});
    session.result('t1', 'one');
    session.call('m1', 't2', 'Read', {});
    session.progress();
    session.result('t2', 'two');
    session.text('m2', 'done');
    const { events } = read(session);
    expect(steps(events)).toEqual([
      'human: go',
      'ai: call t1 + call t2',
      'tool: result t1',
      'tool: result t2',
      'ai: done',
    ]);
  });

  test('puts user text next to a result after all results of the answer', () => {
    const session = new SessionBuilder();
    session.user('go');
    session.call('m1', 't1', 'Read', {});
    session.call('m1', 't2', 'Read', {});
    session.user([
      { type: 'tool_result', tool_use_id: 't1', content: 'one' },
      { type: 'text', text: 'and also this' },
    ]);
    session.result('t2', 'two');
    session.text('m2', 'done');
    expect(words(history(session)).slice(2)).toEqual([
      'tool: result t1',
      'tool: result t2',
      'human: and also this',
      'ai: done',
    ]);
  });

  test('keeps the notes on parallel calls and their results', () => {
    const hook = (text: string) => ({
      type: 'attachment',
      attachment: { type: 'hook_additional_context', content: [text] },
    });
    const session = new SessionBuilder();
    session.user('go');
    const first = session.call('m1', 't1', 'Read', {});
    session.call('m1', 't2', 'Read', {});
    session.tree(hook('before two'));
    session.result('t2', 'two');
    session.tree(hook('after two'));
    session.under(first).result('t1', 'one');
    session.text('m2', 'done');
    expect(words(history(session)).slice(1)).toEqual([
      'ai: call t1 + call t2',
      'tool: result t2',
      'tool: result t1',
      'human: before two',
      'human: after two',
      'ai: done',
    ]);
  });

  test('distinguishes calls with one id by their parent line', () => {
    const session = new SessionBuilder();
    session.user('go');
    for (const turn of ['m1', 'm2', 'm3']) {
      const call = session.call(turn, 'call_0', turn === 'm2' ? 'Grep' : 'Read', { turn });
      session.call(turn, 'call_1', 'Bash', { turn });
      session.result('call_1', `${turn} b`);
      session.under(call).result('call_0', `${turn} a`);
    }
    const results = history(session).flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === 'tool_response' ? [`${block.toolName} ${block.result}`] : [])),
    );
    expect(results).toEqual(['Bash m1 b', 'Read m1 a', 'Bash m2 b', 'Grep m2 a', 'Bash m3 b', 'Read m3 a']);
    expect(read(session).events.every(({ kind }) => kind === 'add')).toBe(true);
  });

  test('replaces everything by the summary at a compaction', () => {
    const session = new SessionBuilder();
    session.user('first');
    session.text('m1', 'one');
    session.compaction();
    session.summary('so far');
    session.progress();
    session.user('second');
    session.text('m2', 'two');
    expect(steps(read(session).events)).toEqual([
      'human: first',
      'ai: one',
      ['human: so far'],
      'human: second',
      'ai: two',
    ]);
    expect(history(session)[0]?.metadata?.isSummary).toBe(true);
  });

  // Claude Code 2.1.217 links what follows to the last of the preserved messages, of which the parents are as before.
  test.each([
    ['list', 'summary'],
    ['segment', 'summary'],
    ['list', 'preserved'],
    ['segment', 'preserved'],
  ])('carries preserved messages over a compaction (%s, then under the %s)', (shape, parent) => {
    const session = new SessionBuilder();
    session.user('first');
    session.text('m1', 'one');
    const head = session.user('kept');
    const call = session.call('m2', 't1', 'Read', {});
    const result = session.result('t1', 'r');
    const anchorUuid = '00000000-0000-4000-8000-000000000007';
    session.compaction(
      shape === 'list'
        ? { preservedMessages: { anchorUuid, uuids: [head, call, result] } }
        : { preservedSegment: { headUuid: head, anchorUuid, tailUuid: result } },
    );
    expect(session.summary('so far')).toBe(anchorUuid);
    if (parent === 'preserved') session.under(result);
    session.user('second');
    session.text('m3', 'two');
    const { events } = read(session);
    const kept = ['human: so far', 'human: kept', 'ai: call t1', 'tool: result t1'];
    expect(words(history(session))).toEqual([...kept, 'human: second', 'ai: two']);
    const replaced = events.find((event) => event.kind === 'replace');
    expect(steps([replaced as SessionEvent])).toEqual([kept]);
    // The entry that was added before the compaction is the very one that is carried over.
    const added = events[2] as Extract<SessionEvent, { kind: 'add' }>;
    expect((replaced as Extract<SessionEvent, { kind: 'replace' }>).contents[1]).toBe(added.content);
  });

  // A fork copies the messages on the screen in their order: new parents, the same ids. Source: Claude Code 2.1.330, `/branch`.
  test.each([
    ['from the compaction on', ['boundary', 'summary', 'kept', 'later']],
    ['with what was before it', ['early', 'kept', 'boundary', 'summary', 'later']],
  ])('reads a fork of a conversation with preserved messages, %s', (_, order) => {
    const session = new SessionBuilder();
    const early = [session.user('first'), session.text('m1', 'one')];
    const kept = [session.user('kept'), session.call('m2', 't1', 'Read', {}), session.result('t1', 'r')];
    const anchorUuid = '00000000-0000-4000-8000-000000000007';
    const segment = { headUuid: kept[0], anchorUuid, tailUuid: kept[2] };
    const boundary = [session.compaction({ preservedSegment: segment })];
    const summary = [session.summary('so far')];
    const later = [session.user('second'), session.text('m3', 'two')];
    const whole = words(history(session));
    expect(whole).toEqual([
      'human: so far',
      'human: kept',
      'ai: call t1',
      'tool: result t1',
      'human: second',
      'ai: two',
    ]);
    const groups = { early, kept, boundary, summary, later } as Readonly<Record<string, readonly string[]>>;
    const byId = new Map(session.lines.map((line) => [(JSON.parse(line) as { uuid: string }).uuid, line]));
    let parentUuid: string | null = null;
    const fork = order
      .flatMap((name) => groups[name] ?? [])
      .map((uuid) => {
        const line = { ...JSON.parse(byId.get(uuid) ?? ''), sessionId: 'fork', parentUuid };
        parentUuid = uuid;
        return JSON.stringify(line);
      });
    const { events, skipped } = claudeCode.read(linesOfText(fork.join('\n')));
    expect(skipped).toEqual([]);
    expect(words(liveHistory({ events } as ReturnType<typeof claudeCode.read>))).toEqual(whole);
  });

  test('clears the results that a micro-compaction names, with the id of the whole ones', () => {
    const session = new SessionBuilder();
    session.user('go');
    session.call('m1', 't1', 'Read', {});
    const cleared = session.result('t1', 'long');
    session.call('m2', 't2', 'Read', {});
    session.result('t2', 'short');
    session.tree({
      type: 'system',
      subtype: 'microcompact_boundary',
      microcompactMetadata: { compactedToolIds: ['t1'], clearedAttachmentUUIDs: [] },
    });
    session.text('m3', 'done');
    const { events } = read(session);
    expect(events.map(({ kind }) => kind)).toEqual(['add', 'add', 'add', 'add', 'add', 'replace', 'add']);
    const [, , result, , other] = history(session);
    expect(result?.metadata?.id).toBe(cleared);
    expect(result?.blocks).toMatchObject([{ result: '[Old tool result content cleared]' }]);
    expect(other?.blocks).toMatchObject([{ result: 'short' }]);
  });

  test('lists lines that no branch contains because the file is out of order', () => {
    const session = new SessionBuilder();
    session.user('go');
    session.call('m1', 't1', 'Read', {});
    session.result('t1', 'long');
    session.text('m2', 'done');
    const [go = '', asked = '', result = '', done = ''] = session.lines;
    const named = (...lines: readonly string[]): number[] =>
      claudeCode.read(linesOfText(lines.join('\n'))).skipped.map(({ line }) => line);
    expect(named(go, asked, result, done)).toEqual([]);
    expect(named(result, go, asked, done)).toEqual([]);
    expect(named(asked, result, go, done)).toEqual([3]);
  });

  test('lists the result of an unreadable call, and a line whose `isSidechain` is not true or false', () => {
    const session = new SessionBuilder();
    session.user('go');
    const first = session.call('m1', 't1', 'Read', {});
    const second = session.call('m1', 't2', 'Read', {});
    session.under(first).result('t1', 'long');
    session.under(second).result('t2', 'long too');
    session.text('m2', 'done');
    const named = (lines: readonly string[]): number[] =>
      claudeCode.read(linesOfText(lines.join('\n'))).skipped.map(({ line }) => line);
    expect(named(session.lines.with(1, '{"cut": [1'))).toEqual([2, 4]);
    const odd = session.lines.map((line, index) =>
      line.replace('"isSidechain":false', `"isSidechain":${index === 0 ? 'null' : 'true'}`),
    );
    expect(named(odd)).toEqual([1]);
    expect(claudeCode.read(linesOfText(odd.join('\n'))).events).toHaveLength(5);
  });

  test('follows a rewind, and omits a branch that no model answered', () => {
    const session = new SessionBuilder();
    session.user('first');
    const fork = session.text('m1', 'one');
    session.user('wrong');
    session.text('m2', 'wrong too');
    session.under(fork).user('right');
    const end = session.text('m3', 'right too');
    session.under(fork).user('never sent');
    session.under(end).user('next');
    session.text('m4', 'last');
    expect(steps(read(session).events)).toEqual([
      'human: first',
      'ai: one',
      'human: wrong',
      'ai: wrong too',
      ['human: first', 'ai: one'],
      'human: right',
      'ai: right too',
      'human: next',
      'ai: last',
    ]);
  });

  test('uses the leaf that the last prompt names', () => {
    const session = new SessionBuilder();
    session.user('first');
    const leafUuid = session.text('m1', 'one');
    session.user('second');
    session.text('m2', 'two');
    session.raw({ type: 'last-prompt', leafUuid });
    expect(words(history(session))).toEqual(['human: first', 'ai: one']);
  });

  test('does not count the copy of an answer in a resumed session as a new one', () => {
    const session = new SessionBuilder();
    session.user('first');
    session.text('m1', 'one');
    session.under(null).user('first');
    session.text('m1', 'one');
    session.user('second');
    session.text('m2', 'two');
    expect(steps(read(session).events)).toEqual([
      'human: first',
      'ai: one',
      ['human: first', 'ai: one'],
      'human: second',
      'ai: two',
    ]);
  });

  test('omits what the model never saw', () => {
    const session = new SessionBuilder();
    session.user('go');
    session.user('for the screen', { isVisibleInTranscriptOnly: true });
    session.ai('m0', { type: 'text', text: 'API Error: 529' }, { isApiErrorMessage: true });
    session.tree({ type: 'attachment', attachment: { type: 'hook_success', hookEvent: 'Stop', content: 'ok' } });
    session.tree({ type: 'system', subtype: 'stop_hook_summary', content: 'hooks' });
    session.raw({ type: 'queue-operation', operation: 'enqueue', content: 'queued' });
    session.text('m1', 'done');
    expect(words(history(session))).toEqual(['human: go', 'ai: done']);
  });

  test('keeps what the agent added for the model, marked as its own', () => {
    const session = new SessionBuilder();
    session.user('go');
    session.user('<local-command-caveat>…</local-command-caveat>', { isMeta: true });
    session.tree({ type: 'system', subtype: 'local_command', content: '<command-name>/cost</command-name>' });
    session.tree({ type: 'attachment', attachment: { type: 'edited_text_file', filename: '/f', snippet: '1→x' } });
    session.tree({ type: 'attachment', attachment: { type: 'queued_command', prompt: 'faster please' } });
    session.tree({
      type: 'attachment',
      attachment: {
        type: 'file',
        filename: '/f',
        content: { type: 'text', file: { filePath: '/f', content: 'body' } },
      },
    });
    session.text('m1', 'done');
    expect(history(session).map((entry) => [words([entry])[0], entry.metadata?.synthetic ?? false])).toEqual([
      ['human: go', false],
      ['human: <local-command-caveat>…</local-command-caveat>', true],
      ['human: <command-name>/cost</command-name>', true],
      ['human: 1→x', true],
      ['human: faster please', false],
      ['human: body', true],
      ['ai: done', false],
    ]);
  });

  test('marks what a task reported, and the file of which the agent attached lines', () => {
    const session = new SessionBuilder();
    session.user('go');
    const report = '<task-notification>\n…\n</task-notification>';
    session.user(report, { origin: { kind: 'task-notification' } });
    const queued = { type: 'queued_command', prompt: report, commandMode: 'task-notification' };
    session.tree({ type: 'attachment', attachment: queued });
    session.tree({ type: 'attachment', attachment: { ...queued, prompt: 'faster please', commandMode: 'prompt' } });
    session.tree({ type: 'attachment', attachment: { type: 'edited_text_file', filename: '/f', snippet: '1→x' } });
    session.text('m1', 'done');
    const facts = history(session).map(({ metadata }) => [metadata?.synthetic ?? false, metadata?.attachedFile]);
    expect(facts.slice(1, 5)).toEqual([
      [true, undefined],
      [true, undefined],
      [false, undefined],
      [true, '/f'],
    ]);
  });

  test('keeps a sub-agent apart, and reads a file that is one', () => {
    const session = new SessionBuilder();
    session.user('main');
    session.call('m1', 't1', 'Task', {});
    const agent = new SessionBuilder({ sidechain: true });
    agent.user('side');
    agent.text('s1', 'side answer');
    const side = agent.lines.map((line) => line.replaceAll('0000-4000-8000-0', '0000-4000-8000-9'));
    for (const line of side) session.raw(line);
    session.result('t1', 'from the agent');
    expect(words(history(session))).toEqual(['human: main', 'ai: call t1', 'tool: result t1']);
    expect(words(history(agent))).toEqual(['human: side', 'ai: side answer']);
  });

  test('splits a failed result into its first line and the rest (docs/readings.md, row 20)', () => {
    const session = new SessionBuilder();
    session.user('go');
    session.call('m1', 't1', 'Bash', {});
    session.result('t1', 'Exit code 1\nboom\nbang', { is_error: true });
    session.call('m2', 't2', 'Bash', {});
    session.result('t2', '', { is_error: true });
    const [, , failed, , empty] = history(session);
    expect(failed?.blocks).toMatchObject([{ error: 'Exit code 1', result: 'boom\nbang' }]);
    expect(empty?.blocks).toMatchObject([{ error: 'Error', result: '' }]);
  });

  test('counts the usage of an answer once, cached tokens included', () => {
    const session = new SessionBuilder();
    session.user('go');
    session.thinking('m1', 'hm');
    session.text('m1', 'done');
    const { model, id, workspaceRoot } = read(session);
    expect({ model, id, workspaceRoot }).toEqual({
      model: 'claude-test-1',
      id: '5e551011-0000-4000-8000-000000000000',
      workspaceRoot: '/repo/demo',
    });
    expect(history(session).map(({ metadata }) => metadata?.usage)).toEqual([
      undefined,
      { promptTokens: 143, completionTokens: 7, totalTokens: 150, cachedTokens: 100, writtenTokens: 40 },
    ]);
  });

  test('continues after a lost line, and lists it', () => {
    const session = new SessionBuilder();
    session.user('go');
    session.call('m1', 't1', 'Read', {});
    session.result('t1', 'one');
    session.text('m2', 'done');
    const lines = session.toString().split('\n');
    lines[2] = lines[2]?.slice(0, 40) ?? '';
    const { skipped, ...rest } = claudeCode.read(linesOfText(lines.join('\n')));
    expect(skipped.map(({ line }) => line)).toEqual([3]);
    expect(words(liveHistory({ ...rest, skipped }))).toEqual(['human: go', 'ai: call t1', 'ai: done']);
  });

  test.runIf(haveRealSessions)('loses no result of a real session and invents none', () => {
    for (const file of realSessions('claude-code')) {
      const bytes = readFileSync(file);
      const { events } = claudeCode.read(linesOf(() => [bytes]));
      const seen = events.flatMap((event) => (event.kind === 'add' ? [event.content] : event.contents));
      const results = seen.flatMap(({ blocks }) =>
        blocks.flatMap((block) => (block.type === 'tool_response' ? [block.callId] : [])),
      );
      const isAgentFile = file.includes('subagents');
      const inFile = bytes
        .toString()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as RecordedLine)
        .filter(({ type, isSidechain }) => type === 'user' && (isAgentFile || !isSidechain))
        .flatMap(({ message }) => (Array.isArray(message.content) ? message.content : []))
        .flatMap((item) => item.tool_use_id ?? []);
      expect(new Set(results), file).toEqual(new Set(inFile));
    }
  });

  test.runIf(haveRealSessions)(
    'contains as many tokens as the manifest estimates, without sub-agents (characters / 4)',
    () => {
      const folder = path.resolve(import.meta.dirname, '../../../../shared/data');
      const manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as ManifestRow[];
      const ratios = manifest
        .filter(({ format, file }) => format === 'claude-code' && !WITH_INLINE_AGENTS.test(file))
        .map(({ file, tok_ctx }) => {
          const bytes = readFileSync(path.join(folder, file));
          const { events } = claudeCode.read(linesOf(() => [bytes]));
          const seen = new Set(events.flatMap((event) => (event.kind === 'add' ? [event.content] : event.contents)));
          return [...seen].reduce((sum, entry) => sum + visibleCharacters(entry), 0) / 4 / tok_ctx;
        });
      expect(ratios.length).toBe(20);
      expect(Math.min(...ratios)).toBeGreaterThan(0.98);
      expect(Math.max(...ratios)).toBeLessThan(1.02);
    },
  );

  test.runIf(haveRealSessions)('leaves at most the last answer of a real session unpaired', () => {
    for (const file of realSessions('claude-code')) {
      const bytes = readFileSync(file);
      const live = liveHistory(claudeCode.read(linesOf(() => [bytes])));
      const last = live.findLastIndex(({ speaker }) => speaker === 'ai');
      expect(unpaired(live.slice(0, last)), file).toEqual([]);
    }
  });
});
