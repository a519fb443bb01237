import { isRecord } from '../content/foreign-value.ts';
import { regularFileText } from '../disk/regular-file.ts';
import { CompressionStrategyError, codeOf, messageOf } from '../errors.ts';
import { checkSetting, settingRow } from './parse.ts';
import { type EphemeralSettings, SETTINGS_REGISTRY } from './registry.ts';

const isKnown = (key: string): boolean => SETTINGS_REGISTRY.some((row) => row.key === key);

/** The error for a settings file with invalid contents. Such a file is never changed. */
export function invalidSettingsFile(file: string, what: string, cause?: unknown): CompressionStrategyError {
  return new CompressionStrategyError(`${file}: ${what}`, 'SETTINGS_FILE_INVALID', { cause });
}

/** The error for a settings file that could not be written. */
export function notWritten(file: string, cause: unknown): CompressionStrategyError {
  return new CompressionStrategyError(
    `Expected to write ${file}, but ${messageOf(cause)}. Nothing was changed.`,
    'OUTPUT_FAILED',
    { cause },
  );
}

/**
 * The JSON object in a settings file; `undefined` if the file does not exist.
 * @throws CompressionStrategyError `SETTINGS_FILE_INVALID`, which names the file, if it is not a JSON object or cannot be
 * read.
 */
export async function readSettingsObject(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  let text: string;
  try {
    text = regularFileText(file);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw invalidSettingsFile(file, `Expected a file that can be read, got ${String(code)}.`, error);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw invalidSettingsFile(file, `Expected a JSON object, got text that is not JSON (${messageOf(error)}).`, error);
  }
  if (isRecord(parsed)) return parsed;
  throw invalidSettingsFile(file, `Expected a JSON object, got ${JSON.stringify(parsed).slice(0, 40)}.`);
}

/**
 * The settings in a record from `file`, checked, and the fields of the record that no setting has as its key.
 * @throws CompressionStrategyError `SETTINGS_FILE_INVALID`, which names the file and the key, for the first wrong one.
 */
export function checkSettingsRecord(
  record: Readonly<Record<string, unknown>>,
  { file, isProfile }: { file: string; isProfile: boolean },
): { readonly settings: EphemeralSettings; readonly unknown: Readonly<Record<string, unknown>> } {
  const entries = Object.entries(record);
  for (const [key, value] of entries.filter(([name]) => isKnown(name))) {
    const row = settingRow(key);
    if (isProfile && !row.persistToProfile) {
      throw invalidSettingsFile(file, `Expected only settings that a profile may contain, got \`${key}\`. Remove it.`);
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
