import { existsSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { CompressionStrategyError } from '../../errors.ts';

/** A larger database is not copied: that would take as much time and space again. */
const MAX_COPIED_BYTES = 512 * 1024 * 1024;

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** True if a copy of a database and its log would be too large. */
export const isTooLargeToCopy = (file: string): boolean => sizeOf(file) + sizeOf(`${file}-wal`) > MAX_COPIED_BYTES;

/** What is used of a database of `node:sqlite`. */
interface LiveDatabase {
  exec(sql: string): void;
  prepare(sql: string): { all(...values: readonly (string | number)[]): unknown[] };
  close(): void;
}

interface Sqlite {
  readonly DatabaseSync: new (address: URL, options: { readonly readOnly: boolean }) => LiveDatabase;
}

/** Node's own SQLite, which Node 20 does not have. */
const sqlite = (): Sqlite | undefined =>
  (process as { getBuiltinModule?: (name: string) => unknown }).getBuiltinModule?.('node:sqlite') as Sqlite | undefined;

/**
 * Opens a database where it is, without writing: its agent may write meanwhile, and never waits. Without a log no agent
 * has it open, and SQLite is told that it does not change, else it would leave a log beside it.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` if Node has no SQLite; what SQLite throws.
 */
export function openLiveDatabase(file: string): LiveDatabase {
  const native = sqlite();
  if (native === undefined) {
    const size = `${(sizeOf(file) / 1024 ** 3).toFixed(1)} GB`;
    throw new CompressionStrategyError(
      `Expected a database of less than ${MAX_COPIED_BYTES / 1024 ** 2} MB in ${file}, got ${size}: with Node ${process.version} a copy of it would be needed. Run density with Node 22.13 or newer, which reads it in place.`,
      'SESSION_UNREADABLE',
    );
  }
  const address = pathToFileURL(file);
  if (!existsSync(`${file}-wal`)) address.searchParams.set('immutable', '1');
  return new native.DatabaseSync(address, { readOnly: true });
}
