import { readFile } from 'node:fs/promises';
import { isRecord } from '../content/foreign-value.ts';
import { CompressionStrategyError, codeOf, messageOf } from '../errors.ts';
import { checkSetting, settingRow } from './parse.ts';
import { type EphemeralSettings, SETTINGS_REGISTRY } from './registry.ts';

const isKnown = (key: string): boolean => SETTINGS_REGISTRY.some((row) => row.key === key);

/** A file of settings that cannot be used as it stands; it is never changed then. */
export function invalidSettingsFile(file: string, what: string, cause?: unknown): CompressionStrategyError {
  return new CompressionStrategyError(`${file}: ${what}`, 'SETTINGS_FILE_INVALID', { cause });
}

/** A file of settings that could not be written. */
export function notWritten(file: string, cause: unknown): CompressionStrategyError {
  return new CompressionStrategyError(
    `Expected to write ${file}, but ${messageOf(cause)}. Nothing was changed.`,
    'OUTPUT_FAILED',
    { cause },
  );
}

/**
 * The JSON object in a file of settings, `undefined` when there is no file.
 * @throws CompressionStrategyError `SETTINGS_FILE_INVALID`, naming the file, when it is none or cannot be read.
 */
export async function readSettingsObject(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw invalidSettingsFile(file, `Expected a file that can be read, got ${String(code)}.`, error);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw invalidSettingsFile(file, `Expected a JSON object, got text that is no JSON (${messageOf(error)}).`, error);
  }
  if (isRecord(parsed)) return parsed;
  throw invalidSettingsFile(file, `Expected a JSON object, got ${JSON.stringify(parsed).slice(0, 40)}.`);
}

/** The settings of a record, checked, apart from the keys that no setting has. */
export interface CheckedSettings {
  readonly settings: EphemeralSettings;
  readonly unknown: Readonly<Record<string, unknown>>;
}

/**
 * The settings in a record that was read from `file`; `allows` says which keys may stand there.
 * @throws CompressionStrategyError `SETTINGS_FILE_INVALID`, naming file and key, for the first that is wrong.
 */
export function checkSettingsRecord(
  record: Readonly<Record<string, unknown>>,
  { file, isProfile }: { file: string; isProfile: boolean },
): CheckedSettings {
  const entries = Object.entries(record);
  for (const [key, value] of entries) {
    if (!isKnown(key)) continue;
    const row = settingRow(key);
    if (isProfile && !row.persistToProfile) {
      throw invalidSettingsFile(file, `Expected settings that a profile may hold, got \`${key}\`. Remove it.`);
    }
    try {
      checkSetting(row.key, value);
    } catch (error) {
      throw invalidSettingsFile(file, messageOf(error), error);
    }
  }
  return {
    settings: Object.fromEntries(entries.filter(([key]) => isKnown(key))),
    unknown: Object.fromEntries(entries.filter(([key]) => !isKnown(key))),
  };
}
