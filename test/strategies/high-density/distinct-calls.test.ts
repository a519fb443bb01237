import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAmbiguous, pairCalls } from '../../../src/content/calls/pairing.ts';
import type { ContentBlock, IContent, ToolCallBlock } from '../../../src/content/content.ts';
import type { DensityEdit } from '../../../src/strategies/contract.ts';
import { DistinctCalls } from '../../../src/strategies/high-density/distinct-calls.ts';
import { HighDensityStrategy } from '../../../src/strategies/high-density/high-density.ts';
import { GENERATED_WORKSPACE, generatedHistory } from '../../generated-history.ts';
import { runs } from '../../property-runs.ts';
import { generatedRules } from './generated-rules.ts';

const CONFIG = {
  readWritePruning: true,
  fileDedupe: true,
  recencyPruning: true,
  recencyRetention: 2,
  workspaceRoot: GENERATED_WORKSPACE,
};
const PROGRAM = { providerMetadata: { caller: { type: 'program', caller_id: 'prog_1' } } };
const lines = (name: string): string =>
  Array.from({ length: 100 }, (_, at) => `${name}, line ${at}, with words enough for a note`).join('\n');
const ai = (...blocks: ContentBlock[]): IContent => ({ speaker: 'ai', blocks });
const read = (id: string, file: string, more: Partial<ToolCallBlock> = {}): ToolCallBlock => ({
  type: 'tool_call',
  id,
  name: 'read_file',
  parameters: { file_path: `${GENERATED_WORKSPACE}/${file}` },
  ...more,
});
const write = (id: string, file: string): ToolCallBlock => ({
  type: 'tool_call',
  id,
  name: 'write_file',
  parameters: { file_path: `${GENERATED_WORKSPACE}/${file}`, content: 'new' },
});
const tool = (...results: readonly (readonly [id: string, text: string])[]): IContent => ({
  speaker: 'tool',
  blocks: results.map(([callId, result]) => ({ type: 'tool_response', callId, toolName: 'read_file', result })),
});
const optimize = (history: readonly IContent[], rules = {}) =>
  new HighDensityStrategy().optimize(history, { ...CONFIG, rules });
const places = (edits: readonly DensityEdit[] | undefined): unknown[] =>
  edits!.map(({ entry, block, kind, reason }) => [entry, block, kind, reason.rule]);

/** The history with each call and its results under another id. */
function renamed(history: readonly IContent[], nameOf: (call: number) => string): IContent[] {
  const { calls, responses } = pairCalls(history);
  const copy = history.map((entry) => ({ ...entry, blocks: [...entry.blocks] }));
  const numbers = new Map(calls.map((call, at) => [call, at]));
  for (const { entry, block, call } of calls.map((one) => ({ ...one, call: one })))
    copy[entry]!.blocks[block] = { ...call.call, id: nameOf(numbers.get(call)!) };
  for (const { entry, block, response, call } of responses)
    if (call) copy[entry]!.blocks[block] = { ...response, callId: nameOf(numbers.get(call)!) };
  return copy;
}

