import { ProfileStore } from '../../settings/profile-store.ts';
import type { EphemeralSettings } from '../../settings/registry.ts';
import { applyModelSettings, type SettingLayers } from '../../settings/resolve.ts';
import { missingProfileNote, type SettingSources, settingSources } from '../../settings/sources.ts';
import { printable, terminal } from '../terminal/terminal.ts';

/**
 * Where the settings of a command in the working directory come from, its options first. Standard error lists the unknown
 * keys of the profile, and says if the project's profile does not exist. What they say of models is used from now on.
 */
export async function sourcesInForce(session: EphemeralSettings): Promise<SettingSources> {
  const found = await settingSources(session, { folder: process.cwd(), profiles: new ProfileStore() });
  applyModelSettings(found.sources.map(({ settings }) => settings));
  const { profile, missingProfile } = found;
  if (missingProfile) {
    const { notes } = terminal();
    await notes.print(notes.colors.yellow(`${printable(missingProfileNote(missingProfile))}\n`));
  }
  if (profile && profile.unknownKeys.length > 0) {
    const { notes } = terminal();
    const keys = profile.unknownKeys.map(printable).join(', ');
    await notes.print(notes.colors.yellow(`Ignored unknown settings in ${profile.file}: ${keys}\n`));
  }
  return found;
}

/** The values of `sourcesInForce`, for `createEphemerals`. */
export async function layersInForce(session: EphemeralSettings): Promise<SettingLayers> {
  const { sources } = await sourcesInForce(session);
  return sources.map(({ settings }) => settings);
}

/** For commands that have no settings of their own: what those in force say of models is used from now on. */
export async function applySettingsOfModels(): Promise<void> {
  await sourcesInForce({});
}
