import { describe, expect, test, vi } from 'vitest';
import type { IContent, ThinkingBlock } from '../../../../src/content/content.ts';
import { VOCABULARIES } from '../../../../src/content/vocabularies/index.ts';
import type { DensityConfig, DensityResult, StrategyOptions } from '../../../../src/strategies/contract.ts';
import { HighDensityStrategy } from '../../../../src/strategies/high-density/high-density.ts';
import { ALL_OFF, ai, call, exchange, human, image, response, text, tool } from '../../conversation.ts';

const CONFIG: DensityConfig = { ...ALL_OFF, readWritePruning: true };
const FAILED = { error: 'string to replace not found' };

const optimize = (history: readonly IContent[], options: StrategyOptions = {}): DensityResult =>
  new HighDensityStrategy(options).optimize(history, CONFIG);

const removalsOf = (...parts: (IContent | IContent[])[]): readonly number[] => optimize(parts.flat()).removals;
const prunedOf = (...parts: (IContent | IContent[])[]): number => optimize(parts.flat()).metadata.readWritePairsPruned;

const read = (id: string, path = 'a.ts'): IContent[] => exchange(id, 'read_file', path);
const write = (id: string, path = 'a.ts', more = {}): IContent[] => exchange(id, 'write_file', path, more);

describe('read-write pruning', () => {
  test('finds a read whose file is written later, and removes call and response (REQ-HD-005.1, REQ-HD-005.6, BR-PRUNE-001, BR-PRUNE-002)', () => {
    const history = [human('hi'), ...read('r'), ...write('w')];
    const { removals, replacements, metadata } = optimize(history);
    expect(removals).toEqual([1, 2]);
    expect(replacements.size).toBe(0);
    expect(metadata).toEqual({ readWritePairsPruned: 1, fileDeduplicationsPruned: 0, recencyPruned: 0 });
  });

  test.each(['read_file', 'read_line_range', 'ast_read_file', 'read_many_files'])(
    '%s is a read (REQ-HD-005.2)',
    (name) => {
      expect(removalsOf(exchange('r', name, { path: 'a.ts' }), write('w'))).toEqual([0, 1]);
    },
  );

  test.each(['write_file', 'ast_edit', 'replace', 'insert_at_line', 'delete_line_range'])(
    '%s is a write (REQ-HD-005.3)',
    (name) => {
      expect(removalsOf(read('r'), exchange('w', name, { absolute_path: '/repo/a.ts' }))).toEqual([0, 1]);
    },
  );

  test('Edit is no write for the default vocabulary, and one for that of Claude Code (row 26)', () => {
    const history = [
      ...exchange('r', 'Read', { file_path: '/repo/a.ts' }),
      ...exchange('w', 'Edit', { file_path: '/repo/a.ts' }),
    ];
    expect(optimize(history).removals).toEqual([]);
    const vocabulary = VOCABULARIES.get('claude-code')!;
    expect(optimize(history, { vocabulary }).removals).toEqual([0, 1]);
  });

  test('keys are tried in the order of the requirement (REQ-HD-005.4)', () => {
    const parameters = { path: 'other.ts', absolute_path: '/other.ts', file_path: 'a.ts' };
    expect(removalsOf(exchange('r', 'read_file', parameters), write('w'))).toEqual([0, 1]);
    expect(removalsOf(exchange('r', 'read_file', parameters), write('w', 'other.ts'))).toEqual([]);
  });

  test('compares normalised paths without folding case (REQ-HD-005.5, BR-PRUNE-005)', () => {
    expect(removalsOf(read('r', './src/../a.ts'), write('w', '/repo//a.ts'))).toEqual([0, 1]);
    expect(removalsOf(read('r', 'A.ts'), write('w', 'a.ts'))).toEqual([]);
  });

  test('relative paths start at the workspace root, not at the working directory (REQ-HD-005.11, BR-PRUNE-006)', () => {
    expect(removalsOf(read('r', 'a.ts'), write('w', '/repo/a.ts'))).toEqual([0, 1]);
    expect(removalsOf(read('r', 'a.ts'), write('w', `${process.cwd()}/a.ts`))).toEqual([]);
  });

  test('keeps reads after the latest write (REQ-HD-005.7, BR-PRUNE-003)', () => {
    expect(removalsOf(write('w'), read('r'))).toEqual([]);
  });

  test('keeps a read without a later write (EC-010)', () => {
    expect(removalsOf(read('r'), write('w', 'b.ts'))).toEqual([]);
  });

  test('removes every read before the write (EC-011)', () => {
    expect(removalsOf(read('1'), read('2'), write('w'))).toEqual([0, 1, 2, 3]);
    expect(prunedOf(read('1'), read('2'), write('w'))).toBe(2);
  });

  test('a read between two writes is stale, one after both is not (EC-012)', () => {
    expect(removalsOf(write('1'), read('r'), write('2'), read('s'))).toEqual([2, 3]);
  });

  test('takes only the stale calls and responses out of an entry (REQ-HD-005.8, BR-PRUNE-004, EC-013)', () => {
    const calls = [call('1', 'read_file', 'a.ts'), call('2', 'read_file', 'b.ts'), call('3', 'glob', { pattern: '*' })];
    const answers = [response('1', 'read_file'), response('2', 'read_file'), response('3', 'glob')];
    const { removals, replacements, metadata } = optimize([ai('on it', ...calls), tool(...answers), ...write('w')]);
    expect(removals).toEqual([]);
    expect([...replacements]).toEqual([
      [0, ai('on it', calls[1]!, calls[2]!)],
      [1, tool(answers[1]!, answers[2]!)],
    ]);
    expect(replacements.get(0)!.blocks[1]).toBe(calls[1]);
    expect(metadata.readWritePairsPruned).toBe(1);
  });

  test('an entry that loses its last block, or all but blank text, is removed (EC-053, row 10)', () => {
    expect(
      removalsOf([ai('\n\n', call('r', 'read_file', 'a.ts')), tool(response('r', 'read_file'))], write('w')),
    ).toEqual([0, 1]);
  });

  test('thinking is kept byte for byte, signature included (row 11)', () => {
    const thinking: ThinkingBlock = { type: 'thinking', thought: 'hm', signature: 'c2ln', sourceField: 'thinking' };
    const { replacements } = optimize([
      ai(thinking, call('r', 'read_file', 'a.ts')),
      tool(response('r', 'read_file')),
      ...write('w'),
    ]);
    expect(replacements.get(0)!.blocks).toEqual([thinking]);
    expect(replacements.get(0)!.blocks[0]).toBe(thinking);
  });

  test('read_many_files is removed when all its concrete paths are written and it has no glob (REQ-HD-005.9, EC-015)', () => {
    const many = exchange('r', 'read_many_files', { paths: ['a.ts', 'b.ts'] });
    expect(removalsOf(many, write('1', 'a.ts'), write('2', 'b.ts'))).toEqual([0, 1]);
  });

  test('read_many_files is kept with a glob or a path that is not written (REQ-HD-005.9, EC-014)', () => {
    expect(removalsOf(exchange('r', 'read_many_files', { paths: ['a.ts', 'b.ts'] }), write('w'))).toEqual([]);
    for (const glob of ['*.ts', 'src/?.ts', '**']) {
      expect(removalsOf(exchange('r', 'read_many_files', { paths: ['a.ts', glob] }), write('w'))).toEqual([]);
    }
  });

  test('nothing is pruned when switched off (REQ-HD-005.10)', () => {
    const { removals, replacements } = new HighDensityStrategy().optimize([...read('r'), ...write('w')], ALL_OFF);
    expect([removals.length, replacements.size]).toEqual([0, 0]);
  });

  test('a failed, cancelled or preview write makes nothing stale; one without a response does (row 2)', () => {
    expect(removalsOf(read('r'), write('w', 'a.ts', FAILED))).toEqual([]);
    expect(removalsOf(read('r'), write('w', 'a.ts', { providerMetadata: { status: 'cancelled' } }))).toEqual([]);
    expect(removalsOf(read('r'), write('w', 'a.ts', { providerMetadata: { status: 'preview' } }))).toEqual([]);
    expect(removalsOf(read('r'), write('w', 'a.ts', { result: 'Error: nothing written' }))).toEqual([0, 1]);
    expect(removalsOf(read('r'), ai(call('w', 'write_file', 'a.ts')))).toEqual([0, 1]);
  });

  test('a failed write does not hide an earlier one that happened', () => {
    expect(removalsOf(read('r'), write('1'), write('2', 'a.ts', FAILED))).toEqual([0, 1]);
  });

  test('read and write in one ai entry: the read is not stale (row 2)', () => {
    const both = ai(call('r', 'read_file', 'a.ts'), call('w', 'write_file', 'a.ts'));
    expect(removalsOf(both, tool(response('r', 'read_file')), tool(response('w', 'write_file')))).toEqual([]);
  });

  test('with reused ids each response is removed with the call it answers (row 7)', () => {
    const history = [...read('x', 'keep.ts'), ...read('x', 'a.ts'), ...write('x', 'a.ts')];
    expect(optimize(history).removals).toEqual([2, 3]);
  });

  test('a further response to a removed call is removed with it, and is no second pair (row 7)', () => {
    const history = [...read('r'), tool(response('r', 'read_file')), ...write('w')];
    expect(optimize(history).removals).toEqual([0, 1, 2]);
    expect(optimize(history).metadata.readWritePairsPruned).toBe(1);
  });

  test('images and text of a removed response are removed with it, those of others are kept (row 7)', () => {
    const other = response('o', 'glob');
    const both = ai(call('r', 'read_file', 'a.png'), call('o', 'glob', { pattern: '*' }));
    const answers = tool(response('r', 'read_file'), image, text('a page'), other, image);
    const { replacements } = optimize([both, answers, ...write('w', 'a.png')]);
    expect(replacements.get(1)!.blocks).toEqual([other, image]);
    expect(
      removalsOf([ai(call('r', 'read_file', 'a.png')), tool(response('r', 'read_file'), image)], write('w', 'a.png')),
    ).toEqual([0, 1]);
  });

  test('a response in a human entry is removed without the words beside it (law 4)', () => {
    const mixed = human(response('r', 'read_file'), text('and mind the tests'), image);
    const { removals, replacements } = optimize([ai(call('r', 'read_file', 'a.ts')), mixed, ...write('w')]);
    expect(removals).toEqual([0]);
    expect(replacements.get(1)!.blocks).toEqual([text('and mind the tests'), image]);
  });

  test('an unanswered read is unchanged', () => {
    expect(removalsOf(ai(call('r', 'read_file', 'a.ts')), human('stop'), write('w'))).toEqual([]);
  });

  test('a patch over several files makes all of them stale', () => {
    const vocabulary = VOCABULARIES.get('codex')!;
    const patch = '*** Begin Patch\n*** Update File: a.ts\n*** Move to: c.ts\n*** Delete File: b.ts\n*** End Patch';
    const history = [
      ...exchange('1', 'exec_command', { cmd: "sed -n '1,80p' a.ts && cat b.ts" }),
      ...exchange('2', 'exec_command', { cmd: 'cat a.ts d.ts' }),
      ...exchange('3', 'exec_command', { cmd: 'cat a.ts && npm test' }),
      ...exchange('w', 'apply_patch', JSON.parse(JSON.stringify({ input: patch }))),
    ];
    expect(optimize(history, { vocabulary }).removals).toEqual([0, 1]);
  });

  test('calls with parameters it cannot read are skipped and logged, not thrown at (REQ-HD-013.5, EC-016, EC-050, EC-051, EC-052)', () => {
    const logger = { debug: vi.fn() };
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const odd = [null, '"a.ts"', { file_path: '' }, { nothing: 1 }, circular];
    const history = [...odd.flatMap((parameters, at) => exchange(`r${at}`, 'read_file', parameters)), ...write('w')];
    expect(optimize(history, { logger }).removals).toEqual([]);
    expect(logger.debug.mock.calls.map(([, details]) => details.callId)).toEqual(['r0', 'r1', 'r2', 'r3', 'r4']);
    expect(logger.debug.mock.calls[0]![1]).toEqual({ tool: 'read_file', callId: 'r0', entry: 0 });
  });
});
