import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../src/content/content.ts';
import { PRUNED_RESULT } from '../../src/content/pruned-result.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { formatNamed, SESSION_FORMATS } from '../../src/formats/index.ts';
import { decode, joinLines, linesOf, linesOfText } from '../../src/formats/lines/lines.ts';
import { removalStep, restoredHistory } from '../../src/sessions/removal-step.ts';
import { restoredSession } from '../../src/sessions/restored-session.ts';
import { rewritten as smallerFile } from '../../src/sessions/rewritten.ts';
import { HighDensityStrategy } from '../../src/strategies/high-density/high-density.ts';
import { historyOf, rewritten, spoken } from '../contracts/format.ts';
import { applied } from '../contracts/strategy.ts';
import { SAMPLES } from '../formats/samples.ts';
import { GENERATED_WORKSPACE, generatedHistory } from '../generated-history.ts';
import { runs } from '../property-runs.ts';

const human = (text: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text }] });
const removedFrom = (before: readonly IContent[], after: readonly IContent[]): IContent[] =>
  before.filter((entry) => !after.includes(entry));

/** Entries as read from a transcript: equal entries, but not the same objects, and without their ids. */
const copied = (entries: readonly IContent[]): IContent[] =>
  entries.map(({ speaker, blocks }) => structuredClone({ speaker, blocks }));

describe('a step', () => {
  test('is undone by position: kept entries keep their identity, entries added since are after them', () => {
    const a = human('a');
    const b = human('b');
    const c = human('c');
    const d = human('d');
    const e = human('e');
    const summary = human('summary');
    const step = removalStep([a, b, c, d], [a, summary, d]);
    expect(step).toMatchObject({
      entriesBefore: 4,
      entriesAfter: 3,
      kept: [
        [0, 0, 1],
        [3, 2, 1],
      ],
    });
    const restored = restoredHistory([a, summary, d, e], step, copied([b, c]));
    expect(restored).toEqual([a, b, c, d, e]);
    expect([restored[0], restored[3], restored[4]].every((entry, index) => entry === [a, d, e][index])).toBe(true);
  });

  test.each<[string, IContent[], IContent[]]>([
    ['another session', [human('x'), human('c')], [human('b')]],
    ['one that is shorter', [human('a')], [human('b')]],
    ['a transcript that lost an entry', [human('a'), human('c')], []],
    ['a transcript with too much', [human('a'), human('c')], [human('b'), human('d')]],
  ])('is not undone in %s', (_what, now, removed) => {
    const a = human('a');
    const b = human('b');
    const c = human('c');
    const step = removalStep([a, b, c], [a, c]);
    expect(restoredHistory([human('a'), human('c')], step, [human('b')])).toEqual([a, b, c]);
    expect(() => restoredHistory(now, step, removed)).toThrowError(
      expect.objectContaining({ code: 'HISTORY_CHANGED' }),
    );
  });

  test('of the strategy that prunes is undone exactly in generated histories', () => {
    const config = {
      readWritePruning: true,
      fileDedupe: true,
      recencyPruning: true,
      recencyRetention: 1,
      workspaceRoot: GENERATED_WORKSPACE,
    };
    fc.assert(
      fc.property(generatedHistory(), fc.array(fc.constant(human('since'))), (before, since) => {
        const after = applied(before, new HighDensityStrategy().optimize(before, config));
        const written = JSON.parse(JSON.stringify(removalStep(before, after)));
        const restored = restoredHistory([...after, ...since], written, copied(removedFrom(before, after)));
        expect(spoken(restored)).toEqual(spoken([...before, ...since]));
      }),
      { numRuns: runs(1000) },
    );
  });
});

/** Histories as steps leave them: without the first pair, with every result shorter, with a summary at the start. */
function shorterOnes(history: readonly IContent[]): Map<string, IContent[]> {
  const call = history.flatMap(({ blocks }) => blocks).find(({ type }) => type === 'tool_response');
  const callId = call?.type === 'tool_response' ? call.callId : '';
  const withoutPair = history.flatMap((entry) => {
    const blocks = entry.blocks.filter(
      (block) =>
        !(block.type === 'tool_call' && block.id === callId) &&
        !(block.type === 'tool_response' && block.callId === callId),
    );
    if (blocks.length === entry.blocks.length) return [entry];
    return blocks.length === 0 ? [] : [{ ...entry, blocks }];
  });
  const short = history.map((entry) =>
    entry.blocks.some(({ type }) => type === 'tool_response')
      ? {
          ...entry,
          blocks: entry.blocks.map((block) => (block.type === 'tool_response' ? { ...block, result: 'gone' } : block)),
        }
      : entry,
  );
  return new Map([
    ['a pair removed', withoutPair],
    ['results shortened', short],
  ]);
}

/** The history with every result pruned but the last. */
const prunedOnes = (history: readonly IContent[]): IContent[] => {
  const last = history.findLast(({ speaker }) => speaker === 'tool');
  return history.map((entry) =>
    entry.speaker === 'tool' && entry !== last && entry.blocks.every(({ type }) => type !== 'media')
      ? {
          ...entry,
          blocks: entry.blocks.map((block) =>
            block.type === 'tool_response' && block.error === undefined ? { ...block, result: PRUNED_RESULT } : block,
          ),
        }
      : entry,
  );
};

