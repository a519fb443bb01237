import { CompressionStrategyError } from '../errors.ts';
import type { NumberRow } from '../strategies/settings/setting-row.ts';
import { nearestName } from './nearest-name.ts';
import { type EphemeralSettings, SETTINGS_REGISTRY, type SettingKey, type SettingRow } from './registry.ts';

const ROWS: ReadonlyMap<string, SettingRow> = new Map(SETTINGS_REGISTRY.map((row) => [row.key, row]));

/**
 * The row of a setting.
 * @throws CompressionStrategyError `SETTING_UNKNOWN`, which names the nearest key.
 */
export function settingRow(key: string): SettingRow {
  const row = ROWS.get(key);
  if (row) return row;
  const keys = SETTINGS_REGISTRY.map((known) => known.key);
  throw new CompressionStrategyError(
    `Expected the key of a setting, got ${JSON.stringify(key)}. Did you mean \`${nearestName(key, keys)}\`?`,
    'SETTING_UNKNOWN',
  );
}

/** The value that a typed text means: a number, a boolean or other JSON if it is one, else the text itself. */
export function parseSettingText(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed !== '' && Number.isFinite(Number(trimmed))) return Number(trimmed);
  try {
    return JSON.parse(trimmed);
  } catch {
    return trimmed;
  }
}

/**
 * `value`, checked against the row of its setting.
 * @throws CompressionStrategyError `SETTING_UNKNOWN`; `SETTING_INVALID`, which names the key, the rule, the value and the
 * nearest valid value.
 */
export function checkSetting<Key extends SettingKey>(key: Key, value: unknown): NonNullable<EphemeralSettings[Key]> {
  const row = settingRow(key);
  const fault = (FAULTS[row.type] as (row: SettingRow, value: unknown) => ReturnType<typeof FAULTS.text>)(row, value);
  if (fault === undefined) return value as NonNullable<EphemeralSettings[Key]>;
  throw new CompressionStrategyError(
    `Expected \`${key}\` to be ${fault.rule}, got ${shown(value)}. Nearest valid value: ${fault.nearest}.`,
    'SETTING_INVALID',
  );
}

/**
 * The settings in an unchecked record; undefined values are left out.
 * @throws CompressionStrategyError as `checkSetting`, for the first wrong one.
 */
export function parseSettings(record: Readonly<Record<string, unknown>>): EphemeralSettings {
  const given = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [key, checkSetting(settingRow(key).key, value)]));
}

/** The rule that a value of each type breaks, and the nearest value that does not. */
const FAULTS: {
  readonly [Type in SettingRow['type']]: (
    row: Extract<SettingRow, { readonly type: Type }>,
    value: unknown,
  ) => { readonly rule: string; readonly nearest: string } | undefined;
} = {
  boolean: (row, value) =>
    typeof value === 'boolean' ? undefined : { rule: '`true` or `false`', nearest: String(row.default) },
  enum: ({ enumValues }, value) =>
    enumValues.includes(value as string)
      ? undefined
      : { rule: `one of ${enumValues.join(', ')}`, nearest: nearestName(String(value), enumValues) },
  text: (row, value) =>
    typeof value === 'string' && row.pattern.test(value)
      ? undefined
      : { rule: row.rule, nearest: row.example ?? nearestText(value) },
  number: (row, value) =>
    isInRange(row, value) ? undefined : { rule: describeRange(row), nearest: String(nearestNumber(row, value)) },
};

function isInRange({ range }: NumberRow, value: unknown): boolean {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, isAboveMinimum, isInteger } = range;
  if (typeof value !== 'number' || !(isInteger ? Number.isInteger(value) : Number.isFinite(value))) return false;
  return value <= maximum && (isAboveMinimum ? value > minimum : value >= minimum);
}

/** The rule of a number in words, such as `a number above 0 and at most 1`. */
function describeRange({ range }: NumberRow): string {
  const limits = [
    range.minimum === undefined ? '' : `${range.isAboveMinimum ? 'above' : 'of at least'} ${range.minimum}`,
    range.maximum === undefined ? '' : `at most ${range.maximum}`,
  ];
  return [range.isInteger ? 'a whole number' : 'a number', limits.filter(Boolean).join(' and ')]
    .filter(Boolean)
    .join(' ');
}

/** Nearest value above an excluded minimum that a person would choose. */
const SMALLEST_STEP = 0.01;

function nearestNumber({ range, default: standard }: NumberRow, value: unknown): number {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = range;
  const lowest = range.isAboveMinimum ? minimum + SMALLEST_STEP : minimum;
  const wanted = typeof value === 'number' && Number.isFinite(value) ? value : standard;
  const inRange = Math.min(maximum, Math.max(lowest, wanted ?? lowest));
  return range.isInteger ? Math.round(inRange) : inRange;
}

/** `value` with only the characters that are valid in every name. */
function nearestText(value: unknown): string {
  const kept = String(value)
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return kept.slice(0, 64) || 'my-profile';
}

const shown = (value: unknown): string => `\`${typeof value === 'string' ? JSON.stringify(value) : String(value)}\``;
