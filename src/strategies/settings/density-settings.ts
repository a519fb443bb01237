import { RULES } from '../high-density/rules/index.ts';
import { type DensityRow, densityField, type FieldOf, type RowFields } from './density-row.ts';
import type { PHASE_SETTINGS } from './phase-settings.ts';
import type { SettingValue } from './setting-row.ts';
import { SHARED_SETTINGS } from './shared-settings.ts';

type RuleRow = (typeof RULES)[number]['settings'][number] | (typeof SHARED_SETTINGS)[number];

/** The settings beyond the specification, each a field of `DensityRules`. Every default turns its rule off. */
export const RULE_SETTINGS: readonly RuleRow[] = [
  ...RULES.flatMap(({ settings }): readonly RuleRow[] => settings),
  ...SHARED_SETTINGS,
];

/** What the gate reads, each an optional accessor of `Ephemerals`: `timing` is `densityTiming()`. */
export const GATE_SETTINGS = [
  {
    key: 'compression.density.timing',
    flag: '--timing <rule>',
    type: 'enum',
    enumValues: ['every-turn', 'when-it-pays'],
    default: 'every-turn',
    help: 'When edits are applied: before every send, or once they save more than they cost.',
  },
  {
    key: 'compression.density.cacheMinutes',
    flag: '--cache-minutes <minutes>',
    type: 'number',
    unit: 'minutes',
    range: { minimum: 1, isInteger: true },
    defaultHelp: "the model's own",
    help: "Lifetime of the provider's prompt cache; `when-it-pays` counts the cache as lost after that.",
  },
] as const satisfies readonly DensityRow[];

/** Accessors: `fileDedupe` → `densityFileDedupe()`. */
type Accessors<Rows extends DensityRow> = {
  [Row in Rows as `density${Capitalize<FieldOf<Row>>}`]: () => Row extends { readonly default: unknown }
    ? SettingValue<Row>
    : SettingValue<Row> | undefined;
};

/** How `optimize` prunes beyond the specification: one field for each row of `RULE_SETTINGS`. */
export type DensityRules = RowFields<RuleRow>;

export type PhaseAccessors = Accessors<(typeof PHASE_SETTINGS)[number]>;
export type GateAccessors = Accessors<(typeof GATE_SETTINGS)[number]>;

/** The rules with these values, one for each row. */
export const densityRules = (read: (row: RuleRow) => unknown): DensityRules =>
  Object.fromEntries(RULE_SETTINGS.map((row) => [densityField(row.key), read(row)])) as unknown as DensityRules;

/** Every rule at its default: nothing beyond the specification. */
export const SPECIFIED_RULES = densityRules((row) => ('isList' in row ? [] : row.default));
