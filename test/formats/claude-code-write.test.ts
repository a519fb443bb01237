import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../src/content/content.ts';
import { CLEARED_RESULT, PRUNED_RESULT } from '../../src/content/pruned-result.ts';
import { CompressionStrategyError } from '../../src/errors.ts';
import { sendable } from '../../src/formats/blocks/sendable.ts';
import { responseText, resultText } from '../../src/formats/blocks/tool-result.ts';
import { claudeCode } from '../../src/formats/claude-code/claude-code.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { decode, joinLines, linesOf } from '../../src/formats/lines/lines.ts';
import { RECOMMENDED_CONFIG } from '../../src/live/turn/recommended-config.ts';
import type { DensityConfig, DensityRules } from '../../src/strategies/contract.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { SPECIFIED_RULES } from '../../src/strategies/settings/rule-settings.ts';
import { fileLines, skillBody, taskReport } from '../agent-texts.ts';
import { changedLines, historyOf, rewritten, spoken, unpaired } from '../contracts/format.ts';
import { generatedHistory } from '../generated-history.ts';
import { runs } from '../property-runs.ts';
import { haveRealSessions, realSessions } from '../real-sessions.ts';
import { SessionBuilder } from './claude-code-fixture.ts';

interface TreeLine {
  readonly uuid?: string;
  readonly parentUuid?: string | null;
  readonly type: string;
  readonly [field: string]: unknown;
}

const linesIn = (text: string): TreeLine[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as TreeLine);

/** What a client needs to resume: every line in its order, and every parent that was there. Returns how many are new. */
function expectSameTree(before: string, after: string): number {
  const ids = (text: string) =>
    linesIn(text).flatMap(({ uuid, type }) => (type === 'last-prompt' ? [] : (uuid ?? type)));
  const own = new Set(ids(before));
  expect(ids(after).filter((id) => own.has(id))).toEqual(ids(before));
  const known = new Set(ids(after));
  const dangling = (text: string) =>
    linesIn(text).filter(({ parentUuid }) => typeof parentUuid === 'string' && !known.has(parentUuid)).length;
  expect(dangling(after)).toBe(dangling(before));
  return ids(after).length - ids(before).length;
}

/** How many texts were next to a removed result: each gets a separate line. */
function movedWords(after: readonly IContent[]): number {
  const ids = after.map(({ metadata }) => metadata?.id ?? '');
  return ids.filter((id) => id.endsWith('#words') && !ids.includes(id.replace('#words', ''))).length;
}

/** The messages a walk from the last line to the root meets, which is all that a simple client reads. */
function naivePath(text: string): TreeLine[] {
  const lines = linesIn(text).filter(({ uuid }) => uuid);
  const byId = new Map(lines.map((line) => [line.uuid, line]));
  const path: TreeLine[] = [];
  for (let line = lines.findLast(({ type }) => type === 'user' || type === 'assistant'); line; ) {
    path.unshift(line);
    line = byId.get(line.parentUuid ?? '');
  }
  return path;
}

const without = (history: readonly IContent[], callId: string): IContent[] =>
  history.flatMap((entry) => {
    const blocks = entry.blocks.filter(
      (block) =>
        !(block.type === 'tool_call' && block.id === callId) &&
        !(block.type === 'tool_response' && block.callId === callId),
    );
    if (blocks.length === entry.blocks.length) return [entry];
    return blocks.length > 0 ? [{ ...entry, blocks }] : [];
  });

function writtenOrRefused(text: string, after: readonly IContent[]): string | undefined {
  try {
    return rewritten(claudeCode, text, after);
  } catch (error) {
    if (error instanceof CompressionStrategyError && error.code === 'SESSION_NOT_WRITABLE') return undefined;
    throw error;
  }
}

