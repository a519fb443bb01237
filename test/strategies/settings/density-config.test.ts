import { describe, expect, test } from 'vitest';
import type { DensityConfig } from '../../../src/strategies/contract.ts';
import { HighDensityStrategy } from '../../../src/strategies/high-density/high-density.ts';
import { answer, call, human } from '../../history/entries.ts';

// The root that relative paths get without a workspace.
const WORK = '/';
const FULL: DensityConfig = {
  readWritePruning: true,
  fileDedupe: true,
  recencyPruning: false,
  recencyRetention: 3,
  workspaceRoot: WORK,
};
const edit = (id: string) =>
  ({
    speaker: 'ai',
    blocks: [{ type: 'tool_call', id, name: 'write_file', parameters: { file_path: 'r.ts', content: 'x' } }],
  }) as const;
const included = '--- a.ts ---\nold\n--- End of content ---';
/** A read that is stale, and more results than recency keeps. */
const history = [
  call('r'),
  answer('r'),
  edit('w'),
  answer('w'),
  human(included),
  human(included),
  ...['1', '2', '3', '4', '5'].flatMap((id) => [call(id), answer(id)]),
];
const optimized = (config: unknown) => new HighDensityStrategy().optimize(history, config as DensityConfig);

describe('a partial configuration (docs/readings.md, row 37)', () => {
  const full = optimized(FULL);

  test('the full one removes something here', () => {
    expect(full.removals.length).toBeGreaterThan(0);
  });

  test.each([
    ['none', undefined],
    ['null', null],
    ['an empty one', {}],
    ['one with the workspace only', { workspaceRoot: WORK }],
    ['one with empty rules', { ...FULL, rules: {} }],
    ['one with absent values', { ...FULL, readWritePruning: undefined, recencyRetention: undefined }],
  ])('%s counts as the defaults of the settings', (_name, config) => {
    expect(optimized(config)).toEqual(full);
  });

  test('absent retention keeps three results', () => {
    const { recencyRetention: _retention, ...rest } = { ...FULL, recencyPruning: true };
    expect(optimized(rest)).toEqual(optimized({ ...rest, recencyRetention: 3 }));
  });

  test('a rule that is given counts, with the others at their defaults', () => {
    const { removals, replacements } = optimized({ workspaceRoot: WORK, rules: { protectedTools: ['read_file'] } });
    expect([...removals, ...replacements.keys()]).not.toContain(0);
  });
});
