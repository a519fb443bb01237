import { densityField, type RowFields } from './density-row.ts';
import { RULE_ROWS, type RuleRow } from './rule-rows.ts';
import { SHARED_SETTINGS } from './shared-settings.ts';

type Row = RuleRow | (typeof SHARED_SETTINGS)[number];

/** The settings beyond the specification, each a field of `DensityRules`. Every default turns its rule off. */
export const RULE_SETTINGS: readonly Row[] = [...RULE_ROWS, ...SHARED_SETTINGS];

/** How `optimize` prunes beyond the specification: one field for each row of `RULE_SETTINGS`. */
export type DensityRules = RowFields<Row>;

/** The rules with these values, one for each row. */
export const densityRules = (read: (row: Row) => unknown): DensityRules =>
  Object.fromEntries(RULE_SETTINGS.map((row) => [densityField(row.key), read(row)])) as unknown as DensityRules;

/** Every rule at its default: nothing beyond the specification. */
export const SPECIFIED_RULES = densityRules((row) => ('isList' in row ? [] : row.default));
