import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../errors.ts';
import { TimeSlice } from '../../time-slice.ts';

/** A file, its size, and when it was kept last, in milliseconds since 1970. */
export interface KeptFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly keptAt: number;
}

const STATS_AT_ONCE = 64;
/** Files of one such time are sorted together. */
const GROUP_MS = 60_000;
/** A later time than now was written by a clock that went back since. A disk elsewhere may have a clock that is a little ahead. */
const AHEAD_MS = 10 * 60_000;

/** The files of a folder that `isWanted`, in no order, with the thread free between slices. None if there is no folder. @throws the system's error. */
export async function* filesIn(folder: string, isWanted: (name: string) => boolean): AsyncGenerator<KeptFile> {
  const slice = new TimeSlice();
  let names: string[] = [];
  const stats = async (): Promise<KeptFile[]> => {
    const found = await Promise.all(
      names.map(async (name) => {
        // Another process may have deleted it.
        const status = await stat(path.join(folder, name)).catch(() => undefined);
        return status && { name, sizeBytes: status.size, keptAt: status.mtimeMs };
      }),
    );
    names = [];
    return found.filter((file) => file !== undefined);
  };
  try {
    for await (const { name } of await opendir(folder, { bufferSize: STATS_AT_ONCE })) {
      if (isWanted(name)) names.push(name);
      if (names.length >= STATS_AT_ONCE) yield* await stats();
      if (slice.isOver()) await slice.next();
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  yield* await stats();
}

/**
 * The files that were kept longest ago, beyond the newest that have `mostBytes` together. Only those of one minute are sorted: a
 * million at once would hold the thread for a second.
 */
export async function* oldestBeyond(
  files: readonly KeptFile[],
  mostBytes: number,
  nowMs: number,
): AsyncGenerator<KeptFile> {
  const slice = new TimeSlice();
  const groupOf = ({ keptAt }: KeptFile): number =>
    keptAt > nowMs + AHEAD_MS ? Number.NEGATIVE_INFINITY : Math.floor(keptAt / GROUP_MS);
  const sizes = new Map<number, number>();
  for (const file of files) {
    sizes.set(groupOf(file), (sizes.get(groupOf(file)) ?? 0) + file.sizeBytes);
    if (slice.isOver()) await slice.next();
  }
  let left = mostBytes;
  /** Of which only a part has room; absent: all have. */
  let last: number | undefined;
  for (const group of [...sizes.keys()].sort((one, other) => other - one)) {
    if (sizes.get(group)! > left) {
      last = group;
      break;
    }
    left -= sizes.get(group)!;
  }
  if (last === undefined) return;
  const partly: KeptFile[] = [];
  for (const file of files) {
    const group = groupOf(file);
    if (group === last) partly.push(file);
    else if (group < last) yield file;
    if (slice.isOver()) await slice.next();
  }
  for (const file of partly.sort((one, other) => other.keptAt - one.keptAt)) {
    left -= file.sizeBytes;
    if (left < 0) yield file;
  }
}
