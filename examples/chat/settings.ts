import { applyModelSettings, createEphemerals, type EphemeralSettings, type Ephemerals } from 'high-density';
import {
  type ExplainedSetting,
  explainSettings,
  ProfileStore,
  parseSettings,
  resolveSetting,
  type SettingSource,
  settingSources,
} from 'high-density/settings';

/** What `/set` set, then the profile in use, then the file of the project. */
export class Settings {
  #typed: EphemeralSettings = {};
  #sources: readonly SettingSource[] = [];

  /** @throws CompressionStrategyError for an unknown key, a wrong value or an unknown profile; nothing changes then. */
  async set(changes: Readonly<Record<string, string>>): Promise<void> {
    const values = Object.fromEntries(Object.entries(changes).map(([key, text]) => [key, typedValue(text)]));
    const typed = { ...this.#typed, ...parseSettings(values) };
    const { sources } = await settingSources(typed, { folder: process.cwd(), profiles: new ProfileStore() });
    this.#typed = typed;
    this.#sources = sources;
    applyModelSettings(this.#layers);
  }

  /** For one call of the gate; `strategy` is used in the place of the configured one. */
  ephemerals(model: string, strategy?: string): Ephemerals {
    const once = strategy === undefined ? {} : parseSettings({ 'compression.strategy': strategy });
    return createEphemerals([once, ...this.#layers], { model });
  }

  get engine() {
    return resolveSetting(this.#layers, 'compression.engine');
  }

  explain(model: string): ExplainedSetting[] {
    return explainSettings(this.#sources, { model });
  }

  get #layers(): readonly EphemeralSettings[] {
    return this.#sources.map(({ settings }) => settings);
  }
}

/** A number, a boolean or other JSON if it is one, else the text itself. */
function typedValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
