import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import sqlite from 'node-sqlite3-wasm';

/** The files of a folder without ids, times and numbers in their names and texts. The text of a binary file is empty. */
export type HomeFolder = ReadonlyMap<string, readonly string[]>;

/** Ids and times, the longer forms first; last all numbers, because thinking, caches and waits differ between runs. */
const CHANGING: readonly RegExp[] = [
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi,
  /\b\d{13}_[a-z0-9]{5}\b/g,
  /\d{4}-\d\d-\d\d[T_ ]\d\d[-:]\d\d(?:[-:]\d\d(?![0-9a-f])(?:[.-]\d{3}Z?)?)?Z?/g,
  /\b(?:ses|msg|prt|prj|evt|call|toolu|req|resp|rs|fc)_[\w-]+/g,
  /\b[0-9a-f]{7,}\b/gi,
  /[A-Za-z0-9+/_-]{22,}={0,2}/g,
  /\d+/g,
];

/** Written some seconds after the start, or made from the session's own file, as far as that comes before the agent ends. */
const LATE = /^(?:\.last-cleanup|thread_history_\d+\.sqlite)$/;
/** Parts of a database, which are there or not by when it was closed. Source: sqlite.org/tempfiles.html */
const BESIDE_DATABASE = /-(?:wal|shm|journal)$/;
const DATABASE_START = 'SQLite format 3\0';

const without = (text: string): string => CHANGING.reduce((rest, pattern) => rest.replaceAll(pattern, '#'), text);

/** All rows of a database, with what its log adds. */
function databaseText(file: string): string {
  const database = new sqlite.Database(file);
  try {
    // Without it the log would need shared memory, which WebAssembly does not have.
    database.exec('pragma locking_mode = exclusive');
    const tables = database.all("select name from sqlite_master where type = 'table' order by name");
    return tables
      .map(({ name }) => {
        const rows = database.all(`select * from "${String(name)}"`).map((row) => without(JSON.stringify(row)));
        return [String(name), ...rows.sort()].join('\n');
      })
      .join('\n');
  } finally {
    database.close();
  }
}

/** The text of a file; undefined if a process in the background has deleted it meanwhile. */
function textOf(file: string, home: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  if (bytes.toString('latin1', 0, DATABASE_START.length) === DATABASE_START) return databaseText(file);
  return bytes.includes(0) ? '' : without(bytes.toString('utf8').replaceAll(home, '~'));
}

/** Reads all files of a home folder. */
export function homeFolder(home: string): HomeFolder {
  const files = new Map<string, string[]>();
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || LATE.test(entry.name) || BESIDE_DATABASE.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(home, file).split(path.sep).map(without).join('/');
    const text = textOf(file, home);
    if (text !== undefined) files.set(name, [...(files.get(name) ?? []), text].sort());
  }
  return files;
}

/** The names of files that only one of both has. */
const missingFiles = (one: HomeFolder, other: HomeFolder): string[] =>
  namesOf(one, other).filter((name) => one.get(name)?.length !== other.get(name)?.length);

/** The names of files that only one of both has, or whose texts differ. */
const differences = (one: HomeFolder, other: HomeFolder): string[] =>
  namesOf(one, other).filter((name) => JSON.stringify(one.get(name)) !== JSON.stringify(other.get(name)));

const namesOf = (one: HomeFolder, other: HomeFolder): string[] => [...new Set([...one.keys(), ...other.keys()])].sort();

/** Runs of the agent alone, at most. */
const MAX_ALONE = 5;

/** The files that wrapping changed: those that are the same in all runs of the agent alone, and other ones when wrapped. */
export async function homeChanges(
  wrapped: Readonly<Record<'whole' | 'pruned', HomeFolder>>,
  run: () => Promise<HomeFolder>,
) {
  const first = await run();
  const others = [await run()];
  for (;;) {
    const noise = new Set(others.flatMap((other) => differences(first, other)));
    // A pruned session may do without a compaction of the agent's own, which its texts show.
    const changed = [...differences(first, wrapped.whole), ...missingFiles(first, wrapped.pruned)];
    const left = [...new Set(changed)].filter((one) => !noise.has(one));
    if (left.length === 0 || others.length + 1 >= MAX_ALONE)
      return { left, noise: [...noise].sort(), files: first.size };
    others.push(await run());
  }
}
