import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import writeFileAtomic from 'write-file-atomic';
import { nearestName } from './nearest-name.ts';
import { checkSetting } from './parse.ts';
import { type EphemeralSettings, SETTINGS_REGISTRY, type SettingKey } from './registry.ts';
import { checkSettingsRecord, invalidSettingsFile, notWritten, readSettingsObject } from './settings-file.ts';

/** A project's own settings: one JSON object with a field for each setting. */
export const PROJECT_FILE_NAME = '.density.json';

/** The nearest project file in `folder` or above it, not above the root of its repository. */
export function findProjectFile(folder: string): string | undefined {
  let current = path.resolve(folder);
  while (true) {
    const file = path.join(current, PROJECT_FILE_NAME);
    if (existsSync(file)) return file;
    const parent = path.dirname(current);
    if (parent === current || existsSync(path.join(current, '.git'))) return undefined;
    current = parent;
  }
}

/**
 * The settings of a project file; empty if the file does not exist.
 * @throws CompressionStrategyError `SETTINGS_FILE_INVALID`, which names the file and the invalid or unknown key.
 */
export async function readProjectFile(file: string): Promise<EphemeralSettings> {
  const record = (await readSettingsObject(file)) ?? {};
  const { settings, unknown } = checkSettingsRecord(record, { file, isProfile: false });
  const [stray] = Object.keys(unknown);
  if (stray === undefined) return settings;
  const keys = SETTINGS_REGISTRY.map(({ key }) => key);
  throw invalidSettingsFile(
    file,
    `Expected the keys of settings, got ${JSON.stringify(stray)}. Did you mean \`${nearestName(stray, keys)}\`?`,
  );
}

/**
 * Makes a project use a profile: sets `compression.profile` in its file and keeps all other text. Creates the file if
 * it does not exist.
 * @throws CompressionStrategyError as `readProjectFile`; `SETTING_INVALID` for the name; `OUTPUT_FAILED`.
 */
export async function setProjectProfile(file: string, name: string): Promise<void> {
  const value = checkSetting('compression.profile', name);
  await readProjectFile(file);
  try {
    const key: SettingKey = 'compression.profile';
    const text = existsSync(file) ? await readFile(file, 'utf8') : undefined;
    const changed = text === undefined ? `${JSON.stringify({ [key]: value }, null, 2)}\n` : withField(text, key, value);
    await writeFileAtomic(file, changed);
  } catch (cause) {
    throw notWritten(file, cause);
  }
}

/** The text of a JSON object with one field set. Without formatting options, `modify` changes no other text. */
const withField = (text: string, key: string, value: string): string =>
  applyEdits(text, modify(text, [key], value, {}));