function optimized(history: readonly IContent[], workspaceRoot: string, rules?: DensityRules): IContent[] {
  const config: DensityConfig = {
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: true,
    recencyRetention: 3,
    workspaceRoot,
    ...(rules && { rules }),
  };
  const strategy = getCompressionStrategy('high-density', { vocabulary: claudeCode.vocabulary });
  const result = strategy.optimize?.(history, config);
  if (!result) throw new Error('high-density optimises');
  return history.flatMap((entry, index) =>
    result.removals.includes(index) ? [] : [result.replacements.get(index) ?? entry],
  );
}

async function compressed(history: readonly IContent[], workspaceRoot: string, limit: number): Promise<IContent[]> {
  const tokens = (entries: readonly IContent[]) => JSON.stringify(entries.map(({ blocks }) => blocks)).length / 4;
  const ephemerals = {
    compressionStrategy: () => 'high-density',
    compressionThreshold: () => 0.85,
    preserveThreshold: () => 0.2,
    contextLimit: () => limit,
    densityReadWritePruning: () => true,
    densityFileDedupe: () => true,
    densityRecencyPruning: () => false,
    densityRecencyRetention: () => 3,
  };
  const { newHistory } = await getCompressionStrategy('high-density', { vocabulary: claudeCode.vocabulary }).compress({
    history,
    runtimeContext: { ephemerals, workspaceRoot },
    runtimeState: { model: 'claude-test-1' },
    estimateTokens: async (entries) => tokens(entries),
    currentTokenCount: tokens(history),
    logger: { debug: () => {} },
    resolveProvider: () => {
      throw new Error('high-density asks no model');
    },
    promptResolver: { resolve: async () => '' },
    promptBaseDir: '',
    promptContext: {},
    promptId: 'test',
  });
  return newHistory;
}

/** A fan of two calls whose path leads through the first; the second hangs beside it. */
function fan(options: { thinking: boolean }): SessionBuilder {
  const session = new SessionBuilder();
  session.user('go');
  if (options.thinking) session.thinking('m1', 'both');
  const first = session.call('m1', 't1', 'Read', { file_path: '/a' });
  session.call('m1', 't2', 'Read', { file_path: '/b' });
  session.result('t2', 'two');
  session.under(first).result('t1', 'one');
  session.text('m2', 'done');
  return session;
}

/** What a history sends; a pruned result may be one that Claude Code cleared. */
const sent = (history: readonly IContent[]) =>
  spoken(history).map(({ speaker, blocks }) => ({
    speaker,
    blocks: blocks.map((block) =>
      block.type === 'tool_response' && block.result === PRUNED_RESULT ? { ...block, result: CLEARED_RESULT } : block,
    ),
  }));

