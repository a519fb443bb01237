import type { EngineName } from '../history/engine.ts';
import { checkSetting, parseSettingText, settingRow } from '../settings/parse.ts';
import { deleteProfile, type Profile, type ProfileStore } from '../settings/profile-store.ts';
import type { EphemeralSettings, SettingKey } from '../settings/registry.ts';
import { applyModelSettings, createEphemerals, resolveSetting, type SettingLayers } from '../settings/resolve.ts';
import {
  type ExplainedSetting,
  explainSettings,
  missingProfileNote,
  type SettingSources,
  settingSources,
} from '../settings/sources.ts';
import type { Ephemerals } from '../strategies/contract.ts';

/** The settings of a conversation: its own, then the profile's, then the project's. Changes apply at once. */
export class ChatSettings {
  readonly profiles: ProfileStore;
  readonly #folder: string;
  #session: EphemeralSettings = {};
  #found: SettingSources = { sources: [] };
  /** Always the same array, so that readers see every change. */
  readonly #layers: EphemeralSettings[] = [];

  private constructor(folder: string, profiles: ProfileStore) {
    this.#folder = folder;
    this.profiles = profiles;
  }

  /** @throws as `settingSources`. */
  static async open(
    session: EphemeralSettings,
    { folder, profiles }: { folder: string; profiles: ProfileStore },
  ): Promise<ChatSettings> {
    const settings = new ChatSettings(folder, profiles);
    await settings.#adopt(session);
    return settings;
  }

  ephemerals(model: string): Ephemerals {
    return createEphemerals(this.#layers, { model });
  }

  get engine(): EngineName {
    return resolveSetting(this.#layers, 'compression.engine');
  }

  /** The settings in force, the strongest first; the same array after every change. */
  get layers(): SettingLayers {
    return this.#layers;
  }

  /** True if the archive keeps removed blocks. */
  get keepsArchive(): boolean {
    return resolveSetting(this.#layers, 'compression.density.archive');
  }

  explain(model: string): ExplainedSetting[] {
    return explainSettings(this.#found.sources, { model });
  }

  /**
   * Sets a setting from typed text.
   * @throws CompressionStrategyError `SETTING_UNKNOWN` with the nearest key, `SETTING_INVALID` with the rule and the
   * nearest value, `PROFILE_UNKNOWN`. Nothing changes then.
   */
  async set(key: string, text: string): Promise<ExplainedSetting> {
    const row = settingRow(key);
    const value = checkSetting(row.key, row.type === 'text' ? text : parseSettingText(text));
    await this.#adopt({ ...this.#session, [row.key]: value });
    return { key: row.key, value, origin: { kind: 'session' } };
  }

  /** Removes a setting of this conversation. @throws CompressionStrategyError `SETTING_UNKNOWN` */
  async unset(key: string): Promise<SettingKey> {
    const row = settingRow(key);
    await this.#adopt(Object.fromEntries(Object.entries(this.#session).filter(([name]) => name !== row.key)));
    return row.key;
  }

  /** Uses a profile from now on. Its values replace those set in this conversation. @throws as `ProfileStore.load`. */
  async loadProfile(name: string): Promise<Profile> {
    const profile = await this.profiles.load(name);
    const kept = Object.entries(this.#session).filter(([key]) => !(key in profile.settings));
    await this.#adopt({ ...Object.fromEntries(kept), 'compression.profile': name });
    return profile;
  }

  /** Saves the settings of this conversation and of the profile in use. @throws as `ProfileStore.save`. */
  saveProfile(name: string, mayReplace: boolean): Promise<Profile> {
    const set = this.#found.sources
      .filter(({ origin }) => origin.kind === 'profile' || origin.kind === 'session')
      .toReversed()
      .flatMap(({ settings }) => Object.entries(settings))
      .filter(([key]) => settingRow(key).persistToProfile);
    return this.profiles.save(name, Object.fromEntries(set), { mayReplace });
  }

  /** Deletes a profile that the project does not use. @throws as `deleteProfile` does. */
  deleteProfile(name: string): Promise<void> {
    return deleteProfile(name, { folder: this.#folder, profiles: this.profiles });
  }

  /** What to say about the project's profile if it does not exist. */
  get missingProfile(): string | undefined {
    return this.#found.missingProfile && missingProfileNote(this.#found.missingProfile);
  }

  async #adopt(session: EphemeralSettings): Promise<void> {
    this.#found = await settingSources(session, { folder: this.#folder, profiles: this.profiles });
    this.#session = session;
    this.#layers.splice(0, this.#layers.length, ...this.#found.sources.map(({ settings }) => settings));
    applyModelSettings(this.#layers);
  }
}
