import { nearestName } from '../nearest-name.ts';
import { type EphemeralSettings, SETTINGS_REGISTRY } from '../registry.ts';
import { checkSettingsRecord, invalidSettingsFile, readSettingsObject } from '../settings-file.ts';

/** The one other key that a project file may have: editors read there where its schema is. */
const SCHEMA_KEY = '$schema';

/**
 * The settings of a project file; empty if the file does not exist.
 * @throws CompressionStrategyError `SETTINGS_FILE_INVALID`, which names the file and the invalid or unknown key.
 */
export async function readProjectFile(file: string): Promise<EphemeralSettings> {
  const record = (await readSettingsObject(file)) ?? {};
  const { settings, unknown } = checkSettingsRecord(record, { file, isProfile: false });
  const stray = Object.keys(unknown).find((key) => key !== SCHEMA_KEY);
  if (stray === undefined) return settings;
  const keys = SETTINGS_REGISTRY.map(({ key }) => key);
  throw invalidSettingsFile(
    file,
    `Expected the keys of settings, got ${JSON.stringify(stray)}. Did you mean \`${nearestName(stray, keys)}\`?`,
  );
}
