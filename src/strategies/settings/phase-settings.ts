import type { DensityRow, RowFields } from './density-row.ts';

/** The phases of the specification, each a field of `DensityConfig`. Source: REQ-HD-001.9, REQ-HD-009.1 to 009.4. */
export const PHASE_SETTINGS = [
  {
    key: 'compression.density.readWritePruning',
    flag: '--read-write-pruning <on|off>',
    type: 'boolean',
    default: true,
    help: 'Remove reads of files that are written later.',
  },
  {
    key: 'compression.density.fileDedupe',
    flag: '--file-dedupe <on|off>',
    type: 'boolean',
    default: true,
    help: 'Keep only the latest inclusion of each file.',
  },
  {
    key: 'compression.density.recencyPruning',
    flag: '--recency-pruning <on|off>',
    type: 'boolean',
    default: false,
    help: 'Keep only the newest results of each tool.',
  },
  {
    key: 'compression.density.recencyRetention',
    flag: '--recency-retention <results>',
    type: 'number',
    unit: 'results',
    range: { isInteger: true },
    default: 3,
    help: 'Results of each tool that recency pruning keeps; a value below 1 counts as 1.',
  },
] as const satisfies readonly DensityRow[];

/** Each phase setting as a field. */
export type DensityPhases = RowFields<(typeof PHASE_SETTINGS)[number]>;
