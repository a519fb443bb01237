import type { DensityRow, FieldOf } from './density-row.ts';
import type { PHASE_SETTINGS } from './phase-settings.ts';
import type { SettingValue } from './setting-row.ts';

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

export type PhaseAccessors = Accessors<(typeof PHASE_SETTINGS)[number]>;
export type GateAccessors = Accessors<(typeof GATE_SETTINGS)[number]>;
