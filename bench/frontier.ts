import path from 'node:path';
import { SAVING_CAUSES } from '../src/lab/played/cause-savings.ts';
import type { CallBill } from '../src/lab/played/played-bill.ts';
import type { RecommendedBill } from '../src/lab/recommended-bill.ts';
import { upperBound } from '../src/lab/tune/upper-bound.ts';
import { median, type Row, rowOf } from './row.ts';

/** A session under `recommended`, at the prices of one generation. */
export interface FrontierSession extends Pick<RecommendedBill, 'calls' | 'savedBy' | 'without' | 'recommended'> {
  readonly file: string;
  readonly tokensSentRaw: number;
  readonly tokensSent: number;
  readonly evidencedEdits: number;
  readonly regrettedEdits: number;
}

/** 38% of all tokens of the first 88 sessions. */
const LONG_PI_SESSION = 'pi-mono__large-session.jsonl';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const percent = (ratio: number, digits = 1): string => `${ratio > 0 ? '+' : ''}${(100 * ratio).toFixed(digits)}%`;

export const promptOf = ({ cachedTokens, writtenTokens, writtenHourTokens, uncachedTokens }: CallBill): number =>
  cachedTokens + writtenTokens + writtenHourTokens + uncachedTokens;

/** The first call, from 1, whose prompt reaches the threshold; `undefined` if none does. */
function reachedAt(calls: readonly CallBill[], thresholdTokens: number): number | undefined {
  const at = calls.findIndex((call) => promptOf(call) >= thresholdTokens);
  return at === -1 ? undefined : at + 1;
}

/** Sessions that reach the threshold without and with pruning, and how many times as many calls pruning leaves until then. */
function windowOf(sessions: readonly FrontierSession[], thresholdTokens: number) {
  const full = sessions.flatMap(({ calls }) => {
    const without = reachedAt(
      calls.map(({ recorded }) => recorded),
      thresholdTokens,
    );
    const pruned = reachedAt(
      calls.map((call) => call.pruned),
      thresholdTokens,
    );
    // A session that ends before the threshold lasted at least as long as it is.
    return without === undefined ? [] : [{ isStill: pruned !== undefined, ratio: (pruned ?? calls.length) / without }];
  });
  const still = full.filter(({ isStill }) => isStill).length;
  return { full: full.length, still, longer: median(full.map(({ ratio }) => ratio)) };
}

function figures(sessions: readonly FrontierSession[]) {
  const without = sum(sessions.map((one) => one.without));
  const edits = sum(sessions.map((one) => one.evidencedEdits));
  const regretted = sum(sessions.map((one) => one.regrettedEdits));
  return {
    saved: 1 - sum(sessions.map((one) => one.tokensSent)) / sum(sessions.map((one) => one.tokensSentRaw)),
    change: sum(sessions.map((one) => one.recommended)) / without - 1,
    without,
    edits,
    regretted,
    atMost: upperBound(regretted, edits),
  };
}

/** Prints and returns what a generation of prices lets `recommended` save, by cause, and what was regretted. */
export function frontier(
  name: string,
  sessions: readonly FrontierSession[],
  { thresholdTokens }: { readonly thresholdTokens: number },
): readonly Row[] {
  const all = figures(sessions);
  const { saved, change, edits, regretted, atMost, without } = all;
  console.log(
    `  frontier: ${percent(-saved)} tokens, ${percent(change)} bill, ${regretted} of ${edits} edits regretted (95%: < ${percent(atMost, 2).slice(1)})`,
  );
  const withoutPi = figures(sessions.filter(({ file }) => path.basename(file) !== LONG_PI_SESSION));
  console.log(
    `  without the long session of pi: ${percent(-withoutPi.saved)} tokens, ${percent(withoutPi.change)} bill, ${withoutPi.regretted} of ${withoutPi.edits} regretted`,
  );
  const largest = sessions.reduce((one, other) => (other.tokensSentRaw > one.tokensSentRaw ? other : one));
  const rest = figures(sessions.filter((one) => one !== largest));
  const share = largest.tokensSentRaw / sum(sessions.map((one) => one.tokensSentRaw));
  console.log(
    `  without the largest session (${percent(share).slice(1)} of all tokens): ${percent(-rest.saved)} tokens, ${percent(rest.change)} bill, ${rest.regretted} of ${rest.edits} regretted`,
  );
  const rows: Row[] = [
    rowOf(`${name}.saved`, 'percent', [100 * saved]),
    rowOf(`${name}.regretted`, 'count', [regretted]),
    rowOf(`${name}.regretted-at-most`, 'percent', [100 * atMost]),
    rowOf(`${name}.change-without-largest`, 'percent', [100 * rest.change]),
    rowOf(`${name}.change-without-pi`, 'percent', [100 * withoutPi.change]),
  ];
  for (const cause of SAVING_CAUSES) {
    const own = sessions.flatMap(({ savedBy }) => savedBy[cause] ?? []);
    const dollars = sum(own.map((one) => one.dollars));
    const moves = sum(own.map((one) => one.moves));
    if (own.length > 0) {
      console.log(
        `  saved by cause: ${cause.padEnd(6)} $${dollars.toFixed(2)}, ${percent(dollars / without, 2)} of the bill, ${moves} times in ${own.length} sessions`,
      );
    }
    // Nothing is compressed here, so that no window is saved.
    if (cause === 'always' || cause === 'compressed' || cause === 'room') continue;
    rows.push(rowOf(`${name}.by-${cause}`, 'percent', [(-100 * dollars) / without]));
  }
  const idle = sessions.filter(({ savedBy }) => Object.keys(savedBy).length === 0).length;
  const { full, still, longer } = windowOf(sessions, thresholdTokens);
  console.log(
    `  did nothing in ${idle} of ${sessions.length} sessions; threshold of ${Math.round(thresholdTokens / 1000)}k reached by ${full} sessions without, ${still} with pruning${full === 0 ? '' : `; calls until then at least × ${longer.toFixed(2)} at the median`}`,
  );
  const counts = { 'idle-sessions': idle, 'full-without': full, 'full-pruned': still };
  return [...rows, ...Object.entries(counts).map(([what, count]) => rowOf(`${name}.${what}`, 'count', [count]))];
}
