import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileBytes } from '../src/disk/file-bytes.ts';
import { copiedCalls, sessionCalls, withCopied } from '../src/sessions/copies/copied-calls.ts';
import { type ReadSession, readSession } from '../src/sessions/read-session.ts';

/** Folders with recorded sessions beside the checkout, each with a manifest. */
const FOLDERS = ['data', 'more-data'].map((name) => path.resolve(import.meta.dirname, '../../../shared', name));

/** A recorded session that is beside the checkout. */
export interface Recording {
  readonly file: string;
  /** The repository whose work it records; sessions of one repository resemble each other. */
  readonly repository: string;
}

interface ManifestRow {
  readonly file: string;
  readonly repo: string;
}

/** The recordings of all folders in the order of their manifests. Prints which folders are absent. */
export function recordings(): readonly Recording[] {
  return FOLDERS.flatMap((folder) => {
    if (!existsSync(folder)) {
      console.log(`No recorded sessions at ${folder}.`);
      return [];
    }
    const rows = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as readonly ManifestRow[];
    return rows.map(({ file, repo }) => ({ file: path.join(folder, file), repository: repo }));
  });
}

/** The sessions in those of the files that have one; a call that several contain is a copy in all but the earliest. */
export function readSessions(files: readonly string[]): readonly (ReadSession & { readonly file: string })[] {
  const read = files.flatMap((file) => {
    try {
      return { file, ...readSession(fileBytes(file)) };
    } catch {
      return [];
    }
  });
  const calls = read.map(({ file, session }) => ({ path: file, ...sessionCalls(session) }));
  const copied = copiedCalls(calls, () => false);
  return read.map((one) => ({ ...one, session: withCopied(one.session, copied.get(one.file)) }));
}
