import { MINUTE_MS } from '../../durations.ts';

/** What a conversation waits for: a tool that the last answer called, or a person, after an answer that ended the turn. */
export type PauseKind = 'tool' | 'person';

/** A pause that ended: the time from the start of a call to the start of the next one. */
export interface EndedPause {
  readonly kind: PauseKind;
  readonly idleMs: number;
}

/** How many pauses were at least so many minutes long, by the minutes of `MARKS`. */
export type PauseTable = Readonly<Record<PauseKind, readonly number[]>>;

/** Minutes. Between two of them, the same share of pauses ends in each part of the time. */
const MARKS = [0, 4.5, 9, 13.5, 18, 22.5, 27, 31.5, 36, 40.5, 45, 54, 63, 90, 120, 180, 240, 360, 480, 720] as const;

/** A person's own pauses count as much as the table once there are so many of them that were as long. */
const TABLE_WEIGHT = 100;

/** The table of these pauses. Linear in pauses. */
export function pauseTable(pauses: Iterable<EndedPause>): PauseTable {
  const table: Record<PauseKind, number[]> = { tool: MARKS.map(() => 0), person: MARKS.map(() => 0) };
  for (const { kind, idleMs } of pauses)
    for (let at = 0; at < MARKS.length && idleMs >= MARKS[at]! * MINUTE_MS; at++) table[kind][at]!++;
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
  endingBetween(kind: PauseKind, fromMs: number, toMs: number): number {
    const counts = this.#table[kind];
    const before = atLeast(counts, fromMs);
    const expected = before === 0 ? 0 : 1 - atLeast(counts, toMs) / before;
    const own = this.#own.filter((pause) => pause.kind === kind && pause.idleMs >= fromMs);
    const ended = own.filter(({ idleMs }) => idleMs < toMs).length;
    return (ended + TABLE_WEIGHT * expected) / (own.length + TABLE_WEIGHT);
  }
}
