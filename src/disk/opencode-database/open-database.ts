import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Database, SQLiteValue } from 'node-sqlite3-wasm';
import { counted, grouped } from '../../content/counted.ts';
import { CompressionStrategyError, messageOf } from '../../errors.ts';
import { isTooLargeToCopy, openLiveDatabase } from './live-database.ts';
import { isPrivateCopy, privateCopy } from './private-copy.ts';

export type Row = Readonly<Record<string, SQLiteValue | undefined>>;
type BindValue = string | number;

/** The rows of a query. */
export type Ask = (sql: string, values?: readonly BindValue[]) => Row[];

/** The tables that sessions are in, by the version of opencode. A database that was updated has both. */
const TABLES = [
  ['session', 'message', 'part'],
  ['session_v2', 'session_message'],
];

/** True if a database has sessions of opencode 2; those of before it are then in the older tables. */
export const hasSecondVersion = (ask: Ask): boolean => hasTables(ask, TABLES[1]!);
export const hasFirstVersion = (ask: Ask): boolean => hasTables(ask, TABLES[0]!);

const namesOf = (ask: Ask): string[] =>
  ask("select name from sqlite_master where type = 'table' order by name").map(({ name }) => String(name));

function hasTables(ask: Ask, tables: readonly string[]): boolean {
  const names = namesOf(ask);
  return tables.every((table) => names.includes(table));
}

/** Loaded when a database is read: nothing else needs its 1.3 MB. */
const sqlite = (): typeof import('node-sqlite3-wasm') =>
  createRequire(import.meta.url)('node-sqlite3-wasm') as typeof import('node-sqlite3-wasm');

function unreadable(file: string, why: string, cause?: unknown): CompressionStrategyError {
  return new CompressionStrategyError(`Expected a database of opencode in ${file}, but ${why}.`, 'SESSION_UNREADABLE', {
    cause,
  });
}

/** A page that is cut short would be read as if it ended in zeros; a page in the log is whole. */
function assertWholePages(file: string, copy: string, ask: Ask): void {
  const pageBytes = Number(ask('pragma page_size')[0]?.['page_size']);
  const { size } = statSync(copy);
  if (size % pageBytes === 0 || existsSync(`${copy}-wal`)) return;
  throw unreadable(
    file,
    `it is cut short: ${counted(size, 'byte')}, no whole number of pages of ${grouped(pageBytes)}`,
  );
}

function assertOfOpencode(file: string, ask: Ask): void {
  const tables = namesOf(ask);
  if (TABLES.some((needed) => needed.every((table) => tables.includes(table)))) return;
  const found = tables.length === 0 ? 'no table' : `the tables ${tables.slice(0, 10).join(', ')}`;
  throw unreadable(file, `it holds ${found}, not ${TABLES[0]!.join(', ')}: it is of another program`);
}

function queryCopy<Result>(file: string, copy: string, use: (ask: Ask) => Result): Result {
  const { Database: SqliteDatabase } = sqlite();
  const database: Database = new SqliteDatabase(copy, { readOnly: true, fileMustExist: true });
  const ask: Ask = (sql, values = []) => database.all(sql, [...values]) as Row[];
  try {
    // Without it the log would need shared memory, which WebAssembly does not have.
    database.exec('pragma locking_mode = exclusive');
    assertWholePages(file, copy, ask);
    assertOfOpencode(file, ask);
    return use(ask);
  } finally {
    database.close();
  }
}

function queryLive<Result>(file: string, use: (ask: Ask) => Result): Result {
  const database = openLiveDatabase(file);
  const ask: Ask = (sql, values = []) => database.prepare(sql).all(...values) as Row[];
  try {
    // All queries see one moment.
    database.exec('begin');
    assertOfOpencode(file, ask);
    return use(ask);
  } finally {
    database.close();
  }
}

/**
 * Queries the present opencode database, in a copy or, if it is large, in place; opencode may be running.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` naming the file: broken, of another program, never still, too large.
 */
export function openDatabase<Result>(file: string, use: (ask: Ask) => Result): Result {
  try {
    if (isPrivateCopy(file)) return queryCopy(file, file, use);
    if (isTooLargeToCopy(file)) return queryLive(file, use);
    const copy = privateCopy(file);
    try {
      return queryCopy(file, copy.path, use);
    } finally {
      copy.remove();
    }
  } catch (error) {
    if (error instanceof CompressionStrategyError) throw error;
    throw unreadable(file, `it cannot be read: ${messageOf(error)}`, error);
  }
}
