import { CompressionStrategyError } from '../errors.ts';
import { BUILT_IN_PROFILES } from './built-in-profiles.ts';
import type { ProfileStore } from './profile-store.ts';
import { findProjectFile } from './project/find-project-file.ts';
import { readProjectFile } from './project/project-file.ts';

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