describe('entries hidden by a flag of the agent are restored when the flag is removed', () => {
  const undone = (name: string, text: string, after: readonly IContent[]): { smaller: string; restored: string } => {
    const format = formatNamed(name);
    const before = historyOf(format, text);
    const smaller = rewritten(format, text, after);
    const { pieces } = restoredSession(
      { format, lines: linesOfText(smaller), now: historyOf(format, smaller) },
      { step: removalStep(before, after), removed: copied(removedFrom(before, after)) },
    );
    return { smaller, restored: decode(joinLines(pieces)) };
  };

  test.each([
    ['opencode', '"compacted":', (text: string) => text],
    ['claude-code', 'microcompact_boundary', (text: string) => text.replaceAll('2.1.40', '2.1.12')],
  ])('pruned results of %s (%s)', (name, flag, change) => {
    const [sample = ''] = SAMPLES[name]?.texts ?? [];
    const text = change(sample);
    const { smaller, restored } = undone(name, text, prunedOnes(historyOf(formatNamed(name), text)));
    expect([text.includes(flag), smaller.includes(flag)]).toEqual([false, true]);
    expect(spoken(historyOf(formatNamed(name), restored))).toEqual(spoken(historyOf(formatNamed(name), text)));
    if (name === 'opencode') expect(restored).toBe(text);
  });

  test('entries that a summary of Roo Code replaced, unchanged except for the trace of the flag', () => {
    const [text = ''] = SAMPLES['cline']?.texts ?? [];
    const before = historyOf(formatNamed('cline'), text);
    const summary: IContent = {
      speaker: 'human',
      blocks: [{ type: 'text', text: 'So far.' }],
      metadata: { isSummary: true },
    };
    const { smaller, restored } = undone('cline', text, [summary, ...before.slice(-2)]);
    expect(smaller).toContain('"condenseParent"');
    expect(spoken(historyOf(formatNamed('cline'), restored))).toEqual(spoken(before));
    expect(restored).not.toContain('So far.');
    const bare = (file: string): string => file.replaceAll(/,\s*"condenseParent":"[^"]*"/g, '').replaceAll(/\s/g, '');
    expect(bare(restored)).toBe(bare(text));
  });
});

/** The history as a model reads it: a server's own calls may be restored as text. */
const said = (history: readonly IContent[]) =>
  spoken(history).map(({ speaker, blocks }) => ({
    speaker,
    blocks: blocks.map((block) => {
      if (block.type === 'code') return { type: 'text', text: `\`\`\`${block.language ?? ''}\n${block.code}\n\`\`\`` };
      if (block.type !== 'tool_response') return block;
      const result = typeof block.result === 'string' ? block.result : JSON.stringify(block.result);
      return { ...block, result, providerMetadata: undefined };
    }),
  }));

describe.each(
  SESSION_FORMATS.filter(({ write, name }) => write !== undefined && !SAMPLES[name]?.hasNoCalls).map(
    (format) => [format.name, format] as const,
  ),
)('in a session of %s', (name, format) => {
  const texts = SAMPLES[name]?.texts ?? [];

  test.each(['a pair removed', 'results shortened'])('%s is undone, and the file says what it said', (what) => {
    expect(texts.length).toBeGreaterThan(0);
    let steps = 0;
    for (const text of texts) {
      const before = historyOf(format, text);
      const after = shorterOnes(before).get(what)!;
      const removed = removedFrom(before, after);
      if (removed.length === 0) continue;
      const smaller = rewritten(format, text, after);
      const now = historyOf(format, smaller);
      const step = removalStep(before, after);
      const { pieces } = restoredSession(
        { format, lines: linesOfText(smaller), now },
        { step, removed: copied(removed) },
      );
      const restored = historyOf(format, decode(joinLines(pieces)));
      expect(said(restored)).toEqual(said(before));
      steps++;
    }
    expect(steps).toBeGreaterThan(0);
  });

  test('an answer of which nothing but thinking was left is undone, whether the file keeps that or not', () => {
    const history: IContent[] = [
      human('Look.'),
      {
        speaker: 'ai',
        blocks: [
          { type: 'thinking', thought: 'First.', sourceField: 'thinking', signature: 'c2ln' },
          { type: 'tool_call', id: 'c1', name: 'read', parameters: { path: 'a' } },
        ],
        metadata: { model: 'claude-sonnet-4-5' },
      },
      { speaker: 'tool', blocks: [{ type: 'tool_response', callId: 'c1', toolName: 'read', result: 'A' }] },
      { speaker: 'ai', blocks: [{ type: 'text', text: 'Seen.' }] },
    ];
    const lines = [...format.create!(history, { id: 's', model: 'claude-sonnet-4-5', startedAt: 0 })];
    const session = format.read(lines);
    const before = liveHistory(session);
    const isCall = ({ type }: ContentBlock): boolean => type === 'tool_call';
    const after = before
      .filter(({ speaker }) => speaker !== 'tool')
      .map((entry) =>
        entry.blocks.some(isCall) ? { ...entry, blocks: entry.blocks.filter((block) => !isCall(block)) } : entry,
      );
    const { step, pieces } = smallerFile({ session, format, lines }, after);
    const smaller = linesOf(() => pieces);
    const now = liveHistory(format.read(smaller));
    expect(now.length).toBe(step.entriesAfter);
    const { pieces: back } = restoredSession(
      { format, lines: smaller, now },
      { step, removed: copied(removedFrom(before, after)) },
    );
    expect(said(historyOf(format, decode(joinLines(back))))).toEqual(said(before));
  });
});
