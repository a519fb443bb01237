import { type Command, InvalidArgumentError, Option } from 'commander';
import { CompressionStrategyError } from '../../errors.ts';
import { nearestName } from '../../settings/nearest-name.ts';
import { checkSetting, parseSettingText, settingRow } from '../../settings/parse.ts';
import { RECOMMENDED } from '../../settings/recommended.ts';
import {
  type EphemeralSettings,
  SETTINGS_REGISTRY,
  type SettingKey,
  type SettingRow,
} from '../../settings/registry.ts';
import { GATE_SETTINGS } from '../../strategies/settings/gate-settings.ts';
import { PHASE_SETTINGS } from '../../strategies/settings/phase-settings.ts';
import { RULE_SETTINGS } from '../../strategies/settings/rule-settings.ts';
import { SHAPING_SETTINGS } from '../../strategies/settings/shaping-settings.ts';
import { SHARED_SETTINGS } from '../../strategies/settings/shared-settings.ts';

const keysOf = (rows: readonly { readonly key: SettingKey }[]): SettingKey[] => rows.map(({ key }) => key);

export const ALL_SETTINGS = keysOf(SETTINGS_REGISTRY);

/** Settings of every command that plays a session through the gate. */
export const PLAY_SETTINGS: readonly SettingKey[] = [
  'compression.strategy',
  'compression.profile',
  'compression.engine',
  'context-limit',
  'compression-threshold',
  'compression-preserve-threshold',
];

/** Settings that choose what `optimize` removes. */
export const PRUNING_SETTINGS = keysOf([...PHASE_SETTINGS, ...RULE_SETTINGS]);

/** Settings that choose the form in which a new result is sent. */
export const FORM_SETTINGS = keysOf([...SHAPING_SETTINGS, ...SHARED_SETTINGS]);

/** Settings that choose when the gate prunes. */
export const TIMING_SETTINGS = keysOf(GATE_SETTINGS);

const SHAPING = new Set<SettingKey>(keysOf(SHAPING_SETTINGS));
/** What `--no-shape` sets. */
const NO_SHAPE: EphemeralSettings = Object.fromEntries(SHAPING_SETTINGS.map((row) => [row.key, row.default]));

/** Adds `--no-shape`. */
export const shapeOption = (command: Command): Command =>
  command.option('--no-shape', 'give new results no shorter form');

/** Adds `--cache-marks` and its opposite, which are the setting of that name. */
export const cacheMarksOption = (command: Command): Command =>
  command
    .option('--cache-marks', 'add what requests lack for the prompt cache')
    .option('--no-cache-marks', 'add nothing new of these, whatever the setting says');

/** Adds `--keep-warm` and its opposite, which are the setting of that name. */
export const keepWarmOption = (command: Command): Command =>
  command
    .option('--keep-warm', 'keep the prompt cache in pauses; with an API key only')
    .option('--no-keep-warm', 'do not, whatever the setting `keep-warm` says');

/** Parses `200000`, `200k` or `1M` to a whole number of tokens. @throws InvalidArgumentError below 1 */
function parseTokens(text: string): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(text.replaceAll(/[_,](?=\d)/g, '')) ?? [];
  const scale = unit === '' ? 1 : unit?.toLowerCase() === 'k' ? 1_000 : 1_000_000;
  const tokens = Math.round(Number(digits) * scale);
  if (digits === undefined || tokens < 1) throw new InvalidArgumentError('Expected tokens such as 200000, 200k or 1M.');
  return tokens;
}

function parsedValue(row: SettingRow, text: string): unknown {
  if (row.type === 'boolean') return text.toLowerCase() === 'on';
  if (row.type === 'enum' || row.type === 'text') return text;
  return row.key === 'context-limit' ? parseTokens(text) : parseSettingText(text);
}

function parsed(row: SettingRow, text: string, values: readonly string[]): unknown {
  if (values.length > 0 && !values.includes(text.toLowerCase())) {
    throw new InvalidArgumentError(
      `Expected one of ${values.join(', ')}. Did you mean "${nearestName(text, values)}"?`,
    );
  }
  try {
    return checkSetting(row.key, parsedValue(row, text));
  } catch (error) {
    if (error instanceof CompressionStrategyError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

function defaultOf(row: SettingRow): string {
  const value = RECOMMENDED[row.key] ?? row.default;
  if (row.type === 'boolean') return value ? 'on' : 'off';
  return String(value ?? row.defaultHelp);
}

const shortened = (help: string): string => help.charAt(0).toLowerCase() + help.slice(1).replace(/\.$/, '');

/** Adds one option per setting, and `--no-shape` for those that it turns off. `also` lists values that this command accepts in addition to those of the row. */
export function settingOptions(
  command: Command,
  keys: readonly SettingKey[],
  also: Partial<Record<SettingKey, readonly string[]>> = {},
): Command {
  for (const key of keys) {
    const row = settingRow(key);
    const extra = also[key] ?? [];
    const values = row.type === 'boolean' ? ['on', 'off'] : row.type === 'enum' ? [...row.enumValues, ...extra] : [];
    const option = new Option(row.flag, `${shortened(row.help)} (default: ${defaultOf(row)})`);
    option.argParser((text) => (extra.includes(text) ? text : parsed(row, text, values)));
    // For help and completion. `choices()` would replace the registry's check by its own.
    if (values.length > 0) option.argChoices = values;
    command.addOption(option);
  }
  return keys.some((key) => SHAPING.has(key)) ? shapeOption(command) : command;
}

/** The settings given on the command line. One that is named counts more than `--no-shape`. */
export function settingsOf(options: Readonly<Record<string, unknown>>): EphemeralSettings {
  const values = SETTINGS_REGISTRY.map(({ key, flag }) => [key, options[new Option(flag).attributeName()]]);
  const given = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  return options['shape'] === false ? { ...NO_SHAPE, ...given } : given;
}
