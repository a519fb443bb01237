import { type Command, InvalidArgumentError, Option } from 'commander';
import { CompressionStrategyError } from '../../errors.ts';
import { nearestName } from '../../settings/nearest-name.ts';
import { checkSetting, parseSettingText, settingRow } from '../../settings/parse.ts';
import type { EphemeralSettings, SettingKey, SettingRow } from '../../settings/registry.ts';
import { parseTokens } from './session-options.ts';

/** The option that sets each setting for one run. */
const FLAGS: Readonly<Record<SettingKey, string>> = {
  'compression.strategy': '--strategy <name>',
  'compression.profile': '--profile <name>',
  'compression.engine': '--engine <name>',
  'context-limit': '--context-limit <tokens>',
  'compression-threshold': '--threshold <ratio>',
  'compression-preserve-threshold': '--preserve <ratio>',
  'compression.density.readWritePruning': '--read-write-pruning <on|off>',
  'compression.density.fileDedupe': '--file-dedupe <on|off>',
  'compression.density.recencyPruning': '--recency-pruning <on|off>',
  'compression.density.recencyRetention': '--recency-retention <results>',
  'compression.density.partialEdits': '--partial-edits <rule>',
  'compression.density.quietCalls': '--quiet-calls <calls>',
  'compression.density.timing': '--timing <rule>',
  'compression.density.cacheMinutes': '--cache-minutes <minutes>',
  'compression.density.shellWrites': '--shell-writes <on|off>',
  'compression.density.supersededReads': '--superseded-reads <on|off>',
  'compression.density.resultCalls': '--result-calls <calls>',
  'compression.density.carriedTokens': '--carried-tokens <tokens>',
  'compression.density.protectedTools': '--protected-tools <names>',
  'compression.density.protectedPaths': '--protected-paths <paths>',
  'compression.density.archive': '--archive <on|off>',
};

/** What `optimize` takes away, and when. */
export const DENSITY_SETTINGS: readonly SettingKey[] = [
  'compression.density.readWritePruning',
  'compression.density.fileDedupe',
  'compression.density.recencyPruning',
  'compression.density.recencyRetention',
  'compression.density.partialEdits',
  'compression.density.quietCalls',
  'compression.density.shellWrites',
  'compression.density.supersededReads',
  'compression.density.resultCalls',
  'compression.density.carriedTokens',
  'compression.density.protectedTools',
  'compression.density.protectedPaths',
];

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
  if (row.type === 'boolean') return row.default ? 'on' : 'off';
  return String(row.default ?? row.defaultHelp);
}

const shortened = (help: string): string => help.charAt(0).toLowerCase() + help.slice(1).replace(/\.$/, '');

/** The name under which the parser keeps the value of a flag: `--read-write-pruning <on|off>` → `readWritePruning`. */
const attributeOf = (key: SettingKey): string => new Option(FLAGS[key]).attributeName();

/** Adds one option for each of these settings; `also` are names that the command takes beside the registry's own. */
export function policyOptions(
  command: Command,
  keys: readonly SettingKey[],
  also: Partial<Record<SettingKey, readonly string[]>> = {},
): Command {
  for (const key of keys) {
    const row = settingRow(key);
    const extra = also[key] ?? [];
    const values = row.type === 'boolean' ? ['on', 'off'] : row.type === 'enum' ? [...row.enumValues, ...extra] : [];
    const option = new Option(FLAGS[key], `${shortened(row.help)} (default: ${defaultOf(row)})`);
    option.argParser((text) => (extra.includes(text) ? text : parsed(row, text, values)));
    // For help and completion; `choices()` would put its own check in place of the registry's.
    if (values.length > 0) option.argChoices = values;
    command.addOption(option);
  }
  return command;
}

/** The settings that were given on the command line. */
export function settingsOf(options: Readonly<Record<string, unknown>>): EphemeralSettings {
  const given = (Object.keys(FLAGS) as SettingKey[]).flatMap((key) => {
    const value = options[attributeOf(key)];
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(given);
}
