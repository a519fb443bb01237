import type { SettingRow, SettingValue } from './setting-row.ts';

/** A setting of pruning. */
export type DensityRow = SettingRow<`compression.density.${string}`>;

/** `compression.density.fileDedupe` → `fileDedupe`. */
export type FieldOf<Row extends DensityRow> = Row extends { readonly key: `compression.density.${infer Field}` }
  ? Field
  : never;

/** A field for each row. */
export type RowFields<Row extends DensityRow> = {
  readonly [One in Row as FieldOf<One>]: One extends { readonly isList: true } ? readonly string[] : SettingValue<One>;
};

/** The field that a density setting is read by. */
export const densityField = (key: DensityRow['key']): string => key.slice('compression.density.'.length);
