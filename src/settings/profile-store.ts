import { readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import envPaths from 'env-paths';
import { isRecord } from '../content/foreign-value.ts';
import { makeOwnerFolder, OWNER_FILE_MODE } from '../disk/owner-only.ts';
import { replaceFile } from '../disk/temporary-file.ts';
import { CompressionStrategyError, codeOf } from '../errors.ts';
import { BUILT_IN, BUILT_IN_PROFILES } from './built-in-profiles.ts';
import { nearestName } from './nearest-name.ts';
import { checkSetting, settingRow } from './parse.ts';
import { findProjectFile } from './project/find-project-file.ts';
import { readProjectFile } from './project/project-file.ts';
import { type EphemeralSettings, PROFILE_NAME } from './registry.ts';
import { checkSettingsRecord, invalidSettingsFile, notWritten, readSettingsObject } from './settings-file.ts';

const VERSION = 1;
const SUFFIX = '.json';

/** The contents of a profile file. */
export interface Profile {
  readonly name: string;
  /** `BUILT_IN` for a profile that comes with the program. */
  readonly file: string;
  readonly settings: EphemeralSettings;
  /** Keys that this version does not know; saving keeps them in the file. */
  readonly unknownKeys: readonly string[];
}

/** A profile in a list; `problem` says what is wrong with an invalid file. */
export type ListedProfile = Profile | { readonly name: string; readonly file: string; readonly problem: Error };

/** The folder of this user's profiles; respects `XDG_CONFIG_HOME`. */
const profilesFolder = (): string => path.join(envPaths('high-density', { suffix: '' }).config, 'profiles');

/** The profile in a file, everything in it, and the settings in it that are not known. */
function parseProfile(raw: Readonly<Record<string, unknown>>, { name, file }: { name: string; file: string }) {
  const { version, settings: record, ...rest } = raw;
  if (version !== VERSION) {
    const got = JSON.stringify(version) ?? 'none';
    throw invalidSettingsFile(file, `Expected a profile of version ${VERSION}, got version ${got}.`);
  }
  if (!isRecord(record)) throw invalidSettingsFile(file, 'Expected an object in `settings`, got none.');
  const { settings, unknown } = checkSettingsRecord(record, { file, isProfile: true });
  const profile = { name, file, settings, unknownKeys: [...Object.keys(rest), ...Object.keys(unknown)] };
  return { profile, raw, unknownSettings: unknown };
}

/**
 * The profiles of a user, one file each, `<name>.json`, readable only by that user. Saving replaces the whole file, but
 * never an invalid one. Built-in profiles are included, unless a file has the same name.
 */
export class ProfileStore {
  readonly #folder: string;

  constructor(folder: string = profilesFolder()) {
    this.#folder = folder;
  }

  /** @throws CompressionStrategyError `PROFILE_UNKNOWN`, which names the nearest; `SETTINGS_FILE_INVALID`; `SETTING_INVALID` for the name. */
  async load(name: string): Promise<Profile> {
    const found = await this.#read(name);
    if (found) return found.profile;
    const settings = Object.hasOwn(BUILT_IN_PROFILES, name) ? BUILT_IN_PROFILES[name] : undefined;
    if (settings !== undefined) return { name, file: BUILT_IN, settings, unknownKeys: [] };
    throw await this.#unknown(name);
  }

  /**
   * Saves these settings as the profile. Unknown keys in its file are kept.
   * @throws CompressionStrategyError `PROFILE_EXISTS` if the profile exists and `mayReplace` is false;
   * `SETTINGS_FILE_INVALID` if its file is invalid; `SETTING_INVALID` for a wrong value, or a setting that a profile may
   * not contain; `OUTPUT_FAILED`. The file is unchanged then.
   */
  async save(name: string, settings: EphemeralSettings, { mayReplace }: { mayReplace: boolean }): Promise<Profile> {
    for (const [key, value] of Object.entries(settings)) {
      const row = settingRow(key);
      checkSetting(row.key, value);
      if (row.persistToProfile) continue;
      throw new CompressionStrategyError(
        `Expected only settings that a profile may contain, got \`${key}\`. Set it in the project's file or for the session.`,
        'SETTING_INVALID',
      );
    }
    const earlier = mayReplace ? await this.#read(name) : await this.expectNew(name);
    const file = this.#fileOf(name);
    const raw = { ...earlier?.raw, version: VERSION, settings: { ...earlier?.unknownSettings, ...settings } };
    try {
      await makeOwnerFolder(this.#folder);
      await replaceFile(file, `${JSON.stringify(raw, null, 2)}\n`, { mode: OWNER_FILE_MODE });
    } catch (cause) {
      throw notWritten(file, cause);
    }
    return parseProfile(raw, { name, file }).profile;
  }

  /**
   * Returns if no profile has been saved under this name; for a command that works long before it saves.
   * @throws CompressionStrategyError `PROFILE_EXISTS`, which names the file; `SETTINGS_FILE_INVALID`; `SETTING_INVALID` for the name.
   */
  async expectNew(name: string): Promise<undefined> {
    const earlier = await this.#read(name);
    if (earlier === undefined) return;
    throw new CompressionStrategyError(
      `Expected a new profile name, got "${name}", which exists in ${earlier.profile.file}. Choose another name, or replace it (--force).`,
      'PROFILE_EXISTS',
    );
  }

  /** All profiles, sorted by name, invalid ones included. */
  async list(): Promise<ListedProfile[]> {
    const names = await this.#names();
    return Promise.all(
      names.map((name) =>
        this.load(name).catch((error: unknown) => ({
          name,
          file: this.#fileOf(name),
          problem: error instanceof Error ? error : new Error(String(error)),
        })),
      ),
    );
  }

  /**
   * Deletes the file of a profile, valid or not. A built-in profile of that name is used again afterwards.
   * @throws CompressionStrategyError `PROFILE_UNKNOWN`, also for a built-in profile without a file; `OUTPUT_FAILED`
   */
  async delete(name: string): Promise<void> {
    const file = this.#fileOf(name);
    await unlink(file).catch(async (cause: unknown) => {
      throw codeOf(cause) === 'ENOENT' ? await this.#unknown(name) : notWritten(file, cause);
    });
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, `${checkSetting('compression.profile', name)}${SUFFIX}`);
  }

  async #read(name: string): Promise<ReturnType<typeof parseProfile> | undefined> {
    const file = this.#fileOf(name);
    const raw = await readSettingsObject(file);
    return raw && parseProfile(raw, { name, file });
  }

  async #names(): Promise<string[]> {
    const files = await readdir(this.#folder).catch(() => []);
    const names = files.filter((file) => file.endsWith(SUFFIX)).map((file) => file.slice(0, -SUFFIX.length));
    const all = new Set([...names.filter((name) => PROFILE_NAME.test(name)), ...Object.keys(BUILT_IN_PROFILES)]);
    return [...all].sort();
  }

  async #unknown(name: string): Promise<CompressionStrategyError> {
    const message = Object.hasOwn(BUILT_IN_PROFILES, name)
      ? `Expected a saved profile, got "${name}", which comes with the program and cannot be deleted.`
      : `Expected a profile in ${this.#folder}, got "${name}", which does not exist. Did you mean "${nearestName(name, await this.#names())}"?`;
    return new CompressionStrategyError(message, 'PROFILE_UNKNOWN');
  }
}

/**
 * Deletes a profile that the project around `folder` does not use. A built-in profile of that name may replace it.
 * @throws CompressionStrategyError `PROFILE_IN_USE`, which names the project's file; as `ProfileStore.delete` and
 * `readProjectFile`.
 */
export async function deleteProfile(
  name: string,
  { folder, profiles }: { folder: string; profiles: ProfileStore },
): Promise<void> {
  const file = findProjectFile(folder);
  const used = file === undefined ? undefined : (await readProjectFile(file))['compression.profile'];
  if (used === name && !Object.hasOwn(BUILT_IN_PROFILES, name)) {
    throw new CompressionStrategyError(
      `Expected a profile that this project does not use, got "${name}", which ${file} names. Remove \`compression.profile\` there, or let it use another profile (density profile load <name>), first.`,
      'PROFILE_IN_USE',
    );
  }
  await profiles.delete(name);
}
