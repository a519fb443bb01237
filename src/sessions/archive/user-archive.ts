import { BlockArchive } from '../../disk/block-archive.ts';
import { resolveSetting, type SettingLayers } from '../../settings/resolve.ts';
import { archiveFolder } from '../places/data-folder.ts';
import { namedSince } from './naming-conversations.ts';

const MEGABYTE = 1e6;

/** The archive of this user, with the limits of these settings, which every use reads again. What conversations name that are in use is kept. */
export function userArchive(layers: SettingLayers): BlockArchive {
  return new BlockArchive(archiveFolder(), {
    get mostBytes() {
      return resolveSetting(layers, 'compression.density.archiveMegabytes') * MEGABYTE;
    },
    get keepDays() {
      return resolveSetting(layers, 'compression.density.archiveDays');
    },
    namedSince,
  });
}
