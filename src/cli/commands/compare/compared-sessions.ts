import { readdirSync } from 'node:fs';
import path from 'node:path';
import { reasonOf } from '../../../disk/file-bytes.ts';
import { fileStatus } from '../../../disk/file-status.ts';
import type { CompressionStrategyError } from '../../../errors.ts';
import { counted } from '../../../report/figures.ts';
import { UsageError } from '../../terminal/failure.ts';
import { printable } from '../../terminal/printable.ts';

/** What sessions are written as; in a folder other files are not looked at. */
const SESSION_FILE = /\.(?:jsonl?|traj|md)$/;
/** So many files of a folder that are no sessions at all are named. */
const MOST_NAMED = 10;
const REASON_CHARACTERS = 160;

/** Session files that are meant, each once. */
export interface NamedSessions {
  /** In the order in which they are named; those of a folder by their paths. */
  readonly files: readonly string[];
  readonly fromFolders: ReadonlySet<string>;
}

/** Files as they are named, folders with all that is in them. @throws UsageError where a folder cannot be read. */
export function namedSessions(named: readonly string[]): NamedSessions {
  const files = new Set<string>();
  const fromFolders = new Set<string>();
  for (const name of named) {
    const isFolder = fileStatus(name)?.isDirectory() ?? false;
    if (!isFolder) {
      files.add(name);
      continue;
    }
    for (const found of filesBelow(name).sort()) {
      const file = path.join(name, found);
      if (!SESSION_FILE.test(found) || !fileStatus(file)?.isFile()) continue;
      files.add(file);
      fromFolders.add(file);
    }
  }
  return { files: [...files], fromFolders };
}

/** @throws UsageError where a folder cannot be read. */
function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    throw new UsageError(`Expected folders that can be read in ${folder}, but ${reasonOf(error)}.`);
  }
}

/** The largest first: threads that begin with them end together. A file that is not there comes first, too. */
export function largestFirst(files: readonly string[]): string[] {
  const sizes = new Map(files.map((file) => [file, fileStatus(file)?.size ?? Number.MAX_VALUE]));
  return [...files].sort((one, other) => sizes.get(other)! - sizes.get(one)!);
}

/** A file of a folder that no session could be read from. */
export interface SkippedFile {
  readonly path: string;
  readonly error: CompressionStrategyError;
}

/** Which files of folders were passed over, and why: each that is broken, and some of those that are no sessions. */
export function skippedNote(skipped: readonly SkippedFile[]): string {
  const byPath = [...skipped].sort((one, other) => (one.path < other.path ? -1 : 1));
  const isForeign = ({ error }: SkippedFile): boolean => error.code === 'SESSION_FORMAT_UNKNOWN';
  const foreign = byPath.filter(isForeign);
  const broken = byPath.filter((file) => !isForeign(file));
  const lines = [
    `${counted(skipped.length, 'file')} in folders ${skipped.length === 1 ? 'holds' : 'hold'} no session that can be read:`,
    ...broken.map(({ path: file, error }) => `  ${file}: ${reasonIn(error, file)}`),
    ...foreign.slice(0, MOST_NAMED).map(({ path: file }) => `  ${file}: no known format`),
    ...(foreign.length > MOST_NAMED
      ? [`  and ${counted(foreign.length - MOST_NAMED, 'more file')} of no known format`]
      : []),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

/** The message of an error without the name of the file, which stands before it. */
function reasonIn({ message }: CompressionStrategyError, file: string): string {
  const plain = message.startsWith(`${file}: `) ? message.slice(file.length + 2) : message;
  return plain.length > REASON_CHARACTERS ? `${plain.slice(0, REASON_CHARACTERS)}…` : plain;
}
