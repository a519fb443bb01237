import { homedir, userInfo } from 'node:os';
import path from 'node:path';

/** The user's home. An empty `HOME` counts as unset, because paths below it would be below the working directory. */
export const homeFolder = (): string => homedir() || userInfo().homedir;

/** The path with a leading `~` replaced by the home folder. */
export function pathFromHome(place: string): string {
  const home = homeFolder();
  return place === home || place.startsWith(`${home}${path.sep}`) ? `~${place.slice(home.length)}` : place;
}
