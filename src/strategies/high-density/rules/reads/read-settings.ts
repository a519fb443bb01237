import type { DensityRow, RowFields } from '../../../settings/density-row.ts';

/** When reads beyond the specification are removed, kept or cut. */
export const READ_SETTINGS = [
  {
    key: 'compression.density.partialEdits',
    flag: '--partial-edits <rule>',
    type: 'enum',
    // `keep-last` with `quietCalls`: the read is kept only until its file was left alone for that many model calls.
    // `keep-lines` also removes lines from other reads, once they are read again or changed.
    enumValues: ['prune', 'keep-last', 'keep-lines'],
    default: 'prune',
    help: 'What a partial write does to earlier reads of the file: `prune` removes them, `keep-last` keeps the last read with a line that is still in the file, `keep-lines` keeps only such lines.',
  },
  {
    key: 'compression.density.quietCalls',
    flag: '--quiet-calls <calls>',
    type: 'number',
    unit: 'calls',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'Remove a read of a written file only after this many model calls without a call that uses the file.',
  },
  {
    key: 'compression.density.shellWrites',
    flag: '--shell-writes <on|off>',
    type: 'boolean',
    default: false,
    help: 'Count files that shell commands change (`sed -i`, `mv`, formatters) as written.',
  },
  {
    key: 'compression.density.attachedReads',
    flag: '--attached-reads <on|off>',
    type: 'boolean',
    default: false,
    help: 'Count lines of files that the agent put into user turns as reads of these files.',
  },
  {
    key: 'compression.density.supersededReads',
    flag: '--superseded-reads <on|off>',
    type: 'boolean',
    default: false,
    help: 'Remove reads whose lines all appear in later reads of the same file.',
  },
] as const satisfies readonly DensityRow[];

export type ReadSettings = RowFields<(typeof READ_SETTINGS)[number]>;
