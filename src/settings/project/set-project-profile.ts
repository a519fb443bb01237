import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { replaceFile } from '../../disk/temporary-file.ts';
import { checkSetting } from '../parse.ts';
import type { EphemeralSettings, SettingKey } from '../registry.ts';
import { notWritten } from '../settings-file.ts';
import { readProjectFile } from './project-file.ts';

/** The path of the schema of a settings file, in a project in which this package is installed. */
export const PROJECT_SCHEMA = './node_modules/high-density/docs/settings.schema.json';

/**
 * Makes a project use a profile: sets `compression.profile` in its file and keeps all other text. Creates the file if
 * it does not exist, and names its schema there if the project has it.
 * @throws CompressionStrategyError as `readProjectFile`; `SETTING_INVALID` for the name; `OUTPUT_FAILED`.
 */
export async function setProjectProfile(file: string, name: string): Promise<void> {
  const value = checkSetting('compression.profile', name);
  await readProjectFile(file);
  try {
    const key: SettingKey = 'compression.profile';
    const text = existsSync(file) ? await readFile(file, 'utf8') : undefined;
    await replaceFile(file, text === undefined ? newFile(file, { [key]: value }) : withField(text, key, value));
  } catch (cause) {
    throw notWritten(file, cause);
  }
}

function newFile(file: string, settings: EphemeralSettings): string {
  const hasSchema = existsSync(path.join(path.dirname(file), PROJECT_SCHEMA));
  return `${JSON.stringify({ ...(hasSchema && { $schema: PROJECT_SCHEMA }), ...settings }, null, 2)}\n`;
}

/** The text of a JSON object with one field set. Without formatting options, `modify` changes no other text. */
const withField = (text: string, key: string, value: string): string =>
  applyEdits(text, modify(text, [key], value, {}));
