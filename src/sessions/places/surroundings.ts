import path from 'node:path';

/** The computer that is searched. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** A folder from the environment, else one below the home. XDG folders that are not absolute are ignored. */
export function folderOf({ environment, home }: Surroundings, variable: string, ...below: readonly string[]): string {
  const given = environment[variable];
  const isValid = given && (path.isAbsolute(given) || !variable.startsWith('XDG_'));
  return isValid ? given : path.join(home, ...below);
}
