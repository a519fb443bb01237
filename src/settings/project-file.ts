import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import writeFileAtomic from 'write-file-atomic';
import { nearestName } from './nearest-name.ts';
import { checkSetting } from './parse.ts';
import { type EphemeralSettings, SETTINGS_REGISTRY, type SettingKey } from './registry.ts';
import { checkSettingsRecord, invalidSettingsFile, notWritten, readSettingsObject } from './settings-file.ts';

/** The file of a project's own settings: one JSON object, a field for each setting. */
export const PROJECT_FILE_NAME = '.density.json';

/** The nearest project file in `folder` or above it, up to the root of the repository that it is in. */
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
 * The settings of a project file; none when there is no file.
 * @throws CompressionStrategyError `SETTINGS_FILE_INVALID`, naming file and key: an unknown key is one, with the nearest.
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
 * Makes a profile the one that a project uses: sets `compression.profile` in its file, which is created when there is
 * none; everything else in it stays as it is written.
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

/** The text of an object with a field set; without formatting options nothing else is touched. */
const withField = (text: string, key: string, value: string): string =>
  applyEdits(text, modify(text, [key], value, {}));
