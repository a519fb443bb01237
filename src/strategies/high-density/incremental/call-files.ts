import type { FileAccess } from '../../../content/files/file-access.ts';
import { addTo } from '../../../content/group-by.ts';
import type { Numbering } from './numbering.ts';

/**
 * The files of a call, by their numbers. A single number, which nearly every call has, is a pure read of
 * that file, and its complement (`~file`, below 0) a write, so that no object per call is needed.
 */
export type CallFiles = number | SeveralFiles;

interface SeveralFiles {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  readonly isPureRead: boolean;
}

const NOTHING: readonly number[] = [];

export const NO_FILES: SeveralFiles = { reads: NOTHING, writes: NOTHING, isPureRead: false };

/** The files of a call, by their existing or new numbers in `files`. */
export function callFiles({ reads, writes, isPureRead }: FileAccess, files: Numbering): CallFiles {
  const fileCount = reads.length + writes.length;
  if (fileCount === 0) return NO_FILES;
  if (fileCount === 1 && isPureRead) return files.of(reads[0]!);
  if (fileCount === 1 && writes.length === 1) return ~files.of(writes[0]!);
  const number = (file: string): number => files.of(file);
  return { reads: reads.map(number), writes: writes.map(number), isPureRead };
}

/** True if a call only reads files. */
export const isPureRead = (files: CallFiles): boolean => (typeof files === 'number' ? files >= 0 : files.isPureRead);

export function filesRead(files: CallFiles): readonly number[] {
  if (typeof files !== 'number') return files.reads;
  return files < 0 ? NOTHING : [files];
}

/** The files that a call writes. */
export function filesWritten(files: CallFiles): readonly number[] {
  if (typeof files !== 'number') return files.writes;
  return files < 0 ? [~files] : NOTHING;
}

/** The files that a call reads, and then the files that it writes. */
export function filesTouched(files: CallFiles): readonly number[] {
  return typeof files === 'number' ? [files < 0 ? ~files : files] : [...files.reads, ...files.writes];
}

/** The rows of the calls on each file, so that a question about one does not cost all calls. */
export class FileRows {
  readonly #rows = new Map<number, number[]>();
  #known = 0;

  /** The rows of calls that touch one of these files, the latest first. Linear in these, and in the calls that are new. */
  on(files: readonly number[], calls: readonly CallFiles[]): number[] {
    for (; this.#known < calls.length; this.#known++) {
      const touched = filesTouched(calls[this.#known]!);
      // A set for each call would be most of the work.
      for (const file of touched.length > 1 ? new Set(touched) : touched) addTo(this.#rows, file, this.#known);
    }
    const [first, ...others] = files.map((file) => this.#rows.get(file) ?? []);
    if (others.length === 0) return first?.toReversed() ?? [];
    // Numbers without a comparison function: the first run asks for all files.
    return [
      ...Uint32Array.from(new Set([first ?? [], ...others].flat()))
        .sort()
        .reverse(),
    ];
  }

  /** Call it when rows from `left` on are removed. */
  cut(left: number): void {
    if (left >= this.#known) return;
    this.#rows.clear();
    this.#known = 0;
  }
}