describe('writing Claude Code', () => {
  test('leaves a tombstone in place of a line with nothing left, and no other line changes', () => {
    const text = fan({ thinking: true }).toString();
    const history = historyOf(claudeCode, text);
    const after = without(history, 't1');
    const written = rewritten(claudeCode, text, after);
    expect(spoken(historyOf(claudeCode, written))).toEqual(spoken(after));
    expect(expectSameTree(text, written)).toBe(0);
    expect(changedLines(text, written)).toBe(2);
    const stones = linesIn(written).filter(({ type }) => type === 'system');
    expect(stones.length).toBe(2);
    for (const stone of stones) {
      expect(stone).toMatchObject({ subtype: 'informational', level: 'info', sessionId: expect.any(String) });
      // An answer was paid.
      expect(Object.keys((stone['message'] as object | undefined) ?? {})).not.toContain('content');
      expect(stone).not.toHaveProperty('toolUseResult');
    }
  });

  test('leads the path through the kept calls if the one on it is removed', () => {
    const text = fan({ thinking: false }).toString();
    const history = historyOf(claudeCode, text);
    for (const gone of ['t1', 't2']) {
      const after = without(history, gone);
      const written = rewritten(claudeCode, text, after);
      expect(spoken(historyOf(claudeCode, written)), gone).toEqual(spoken(after));
      expect(expectSameTree(text, written)).toBe(0);
      expect(changedLines(text, written), gone).toBe(gone === 't1' ? 3 : 2);
    }
    const onPath = naivePath(rewritten(claudeCode, text, without(history, 't1')));
    expect(onPath.map(({ type }) => type)).toEqual(['user', 'system', 'assistant', 'user', 'assistant']);
  });

  test('changes only the text of a shortened result: order, ids, and the copy for the screen are kept', () => {
    const session = new SessionBuilder();
    session.user('go');
    session.call('m1', 't1', 'Bash', { command: 'make' });
    session.result('t1', 'Exit code 2\nlong\nlong', { is_error: true });
    const text = session.toString();
    const history = historyOf(claudeCode, text);
    const [, , result] = history as [IContent, IContent, IContent];
    const block = { ...result.blocks[0], result: '[Bash: make — error]' } as ContentBlock;
    const written = rewritten(claudeCode, text, [...history.slice(0, 2), { ...result, blocks: [block] }]);
    expect(written).toBe(text.replace('Exit code 2\\nlong\\nlong', 'Exit code 2\\n[Bash: make — error]'));
    expect(historyOf(claudeCode, written)[2]?.blocks[0]).toEqual(block);
  });

  test('keeps the pictures of a shortened result, and removes them with the result', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };
    const session = new SessionBuilder();
    session.user('go');
    session.call('m1', 't1', 'Shot', {});
    session.result('t1', [{ type: 'text', text: 'one' }, image, { type: 'text', text: 'two' }]);
    const text = session.toString();
    const history = historyOf(claudeCode, text);
    const [human, ai, result] = history as [IContent, IContent, IContent];
    expect(result.blocks).toMatchObject([{ result: 'one\ntwo' }, { type: 'media', data: 'aGk=' }]);
    const shorter = { ...result.blocks[0], result: 'short' } as ContentBlock;
    const kept = [human, ai, { ...result, blocks: [shorter, result.blocks[1] as ContentBlock] }];
    expect(spoken(historyOf(claudeCode, rewritten(claudeCode, text, kept)))).toEqual(spoken(kept));
    const cut = [human, ai, { ...result, blocks: [shorter] }];
    expect(spoken(historyOf(claudeCode, rewritten(claudeCode, text, cut)))).toEqual(spoken(cut));
    const alone = [human, { ...result, blocks: result.blocks.slice(1) }];
    expect(() => rewritten(claudeCode, text, alone)).toThrow(/media without it/);
  });

  test('keeps words beside a removed result', () => {
    const session = new SessionBuilder();
    session.user('go');
    session.call('m1', 't1', 'Read', {});
    session.user([
      { type: 'tool_result', tool_use_id: 't1', content: 'one' },
      { type: 'text', text: 'mind the tabs' },
    ]);
    session.text('m2', 'done');
    const text = session.toString();
    const after = without(historyOf(claudeCode, text), 't1');
    const written = rewritten(claudeCode, text, after);
    expect(spoken(historyOf(claudeCode, written))).toEqual(spoken(after));
    expect(after.flatMap(({ blocks }) => blocks)).toContainEqual({ type: 'text', text: 'mind the tabs' });
  });

  test('a cleared result that says something new is no longer cleared', () => {
    const session = new SessionBuilder();
    session.user('go');
    for (const id of ['t1', 't2']) {
      session.call(`m-${id}`, id, 'Read', {});
      session.result(id, 'long');
    }
    session.tree({
      type: 'system',
      subtype: 'microcompact_boundary',
      microcompactMetadata: { compactedToolIds: ['t1', 't2'], clearedAttachmentUUIDs: [] },
    });
    session.text('m3', 'done');
    const text = session.toString();
    const history = historyOf(claudeCode, text);
    const after = history.map((entry, index) =>
      index === 2 ? { ...entry, blocks: [{ ...entry.blocks[0], result: '[Read — success]' } as ContentBlock] } : entry,
    );
    const written = rewritten(claudeCode, text, after);
    expect(spoken(historyOf(claudeCode, written))).toEqual(spoken(after));
    expect(changedLines(text, written)).toBe(2);
    expect(rewritten(claudeCode, text, history)).toBe(text);
  });

  describe('clears pruned results by a line as the agent writes it', () => {
    const pruned = (history: readonly IContent[], ...ids: readonly string[]): IContent[] =>
      history.map((entry) =>
        entry.blocks.some((block) => block.type === 'tool_response' && ids.includes(block.callId))
          ? {
              ...entry,
              blocks: entry.blocks.map((block) =>
                block.type === 'tool_response' ? { ...block, result: PRUNED_RESULT } : block,
              ),
            }
          : entry,
      );
    const file = (version: string): string => {
      const session = new SessionBuilder();
      session.user('go');
      for (const id of ['t1', 't2']) {
        session.call(`m-${id}`, id, 'Read', {});
        session.result(id, 'long');
      }
      session.text('m3', 'done');
      session.user('and on');
      return session.toString().replaceAll('2.1.40', version);
    };

    test('if its version knows it: every result is kept in the file, and an undo needs only that line', () => {
      const text = file('2.1.12');
      const history = historyOf(claudeCode, text);
      const written = rewritten(claudeCode, text, pruned(history, 't1', 't2'));
      expect(sent(historyOf(claudeCode, written))).toEqual(sent(pruned(history, 't1', 't2')));
      // One line is new, and only the one after it hangs on it.
      expect(changedLines(text, written)).toBe(1);
      expect(written.match(/"content":"long"/g)).toHaveLength(2);
      const boundaries = written.split('\n').filter((line) => line.includes('microcompact_boundary'));
      expect(boundaries.map((line) => (JSON.parse(line) as TreeLine)['microcompactMetadata'])).toMatchObject([
        { compactedToolIds: ['t1', 't2'] },
      ]);
      const again = historyOf(claudeCode, written);
      expect(rewritten(claudeCode, written, again)).toBe(written);
      const undone = again.map((entry, index) => ({ ...entry, blocks: history[index]?.blocks ?? [] }));
      expect(spoken(historyOf(claudeCode, rewritten(claudeCode, written, undone)))).toEqual(spoken(history));
    });

    test('but in place in other versions, after the last answer, and where an id is used again', () => {
      const kinds: [string, (text: string) => string][] = [
        ['2.1.40', (text) => text],
        ['2.1.12', (text) => text.split('\n').slice(0, 5).join('\n')],
        ['2.1.12', (text) => text.replaceAll('"t2"', '"t1"')],
      ];
      for (const [version, change] of kinds) {
        const text = change(file(version));
        const history = historyOf(claudeCode, text);
        const last = history.findLast(({ speaker }) => speaker === 'tool');
        const after = history.map((entry) =>
          entry === last
            ? {
                ...entry,
                blocks: entry.blocks.map((block) =>
                  block.type === 'tool_response' ? { ...block, result: PRUNED_RESULT } : block,
                ),
              }
            : entry,
        );
        const written = rewritten(claudeCode, text, after);
        expect(spoken(historyOf(claudeCode, written))).toEqual(spoken(after));
        expect(written).not.toContain('microcompact_boundary');
      }
    });
  });

  test('never edits thinking', () => {
    const text = fan({ thinking: true }).toString();
    const history = historyOf(claudeCode, text);
    const touched = history.map((entry) => ({
      ...entry,
      blocks: entry.blocks.map((block) => (block.type === 'thinking' ? { ...block, thought: 'other' } : block)),
    }));
    expect(() => rewritten(claudeCode, text, touched)).toThrow(/thinking block to be kept or removed/);
  });

  test('puts new entries on the path, at their position in the history', () => {
    const text = fan({ thinking: true }).toString();
    const history = historyOf(claudeCode, text);
    const summary: IContent = {
      speaker: 'human',
      blocks: [{ type: 'text', text: 'Summary of what came before.' }],
      metadata: { isSummary: true },
    };
    const answer: IContent = { speaker: 'ai', blocks: [{ type: 'text', text: 'Understood.' }] };
    for (const after of [
      [summary, answer, ...history.slice(-1)],
      [...history.slice(0, 1), answer, summary, ...history.slice(1)],
      [...history, summary, answer],
      [summary, answer],
    ]) {
      const written = rewritten(claudeCode, text, after);
      expect(spoken(historyOf(claudeCode, written))).toEqual(spoken(after));
      expect(historyOf(claudeCode, written).filter(({ metadata }) => metadata?.isSummary).length).toBe(1);
      const ids = linesIn(written).flatMap(({ uuid }) => uuid ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      expect(naivePath(written).length).toBeGreaterThan(1);
    }
    expect(() => rewritten(claudeCode, text.trimEnd(), [...history, summary])).not.toThrow();
  });

  test('stops when the session grows while it is written', () => {
    const session = fan({ thinking: true });
    let passes = 0;
    const growing = linesOf(() => {
      passes++;
      return [new TextEncoder().encode(session.toString() + '\n'.repeat(passes))];
    });
    expect(() => joinLines(claudeCode.write?.(growing, historyOf(claudeCode, session.toString())) ?? [])).toThrow(
      /another program is writing to the session/,
    );
  });

  test('writes any removal and any change in any tree: read again it says exactly that', () => {
    const RUNS = runs(1000);
    const seen = { fans: 0, rewinds: 0, compactions: 0, preserved: 0, clearings: 0, rerouted: 0, news: 0 };
    let refused = 0;
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 14 }),
        fc.array(fc.nat(5), { minLength: 40 }),
        (steps, dice) => {
          const text = build(steps, seen);
          const history = historyOf(claudeCode, text);
          // Among messages that a compaction preserved there is no place for a new one.
          const changed = edited(history, dice);
          const after = text.includes('preservedSegment') ? changed : withNews(changed, dice);
          const news = after.filter(({ metadata }) => metadata?.id === undefined).length;
          const written = writtenOrRefused(text, after);
          if (written === undefined) {
            // Words beside a removed result that fanned out from preserved messages: the one thing without a place.
            expect(text).toContain('preservedSegment');
            refused++;
            return;
          }
          expect(spoken(historyOf(claudeCode, written))).toEqual(spoken(after));
          // Words of preserved messages stay in their line: they are found without the result.
          const moved = text.includes('preservedSegment') ? 0 : movedWords(after);
          expect(expectSameTree(text, written)).toBeGreaterThanOrEqual(moved + news);
          expect(unpaired(after).filter((id) => !unpaired(history).includes(id))).toEqual([]);
          expect(rewritten(claudeCode, written, historyOf(claudeCode, written))).toBe(written);
          if (news > 0) seen.news++;
          const parents = (file: string) => linesIn(file).map(({ parentUuid }) => parentUuid);
          const before = parents(text);
          if (news === 0 && parents(written).some((parent, index) => parent !== before[index])) seen.rerouted++;
        },
      ),
      {
        numRuns: RUNS,
        examples: [
          [preservedTwice, [0, 0, 0, 1, ...Array<number>(36).fill(0)]],
          ...[0, 1, 2, 3, 4, 5].map((die): [Step[], number[]] => [
            [{ kind: 'note' }, { kind: 'rewind' }],
            Array<number>(40).fill(die),
          ]),
        ],
      },
    );
    console.log(`Generated sessions with ${JSON.stringify(seen)} of ${RUNS}, ${refused} refused.`);
    expect(refused).toBeLessThan(RUNS / 50);
    for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(RUNS / 17);
  });

  test('writes what is left of reports, skills and attached files in their own lines', () => {
    const session = new SessionBuilder();
    session.user('go');
    session.call('m0', 't0', 'Skill', { skill: 'one' });
    session.result('t0', 'Launching skill: one');
    session.user(skillBody('/skills/one'), { isMeta: true, sourceToolUseID: 't0' });
    session.text('m1', 'yes');
    session.user(taskReport('Look'), { origin: { kind: 'task-notification' } });
    const queued = { type: 'queued_command', prompt: taskReport('Again'), commandMode: 'task-notification' };
    session.tree({ type: 'attachment', attachment: queued });
    const edited = { type: 'edited_text_file', filename: '/a.ts', snippet: fileLines('a') };
    session.tree({ type: 'attachment', attachment: edited });
    session.text('m2', 'on');
    session.call('m3', 't3', 'Read', { file_path: '/a.ts' });
    session.result('t3', fileLines('a'));
    for (let at = 4; at < 30; at++) session.text(`m${at}`, `answer ${at}`);
    const text = session.lines.join('\n');
    const history = historyOf(claudeCode, text);
    const after = optimized(history, '/', { ...SPECIFIED_RULES, ...RECOMMENDED_CONFIG.rules });
    const written = rewritten(claudeCode, text, after);
    const left = historyOf(claudeCode, written).flatMap(({ blocks }) =>
      blocks.map((block) => (block.type === 'text' ? block.text : '')),
    );
    expect(left.filter((one) => / left out⟧/.test(one))).toHaveLength(4);
    expect(written).toContain('"snippet":"⟦density: 60 lines of the file left out⟧"');
    expectSameTree(text, written);
    expect(rewritten(claudeCode, written, history)).toBe(text);
  });

  test.runIf(haveRealSessions)('writes what high-density makes of each real session (REQ-HD-001.5)', async () => {
    for (const file of realSessions('claude-code')) {
      const bytes = readFileSync(file);
      const lines = linesOf(() => [bytes]);
      const session = claudeCode.read(lines);
      const history = liveHistory(session);
      const root = session.workspaceRoot ?? '/';
      expect(decode(joinLines(claudeCode.write?.(lines, history) ?? [])), file).toBe(decode(bytes));
      const pruned = optimized(history, root);
      const steps = [pruned, await compressed(pruned, root, 4000), await compressed(history, root, 1_000_000)];
      for (const after of steps) {
        const written = joinLines(claudeCode.write?.(lines, after) ?? []);
        const again = liveHistory(claudeCode.read(linesOf(() => [written])));
        expect(sent(again), file).toEqual(sent(after));
        const boundaries = (text: string): number =>
          linesIn(text).filter((line) => 'microcompactMetadata' in line).length;
        const newBoundaries = boundaries(decode(written)) - boundaries(decode(bytes));
        expect(expectSameTree(decode(bytes), decode(written)), file).toBe(movedWords(after) + newBoundaries);
        expect(
          unpaired(again).filter((id) => !unpaired(history).includes(id)),
          file,
        ).toEqual([]);
        const blocks = new Set(after.flatMap((entry) => entry.blocks));
        const touched = history.flatMap((entry) => entry.blocks).filter((block) => !blocks.has(block)).length;
        expect(changedLines(decode(bytes), decode(written)), file).toBeLessThanOrEqual(touched * 1.5 + 1);
      }
      expect(optimized(pruned, root), file).toEqual(pruned);
      const written = joinLines(claudeCode.write?.(lines, pruned) ?? []);
      const again = liveHistory(claudeCode.read(linesOf(() => [written])));
      expect(spoken(optimized(again, root)), file).toEqual(spoken(again));
    }
  });

  test('creates a session of any history whose pairs are intact, one result a line', () => {
    // In an Anthropic message a picture has no name, and a result and its error are one text.
    const plain = (block: ContentBlock): object => {
      if (block.type === 'media') return { ...block, filename: undefined };
      if (block.type !== 'tool_response') return block;
      return { callId: block.callId, failed: block.error !== undefined, text: responseText(block) };
    };
    const blocks = (history: readonly IContent[]) =>
      history.flatMap(({ speaker, blocks }) => blocks.map((block) => ({ speaker, block: plain(block) })));
    fc.assert(
      fc.property(
        generatedHistory('intact').filter((history) => history.length > 0),
        (history) => {
          const created = joinLines(claudeCode.create?.(history, { id: 'new', startedAt: 0 }) ?? []);
          const { events, skipped } = claudeCode.read(linesOf(() => [created]));
          expect(skipped).toEqual([]);
          expect(events.every(({ kind }) => kind === 'add')).toBe(true);
          const live = liveHistory({ format: '', events, skipped });
          expect(blocks(live)).toEqual(blocks(sendable(history)));
          for (const line of linesIn(decode(created)).filter(({ type }) => type === 'assistant'))
            expect((line['message'] as { content: unknown[] }).content.length).toBe(1);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test.runIf(haveRealSessions)('creates a session that says what a real one says', () => {
    for (const file of realSessions('claude-code')) {
      const bytes = readFileSync(file);
      const session = claudeCode.read(linesOf(() => [bytes]));
      const history = liveHistory(session);
      const created = joinLines(claudeCode.create?.(history, { id: 'new', startedAt: 1_767_000_000_000 }) ?? []);
      const again = claudeCode.read(linesOf(() => [created]));
      expect(again.skipped).toEqual([]);
      // A result that is a list of references, which no other agent has, comes back as text.
      const inText = (entries: readonly IContent[]): unknown =>
        spoken(entries.map((entry) => ({ ...entry, blocks: entry.blocks.map(asText) })));
      expect(inText(liveHistory(again)), file).toEqual(inText(history));
      expect(liveHistory(again).map(({ metadata }) => metadata?.usage)).toEqual(
        history.map(({ metadata }) => metadata?.usage),
      );
    }
  });
});

const asText = (block: ContentBlock): ContentBlock =>
  block.type === 'tool_response' ? { ...block, result: resultText(block.result) } : block;

type Step =
  | { readonly kind: 'user' | 'mixed' | 'note' | 'progress' | 'rewind' | 'compaction' | 'preserving' | 'clearing' }
  | { readonly kind: 'answer'; readonly thinking: boolean; readonly calls: number; readonly inTurn: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('user', 'mixed', 'note', 'progress', 'rewind', 'compaction', 'preserving', 'clearing'),
  }),
  fc.record({ kind: fc.constant('answer' as const), thinking: fc.boolean(), calls: fc.nat(4), inTurn: fc.boolean() }),
  fc.record({ kind: fc.constant('answer' as const), thinking: fc.boolean(), calls: fc.nat(4), inTurn: fc.boolean() }),
) as fc.Arbitrary<Step>;

/** Words beside a result whose line two compactions preserved. */
const preservedTwice: Step[] = [
  { kind: 'answer', thinking: false, calls: 0, inTurn: false },
  { kind: 'preserving' },
  { kind: 'answer', thinking: false, calls: 0, inTurn: false },
  { kind: 'mixed' },
  { kind: 'answer', thinking: false, calls: 1, inTurn: false },
  { kind: 'answer', thinking: false, calls: 0, inTurn: false },
  { kind: 'rewind' },
  { kind: 'preserving' },
];

/** A session of these steps; ids of calls are reused, fans lead on from any of their results. */
function build(steps: readonly Step[], seen: Record<string, number>): string {
  const session = new SessionBuilder();
  const forks = [session.user('start')];
  let answers = 0;
  let mixed = false;
  const kinds = new Set<string>();
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'user') session.user(`words ${index}`);
    if (step.kind === 'mixed') mixed = true;
    if (step.kind === 'note')
      session.tree({ type: 'attachment', attachment: { type: 'edited_text_file', snippet: `note ${index}` } });
    if (step.kind === 'progress') session.progress();
    if (step.kind === 'rewind') {
      session.under(forks[index % forks.length] ?? null).user(`again ${index}`);
      kinds.add('rewinds');
    }
    if (step.kind === 'compaction' || step.kind === 'preserving') {
      // The summary is the second line from here, and the kept part begins at the last resume point.
      const uuids = session.lines.flatMap((line) => (JSON.parse(line) as TreeLine).uuid ?? []);
      const headUuid = forks.at(-1);
      const anchorUuid = uuids[0]?.replace(/\d{12}$/, String(uuids.length + 2).padStart(12, '0'));
      const isKeeping = step.kind === 'preserving' && headUuid !== undefined;
      session.compaction(isKeeping ? { preservedSegment: { headUuid, anchorUuid, tailUuid: uuids.at(-1) } } : {});
      if (isKeeping) kinds.add('preserved');
      forks.splice(0, forks.length, session.summary(`summary ${index}`));
      kinds.add('compactions');
    }
    if (step.kind === 'clearing') {
      const compactedToolIds = ['call_0', `call_${answers % 3}`];
      session.tree({ type: 'system', subtype: 'microcompact_boundary', microcompactMetadata: { compactedToolIds } });
      kinds.add('clearings');
    }
    if (step.kind !== 'answer') continue;
    answers++;
    const id = `msg_${answers}`;
    if (step.thinking) session.thinking(id, `thought ${index}`);
    if (step.calls === 0) session.text(id, `text ${index}`);
    const callers: string[] = [];
    for (let call = 0; call < step.calls; call++) {
      callers.push(session.call(id, `call_${call}`, 'Read', { file_path: `/f${call}` }));
      if (step.inTurn) session.result(`call_${call}`, `in turn ${index}.${call}`);
    }
    if (step.calls > 1) kinds.add('fans');
    if (!step.inTurn) {
      for (const [call, caller] of [...callers.entries()].reverse()) {
        session.under(caller);
        if (index % 3 === 0)
          session.tree({
            type: 'attachment',
            attachment: { type: 'hook_additional_context', content: [`hook ${call}`] },
          });
        const content = `result ${index}.${call}`;
        if (mixed && call === 0) {
          const item = { type: 'tool_result', tool_use_id: `call_${call}`, content };
          session.user([item, { type: 'text', text: `beside ${index}` }]);
          mixed = false;
        } else session.result(`call_${call}`, content, call === 1 ? { is_error: true } : {});
      }
    }
    forks.push(session.text(`msg_${answers}_after`, `after ${index}`));
  }
  for (const kind of kinds) seen[kind] = (seen[kind] ?? 0) + 1;
  return session.toString();
}

