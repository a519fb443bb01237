import { readFileSync } from 'node:fs';
import { packageFile } from '../../package-file.ts';

/** The version in the package's own `package.json`. */
export function packageVersion(): string {
  const text = readFileSync(packageFile('package.json'), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return version;
}
