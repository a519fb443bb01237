import { ProfileStore } from '../../settings/profile-store.ts';
import { resolveSetting } from '../../settings/resolve.ts';
import { settingSources } from '../../settings/sources.ts';

/** True if a person wants repeats replaced in Codex, in this folder. @throws CompressionStrategyError `SETTINGS_FILE_INVALID`. */
export async function codexRepeats(folder: string): Promise<boolean> {
  const { sources } = await settingSources({}, { folder, profiles: new ProfileStore() });
  return resolveSetting(
    sources.map(({ settings }) => settings),
    'plugin-codex-repeats',
  );
}