/** The history with new entries where a turn may begin, as the dice say. */
function withNews(history: readonly IContent[], dice: readonly number[]): IContent[] {
  if ((dice[0] ?? 0) > 2) return [...history];
  return history.flatMap((entry, index) => {
    const isBeside = entry.metadata?.synthetic === true || entry.metadata?.id?.endsWith('#words');
    const mayBegin = entry.speaker !== 'tool' && !isBeside;
    const isNews = mayBegin && dice[(index + 1) % dice.length] === 5;
    const news: IContent = { speaker: 'human', blocks: [{ type: 'text', text: `new before ${index}` }] };
    return isNews ? [news, entry] : [entry];
  });
}

/** The history with whole pairs removed, results and human words changed, as the dice say. */
function edited(history: readonly IContent[], dice: readonly number[]): IContent[] {
  let throws = 0;
  const next = (): number => dice[throws++ % dice.length] ?? 0;
  const open = new Map<string, boolean>();
  return history.flatMap((entry) => {
    const blocks = entry.blocks.flatMap((block): ContentBlock[] => {
      if (block.type === 'tool_call') {
        const isGone = next() < 3;
        open.set(block.id, isGone);
        return isGone ? [] : [block];
      }
      if (block.type === 'tool_response') {
        if (open.get(block.callId)) return [];
        return next() < 2 ? [{ ...block, result: `[short ${throws}]` }] : [block];
      }
      if (block.type === 'text' && entry.speaker === 'human') {
        const die = next();
        if (die === 0) return [];
        return die === 1 ? [{ ...block, text: `changed ${throws}` }] : [block];
      }
      return [block];
    });
    const isSame = blocks.length === entry.blocks.length && blocks.every((block, at) => block === entry.blocks[at]);
    if (isSame) return [entry];
    return blocks.length > 0 ? [{ ...entry, blocks }] : [];
  });
}
