import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { applyEdits, modify } from 'jsonc-parser';
import writeFileAtomic from 'write-file-atomic';
import { checkSetting } from '../parse.ts';
import type { SettingKey } from '../registry.ts';
import { notWritten } from '../settings-file.ts';
import { readProjectFile } from './project-file.ts';

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
