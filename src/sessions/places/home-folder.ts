import { homedir, userInfo } from 'node:os';
import path from 'node:path';

/** The user's home. A `HOME` that is set to nothing counts as unset: what is below it would be below the working directory. */
export const homeFolder = (): string => homedir() || userInfo().homedir;

/** A path as a person writes it: `~` for the home. */
export function pathFromHome(place: string): string {
  const home = homeFolder();
  return place === home || place.startsWith(`${home}${path.sep}`) ? `~${place.slice(home.length)}` : place;
}
