import { describe, expect, test, vi } from 'vitest';
import type { IContent, ToolResponseBlock } from '../../../../src/content/content.ts';
import { PRUNED_RESULT } from '../../../../src/content/pruned-result.ts';
import type { DensityConfig, DensityResult } from '../../../../src/strategies/contract.ts';
import { HighDensityStrategy } from '../../../../src/strategies/high-density/high-density.ts';
import { applied } from '../../../contracts/strategy.ts';
import { ALL_OFF, ai, call, exchange, human, image, response, tool } from '../../conversation.ts';

const CONFIG: DensityConfig = { ...ALL_OFF, recencyPruning: true };
const optimize = (history: readonly IContent[], more: Partial<DensityConfig> = {}): DensityResult =>
  new HighDensityStrategy().optimize(history, { ...CONFIG, ...more });

const shell = (count: number, from = 0): IContent[] =>
  Array.from({ length: count }, (_, at) => exchange(`s${from + at}`, 'run_shell_command', { command: 'ls' })).flat();

/** The call ids whose result is the pointer after optimising. */
function pointersOf(history: readonly IContent[], more: Partial<DensityConfig> = {}): string[] {
  return applied(history, optimize(history, more))
    .flatMap(({ blocks }) => blocks.filter((block): block is ToolResponseBlock => block.type === 'tool_response'))
    .filter(({ result }) => result === PRUNED_RESULT)
    .map(({ callId }) => callId);
}

describe('recency pruning', () => {
  test('keeps the newest of each tool and points at the rest (REQ-HD-007.1, BR-RECENCY-001, BR-RECENCY-002)', () => {
    const globs = exchange('g', 'glob', { pattern: '*' });
    expect(pointersOf([...globs, ...shell(5)])).toEqual(['s0', 's1']);
    expect(optimize([...globs, ...shell(5)]).metadata.recencyPruned).toBe(2);
  });

  test('the pointer is literal, also where it is longer than what it replaces (REQ-HD-007.2, law 2)', () => {
    expect(PRUNED_RESULT).toBe('[Result pruned — re-run tool to retrieve]');
    const [, answer] = exchange('s', 'run_shell_command', {}, { result: 'ok' });
    expect(optimize([answer!, ...shell(3)]).replacements.get(0)).toEqual({
      ...answer,
      blocks: [{ ...answer!.blocks[0], result: PRUNED_RESULT }],
    });
  });

  test('only the result changes: no call, no response, no other field is removed (REQ-HD-007.3, BR-RECENCY-003)', () => {
    const failed = response('f', 'run_shell_command', {
      error: 'exit 1',
      isComplete: true,
      providerMetadata: { a: 1 },
    });
    const { removals, replacements } = optimize([
      ai(call('f', 'run_shell_command', {})),
      tool(failed, image),
      ...shell(3),
    ]);
    expect(removals).toEqual([]);
    expect([...replacements]).toEqual([[1, tool({ ...failed, result: PRUNED_RESULT }, image)]]);
    expect(replacements.get(1)!.blocks[1]).toBe(image);
  });

  test('nothing happens when switched off (REQ-HD-007.6, BR-RECENCY-004)', () => {
    expect(optimize(shell(9), { recencyPruning: false }).replacements.size).toBe(0);
  });

  test('fewer results than the retention are all kept (EC-030)', () => {
    expect(pointersOf(shell(2))).toEqual([]);
  });

  test.each([0, -4, Number.NaN, 0.9])(
    'a retention of %d acts as 1 (REQ-HD-013.6, BR-RECENCY-005, EC-031, row 31)',
    (recencyRetention) => {
      expect(pointersOf(shell(3), { recencyRetention })).toEqual(['s0', 's1']);
    },
  );

  test('what is not an integer is floored, and infinity keeps all (row 31)', () => {
    expect(pointersOf(shell(3), { recencyRetention: 2.9 })).toEqual(['s0']);
    expect(pointersOf(shell(9), { recencyRetention: Number.POSITIVE_INFINITY })).toEqual([]);
  });

  test('an odd retention is noticed once (row 31)', () => {
    const logger = { debug: vi.fn() };
    const strategy = new HighDensityStrategy({ logger });
    for (const recencyRetention of [3, 0, -1]) strategy.optimize(shell(2), { ...CONFIG, recencyRetention });
    expect(logger.debug.mock.calls).toEqual([
      ['Expected `recencyRetention` to be a whole number of at least 1, got `0`; using 1.'],
    ]);
  });

  test('several responses to one call count each on its own (EC-032, row 7)', () => {
    const history = [
      ai(call('s', 'glob', {})),
      tool(response('s', 'glob', { result: 1 })),
      tool(response('s', 'glob', { result: 2 })),
    ];
    expect(optimize(history, { recencyRetention: 1 }).replacements.has(1)).toBe(true);
    expect(optimize(history, { recencyRetention: 1 }).replacements.has(2)).toBe(false);
  });

  test('a pointer is neither counted nor pruned again; a summary counts (row 5)', () => {
    const pointer = exchange('p', 'run_shell_command', {}, { result: PRUNED_RESULT });
    expect(pointersOf([...shell(3), ...pointer])).toEqual(['p']);
    expect(optimize([...pointer, ...shell(3)]).replacements.size).toBe(0);
    const summary = exchange('m', 'run_shell_command', {}, { result: '[run_shell_command: ls — success]' });
    expect(pointersOf([...summary, ...shell(3)])).toEqual(['m']);
  });

  test('skips what read-write pruning removed, and does not count it (BR-CONFLICT-003, BR-CONFLICT-004, EC-040, row 3)', () => {
    const read = (id: string, path: string) => exchange(id, 'read_file', path);
    const history = [...read('1', 'a.ts'), ...read('2', 'b.ts'), ...exchange('w', 'write_file', 'b.ts')];
    const { removals, replacements, metadata } = optimize(history, { readWritePruning: true, recencyRetention: 1 });
    expect(removals).toEqual([2, 3]);
    expect(replacements.size).toBe(0);
    expect(metadata).toEqual({ readWritePairsPruned: 1, fileDeduplicationsPruned: 0, recencyPruned: 0 });
  });

  test('within one entry the last response is the newest', () => {
    const history = [
      ai(call('1', 'glob', {}), call('2', 'glob', {})),
      tool(response('1', 'glob'), response('2', 'glob')),
    ];
    expect(pointersOf(history, { recencyRetention: 1 })).toEqual(['1']);
  });

  test('human words and responses beside each other do not meet (EC-041)', () => {
    const included = '--- a.ts ---\nold\n--- End of content ---';
    const history = [human('see', included), ...shell(2), human('again', included)];
    const { replacements, metadata } = optimize(history, { fileDedupe: true, recencyRetention: 1 });
    expect([...replacements.keys()]).toEqual([0, 2]);
    expect(metadata).toEqual({ readWritePairsPruned: 0, fileDeduplicationsPruned: 1, recencyPruned: 1 });
  });
});
