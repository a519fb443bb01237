import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileStatus } from '../../disk/file-status.ts';
import { reasonOf } from '../../disk/reason-of.ts';
import type { CompressionStrategyError } from '../../errors.ts';
import { counted } from '../../report/figures.ts';
import { isTranscript } from '../../sessions/places/transcript-file.ts';
import { printable, UsageError } from '../terminal/terminal.ts';

/** Names of session files. Other files of a folder are ignored. */
const SESSION_FILE = /\.(?:jsonl?|traj|md)$/;
/** How many files without any known format are listed. */
const MAX_NAMED = 10;
const REASON_CHARACTERS = 160;

/** Session files without duplicates. */
export interface NamedSessions {
  /** The files and folders, as they were named. */
  readonly named: readonly string[];
  /** In the order of the arguments; those of a folder sorted by path. */
  readonly files: readonly string[];
  readonly fromFolders: ReadonlySet<string>;
}

/** The named files, and all session files of the named folders. @throws UsageError if a folder cannot be read. */
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
      if (!SESSION_FILE.test(found) || !fileStatus(file)?.isFile() || isTranscript(file)) continue;
      files.add(file);
      fromFolders.add(file);
    }
  }
  return { named, files: [...files], fromFolders };
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    throw new UsageError(`Expected readable folders in ${folder}, but ${reasonOf(error)}.`);
  }
}

/** The largest file first, so that all threads end at about the same time. Missing files come first. */
export function largestFirst(files: readonly string[]): string[] {
  const sizes = new Map(files.map((file) => [file, fileStatus(file)?.size ?? Number.MAX_VALUE]));
  return [...files].sort((one, other) => sizes.get(other)! - sizes.get(one)!);
}

/** A file of a folder without a readable session. */
export interface SkippedFile {
  readonly path: string;
  readonly error: CompressionStrategyError;
}

/** Which files of folders were skipped and why: every broken session, and some of the files without a known format. */
export function skippedNote(skipped: readonly SkippedFile[]): string {
  const byPath = [...skipped].sort((one, other) => (one.path < other.path ? -1 : 1));
  const isForeign = ({ error }: SkippedFile): boolean => error.code === 'SESSION_FORMAT_UNKNOWN';
  const foreign = byPath.filter(isForeign);
  const broken = byPath.filter((file) => !isForeign(file));
  const lines = [
    `${counted(skipped.length, 'file')} in folders ${skipped.length === 1 ? 'contains' : 'contain'} no readable session:`,
    ...broken.map(({ path: file, error }) => `  ${file}: ${reasonIn(error, file)}`),
    ...foreign.slice(0, MAX_NAMED).map(({ path: file }) => `  ${file}: no known format`),
    ...(foreign.length > MAX_NAMED
      ? [`  and ${counted(foreign.length - MAX_NAMED, 'more file')} of no known format`]
      : []),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

/** The message of an error without the name of the file at its start. */
function reasonIn({ message }: CompressionStrategyError, file: string): string {
  const plain = message.startsWith(`${file}: `) ? message.slice(file.length + 2) : message;
  return plain.length > REASON_CHARACTERS ? `${plain.slice(0, REASON_CHARACTERS)}…` : plain;
}
