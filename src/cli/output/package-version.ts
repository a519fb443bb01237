import { readFileSync } from 'node:fs';

/** The version in the package's own `package.json`. */
export function packageVersion(): string {
  // From dist/src/cli, where this runs, three folders up.
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return version;
}
