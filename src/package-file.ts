import { existsSync } from 'node:fs';

function packageFolder(): URL {
  let folder = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) {
    const above = new URL('..', folder);
    if (above.href === folder.href) break;
    folder = above;
  }
  return folder;
}

const PACKAGE_FOLDER = packageFolder();

/**
 * A file of this package by its path from the folder of `package.json`: the same from source and from any bundle.
 * What the build makes or copies is in `dist`: `dist/workers`, `dist/vocabulary`, `dist/example-session.jsonl`.
 */
export const packageFile = (path: string): URL => new URL(path, PACKAGE_FOLDER);