describe('the ids of calls', () => {
  test('change nothing in what is pruned', () => {
    fc.assert(
      fc.property(generatedHistory(), generatedRules({ protectedTools: [], protectedPaths: [] }), (history, rules) => {
        fc.pre(!pairCalls(history).calls.some(isAmbiguous));
        const own = renamed(history, (call) => `own_${call}`);
        const expected = optimize(own, rules);
        expect(places(optimize(history, rules).edits)).toEqual(places(expected.edits));
        const found = renamed(optimizeInto(history, rules), (call) => `${call}`);
        expect(found).toEqual(renamed(optimizeInto(own, rules), (call) => `${call}`));
      }),
      { numRuns: runs(300) },
    );
  });

  test('may be one for all calls whose results come before the next answer, in their order', () => {
    const story = (id: (call: number) => string): IContent[] => [
      ai(read(id(1), 'a.ts'), read(id(2), 'b.ts')),
      tool([id(1), lines('a')], [id(2), lines('b')]),
      ai(write(id(3), 'b.ts')),
      tool([id(3), 'ok']),
      ai(read(id(4), 'a.ts')),
      tool([id(4), lines('a')]),
    ];
    const rules = { supersededReads: true, repeatedLines: 5 };
    const expected = places(optimize(story(String), rules).edits);
    expect(expected.length).toBeGreaterThan(0);
    for (const id of [() => 'call_0', () => '', (call: number) => (call < 3 ? 'd' : `d${call}`)])
      expect(places(optimize(story(id), rules).edits)).toEqual(expected);
  });

  test('are those of the history in edits and replacements', () => {
    const history = [
      ai(read('d', 'a.ts')),
      tool(['d', 'x']),
      ai(read('d', 'a.ts')),
      tool(['d', 'x']),
      ai(read('d', 'a.ts')),
    ];
    const { replacements, edits } = optimize(history, { resultCalls: 1 });
    const ids = [...replacements.values()].flatMap(({ blocks }) =>
      blocks.flatMap((block) => ('callId' in block ? block.callId : [])),
    );
    expect(new Set([...ids, ...JSON.stringify(edits).matchAll(/"callId":"([^"]*)"/g)].map(String))).not.toContain(
      'd_2',
    );
  });
});

/** What is left of a history after its edits. */
function optimizeInto(history: readonly IContent[], rules: object): IContent[] {
  const { removals, replacements } = optimize(history, rules);
  const removed = new Set(removals);
  return history.map((entry, at) => replacements.get(at) ?? entry).filter((_, at) => !removed.has(at));
}

test('calls of one answer with one id and a missing result are left alone', () => {
  const history = [
    ai(read('d', 'a.ts'), read('d', 'b.ts')),
    tool(['d', lines('a')]),
    ai(write('w', 'a.ts'), write('w2', 'b.ts')),
    tool(['w', 'ok'], ['w2', 'ok']),
    ai(read('r', 'a.ts')),
    tool(['r', lines('a')]),
  ];
  expect(pairCalls(history).calls.filter(isAmbiguous)).toHaveLength(2);
  const { edits } = optimize(history, { repeatedLines: 5, resultCalls: 1 });
  expect(edits!.map(({ entry }) => entry).filter((entry) => entry < 2 || entry > 3)).toEqual([]);
});

describe('what a program gets', () => {
  const rules = { repeatedLines: 5, supersededReads: true, resultCalls: 1 };

  test('is not changed when it is new, nor later', () => {
    const history = [
      ai(read('m', 'a.ts')),
      tool(['m', lines('a')]),
      ai(read('p', 'a.ts', PROGRAM)),
      tool(['p', lines('a')]),
    ];
    expect(places(optimize(history, rules).edits)).toEqual([]);
    const later = [...history, ai(write('w', 'a.ts')), tool(['w', 'ok']), ai(), ai(), ai(), ai()];
    const edited = new Set(optimize(later, rules).edits!.map(({ entry }) => entry));
    expect([edited.has(1), edited.has(2), edited.has(3)]).toEqual([true, false, false]);
  });

  test('is not shown to the model: it makes no other result a repeat, nor a read superseded', () => {
    const history = [
      ai(read('p', 'a.ts', PROGRAM)),
      tool(['p', lines('a')]),
      ai(read('m', 'a.ts')),
      tool(['m', lines('a')]),
    ];
    expect(places(optimize(history, rules).edits)).toEqual([]);
    const reversed = [...history.slice(2), ...history.slice(0, 2), ai({ type: 'text', text: 'Done.' })];
    expect(places(optimize(reversed, { supersededReads: true }).edits)).toEqual([]);
  });

  test.each([
    ['its result says so, and its call is not there', PROGRAM],
    [
      'a provider of the AI SDK says so',
      { providerMetadata: { anthropic: { caller: { type: 'code_execution_20260120' } } } },
    ],
  ])('is left alone if %s', (_, facts) => {
    const entry = tool(['p', lines('a')]);
    const result = { ...entry!, blocks: entry!.blocks.map((block) => ({ ...block, ...facts })) };
    const history = [ai(read('m', 'a.ts')), tool(['m', lines('a')]), ai(read('p', 'a.ts')), result];
    expect(places(optimize(history, rules).edits)).toEqual([]);
  });

  test('is pruned as another result if the caller is direct', () => {
    const direct = { providerMetadata: { caller: { type: 'direct' } } };
    const history = [
      ai(read('m', 'a.ts')),
      tool(['m', lines('a')]),
      ai(read('p', 'a.ts', direct)),
      tool(['p', lines('a')]),
    ];
    expect(places(optimize(history, { repeatedLines: 5 }).edits)).toEqual([[3, 0, 'replace', 'repeatedLines']]);
  });
});

test('a history with an id for each call is seen as the same list', () => {
  const history = [ai(read('a', 'a.ts')), tool(['a', 'x'])];
  expect(new DistinctCalls().of(history).entries).toBe(history);
});
