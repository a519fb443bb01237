import { CompressionStrategyError } from '../errors.ts';
import { DEFAULT_THRESHOLD_RATIO } from '../strategies/threshold.ts';
import { contextLimitOfModel } from '../tokens/models.ts';
import type { Profile, ProfileStore } from './profile-store.ts';
import { findProjectFile } from './project/find-project-file.ts';
import { readProjectFile } from './project/project-file.ts';
import { RECOMMENDED } from './recommended.ts';
import { type EphemeralSettings, SETTINGS_REGISTRY, type SettingKey } from './registry.ts';
import { resolveSetting } from './resolve.ts';

/** Where the value of a setting came from. */
export type SettingOrigin =
  | { readonly kind: 'session' | 'recommended' | 'default' }
  | { readonly kind: 'profile'; readonly name: string; readonly file: string }
  | { readonly kind: 'project'; readonly file: string }
  | { readonly kind: 'strategy' | 'model'; readonly name: string };

/** Settings and their origin. */
export interface SettingSource {
  readonly origin: SettingOrigin;
  readonly settings: EphemeralSettings;
}

/** Every source of settings in force, the strongest first. */
export interface SettingSources {
  readonly sources: readonly SettingSource[];
  /** The profile in use. */
  readonly profile?: Profile;
  /** A profile that the project names and that does not exist: its settings are missing here. */
  readonly missingProfile?: { readonly name: string; readonly projectFile: string };
}

/**
 * The settings in force for a user in `folder`: the session's, then those of the profile that the session or the project
 * names, then the project's, then those of the profile `recommended`. Source: REQ-HD-001.10; docs/readings.md, row 38.
 * @throws CompressionStrategyError `PROFILE_UNKNOWN` for a profile that the session names; `SETTINGS_FILE_INVALID` for an invalid file.
 */
export async function settingSources(
  session: EphemeralSettings,
  { folder, profiles }: { folder: string; profiles: ProfileStore },
): Promise<SettingSources> {
  const file = findProjectFile(folder);
  const project = file === undefined ? {} : await readProjectFile(file);
  const name = resolveSetting([session, project], 'compression.profile');
  const isOfProject = session['compression.profile'] === undefined;
  const profile =
    name === undefined
      ? undefined
      : await profiles.load(name).catch((error: unknown) => {
          const isMissing = error instanceof CompressionStrategyError && error.code === 'PROFILE_UNKNOWN';
          if (!isMissing || !isOfProject) throw error;
          return undefined;
        });
  const isMissing = name !== undefined && profile === undefined && file !== undefined;
  const sources: SettingSource[] = [
    { origin: { kind: 'session' }, settings: session },
    ...(profile
      ? [{ origin: { kind: 'profile', name: profile.name, file: profile.file }, settings: profile.settings } as const]
      : []),
    ...(file === undefined ? [] : [{ origin: { kind: 'project', file }, settings: project } as const]),
    { origin: { kind: 'recommended' }, settings: RECOMMENDED },
  ];
  return { sources, ...(profile && { profile }), ...(isMissing && { missingProfile: { name, projectFile: file } }) };
}

/** What a program says about a profile that is missing. */
export const missingProfileNote = ({ name, projectFile }: NonNullable<SettingSources['missingProfile']>): string =>
  `The profile "${name}", which ${projectFile} names, does not exist. Its settings are not used.`;

/** The value of a setting and its origin; `value` is absent if no source and no default has one. */
export interface ExplainedSetting {
  readonly key: SettingKey;
  readonly value?: EphemeralSettings[SettingKey];
  readonly origin: SettingOrigin;
}

/** The value and origin of each setting, in the order of the registry. */
export function explainSettings(
  sources: readonly SettingSource[],
  { model }: { model?: string | undefined },
): ExplainedSetting[] {
  const layers = sources.map(({ settings }) => settings);
  return SETTINGS_REGISTRY.map(({ key }): ExplainedSetting => {
    const source = sources.find(({ settings }) => settings[key] !== undefined);
    if (source) return { key, value: source.settings[key], origin: source.origin };
    if (key === 'compression-threshold') {
      const name = resolveSetting(layers, 'compression.strategy');
      return { key, value: DEFAULT_THRESHOLD_RATIO, origin: { kind: 'strategy', name } };
    }
    if (key === 'context-limit' && model !== undefined) {
      return { key, value: contextLimitOfModel(model), origin: { kind: 'model', name: model } };
    }
    const value = resolveSetting(layers, key);
    return { key, ...(value !== undefined && { value }), origin: { kind: 'default' } };
  });
}
