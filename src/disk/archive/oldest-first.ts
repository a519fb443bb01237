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
/** Files of a minute, then those of a millisecond, which are in no order. */
const GROUPS_MS = [60_000, 1] as const;

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
 * The files that were kept longest ago, beyond the newest that have `mostBytes` together. They are put in groups, and only the group
 * of which a part has room in smaller ones: to sort a million files would hold the thread for a second.
 */
export async function* oldestBeyond(files: readonly KeptFile[], mostBytes: number): AsyncGenerator<KeptFile> {
  const slice = new TimeSlice();
  let partly = files;
  let left = mostBytes;
  for (const groupMs of GROUPS_MS) {
    const groupOf = ({ keptAt }: KeptFile): number => Math.floor(keptAt / groupMs);
    const sizes = new Map<number, number>();
    for (const file of partly) {
      sizes.set(groupOf(file), (sizes.get(groupOf(file)) ?? 0) + file.sizeBytes);
      if (slice.isOver()) await slice.next();
    }
    const newest = [...sizes].sort(([one], [other]) => other - one);
    const last = newest.find(([, sizeBytes]) => {
      if (sizeBytes > left) return true;
      left -= sizeBytes;
      return false;
    });
    if (last === undefined) return;
    const inLast: KeptFile[] = [];
    for (const file of partly) {
      const group = groupOf(file);
      if (group === last[0]) inLast.push(file);
      else if (group < last[0]) yield file;
      if (slice.isOver()) await slice.next();
    }
    partly = inLast;
  }
  for (const file of partly) {
    left -= file.sizeBytes;
    if (left < 0) yield file;
  }
}
