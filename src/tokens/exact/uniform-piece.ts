import { NO_RANK } from '../vocabulary/vocabulary.ts';

/** Neighbouring parts of equal length. */
interface Run {
  readonly bytes: number;
  readonly parts: number;
}

/**
 * Tokens of a piece of `length` times the same byte, as `countLongPiece` counts them: all pairs of equal parts are merged at
 * once where no new pair would be merged before the next of them. O(log n) for the vocabularies that we have.
 * @param rankOf the rank of so many of these bytes; `NO_RANK` if they are not a token
 */
export function countUniformPiece(length: number, rankOf: (bytes: number) => number): number {
  let runs: Run[] = [{ bytes: 1, parts: length }];
  for (;;) {
    let lowest = NO_RANK;
    let at = -1;
    let isWithin = false;
    const offer = (bytes: number, run: number, within: boolean): void => {
      const rank = rankOf(bytes);
      if (rank >= lowest) return;
      lowest = rank;
      at = run;
      isWithin = within;
    };
    for (const [run, { bytes, parts }] of runs.entries()) {
      if (parts > 1) offer(2 * bytes, run, true);
      if (run + 1 < runs.length) offer(bytes + runs[run + 1]!.bytes, run, false);
    }
    if (at === -1) return runs.reduce((sum, { parts }) => sum + parts, 0);
    const { bytes, parts } = runs[at]!;
    if (isWithin) {
      const before = runs[at - 1]?.bytes;
      const isNext = (sum: number): boolean => rankOf(sum) < lowest;
      const isInTurn = isNext(3 * bytes) || isNext(4 * bytes) || (before !== undefined && isNext(before + 2 * bytes));
      const pairs = isInTurn ? 1 : Math.floor(parts / 2);
      runs = joined(runs, at, 1, [
        { bytes: 2 * bytes, parts: pairs },
        { bytes, parts: parts - 2 * pairs },
      ]);
    } else {
      const after = runs[at + 1]!;
      runs = joined(runs, at, 2, [
        { bytes, parts: parts - 1 },
        { bytes: bytes + after.bytes, parts: 1 },
        { bytes: after.bytes, parts: after.parts - 1 },
      ]);
    }
  }
}

/** `runs` with others in place of `count` of them, without empty ones, and with equal neighbours as one. */
function joined(runs: readonly Run[], at: number, count: number, by: readonly Run[]): Run[] {
  const found: Run[] = [];
  for (const run of [...runs.slice(0, at), ...by, ...runs.slice(at + count)]) {
    const last = found.at(-1);
    if (last?.bytes === run.bytes) found[found.length - 1] = { ...run, parts: last.parts + run.parts };
    else if (run.parts > 0) found.push(run);
  }
  return found;
}
