import { MINUTE_MS } from '../../durations.ts';
import type { WaitKind } from '../cache-miss.ts';

/** A pause that ended: the time from the start of a call to the start of the next one. */
export interface EndedPause {
  readonly wait: WaitKind;
  readonly idleMs: number;
}

/** How many pauses were at least so many minutes long, by the minutes of `MARKS`. */
export type PauseTable = Readonly<Record<WaitKind, readonly number[]>>;

/** Minutes. Between two of them, the same share of pauses ends in each part of the time. */
const MARKS = [0, 4.5, 9, 13.5, 18, 22.5, 27, 31.5, 36, 40.5, 45, 54, 63, 90, 120, 180, 240, 360, 480, 720] as const;

/** Source: 11,880 pauses with times in 193 recorded sessions of public repositories, measured on 2026-11-29 (docs/economics.md). */
export const RECORDED_PAUSES: PauseTable = {
  toolWait: [10777, 88, 32, 18, 13, 11, 7, 7, 5, 5, 5, 4, 4, 4, 4, 4, 3, 2, 1, 1],
  pause: [1102, 352, 258, 198, 174, 162, 148, 136, 129, 118, 111, 103, 85, 65, 49, 42, 35, 31, 28, 23],
};

/** A person's own pauses count as much as the table once there are so many of them that were as long. */
const TABLE_WEIGHT = 100;

/** The table of these pauses. Linear in pauses. */
export function pauseTable(pauses: Iterable<EndedPause>): PauseTable {
  const table: Record<WaitKind, number[]> = { toolWait: MARKS.map(() => 0), pause: MARKS.map(() => 0) };
  for (const { wait, idleMs } of pauses)
    for (let at = 0; at < MARKS.length && idleMs >= MARKS[at]! * MINUTE_MS; at++) table[wait][at]!++;
  return table;
}

/** How many pauses of the table were at least so long. After the last mark as many end in each hour as in the one before: none is known. */
function atLeast(counts: readonly number[], idleMs: number): number {
  const minutes = idleMs / MINUTE_MS;
  const after = MARKS.findIndex((mark) => mark > minutes);
  if (after === -1) return counts.at(-1)!;
  const [from, to] = [MARKS[after - 1]!, MARKS[after]!];
  const [more, fewer] = [counts[after - 1]!, counts[after]!];
  return more + ((minutes - from) / (to - from)) * (fewer - more);
}

/** The share of all pauses of a table, of both kinds, that last at least `fromMs` and end before `toMs` (0 to 1). */
export function shareBetween(table: PauseTable, fromMs: number, toMs: number): number {
  const counts = Object.values(table);
  const longerThan = (ms: number): number => counts.reduce((sum, one) => sum + atLeast(one, ms), 0);
  const all = longerThan(0);
  return all === 0 ? 0 : (longerThan(fromMs) - longerThan(toMs)) / all;
}

/** The lengths of pauses: those of recorded sessions, and a person's own, which take over as they become many. */
export class PauseLengths {
  readonly #table: PauseTable;
  readonly #own: EndedPause[] = [];

  constructor(table: PauseTable) {
    this.#table = table;
  }

  add(pause: EndedPause): void {
    this.#own.push(pause);
  }

  /** The share of the pauses of this kind that last at least `fromMs` and end before `toMs` (0 to 1). Linear in own pauses. */
  endingBetween(wait: WaitKind, fromMs: number, toMs: number): number {
    const counts = this.#table[wait];
    const before = atLeast(counts, fromMs);
    const expected = before === 0 ? 0 : 1 - atLeast(counts, toMs) / before;
    const own = this.#own.filter((pause) => pause.wait === wait && pause.idleMs >= fromMs);
    const ended = own.filter(({ idleMs }) => idleMs < toMs).length;
    return (ended + TABLE_WEIGHT * expected) / (own.length + TABLE_WEIGHT);
  }
}
