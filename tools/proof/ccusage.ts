import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { groupBy } from '../../src/content/group-by.ts';
import { PRICES_AS_OF, priceOf } from '../../src/economics/prices.ts';
import { homeOf, installedCcusage, placeOf } from './ccusage/agent-home.ts';
import { moveCalls } from './ccusage/moved-calls.ts';
import { recordedSessions } from './recorded-sessions.ts';

const DENSITY = path.resolve(import.meta.dirname, '../../../dist/density.js');
const SETS = ['data', 'more-data', 'modern-data'] as const;
const MAX_BYTES = 256 * 1024 * 1024;
const run = promisify(execFile);

/** US dollars by month. */
type Months = ReadonlyMap<string, number>;

interface BillRow {
  readonly month: string;
  readonly session: string;
  readonly model: string;
  readonly dollars: number;
  readonly unknown: readonly string[];
}

async function ourRows(home: string, place: string, by: 'month' | 'session' | 'model'): Promise<readonly BillRow[]> {
  const env = { PATH: process.env['PATH'], HOME: home };
  const { stdout } = await run(process.execPath, [DENSITY, 'bill', path.join(home, place), '--by', by, '--json'], {
    env,
    maxBuffer: MAX_BYTES,
  });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as BillRow);
}

async function theirMonths(ccusage: string, home: string, place: string): Promise<Months> {
  const env = { PATH: process.env['PATH'], HOME: home };
  const agent = place.startsWith('.codex') ? 'codex' : 'claude';
  const { stdout } = await run(ccusage, [agent, 'monthly', '--json', '--offline', '-z', 'UTC'], {
    env,
    maxBuffer: MAX_BYTES,
  });
  const { monthly } = JSON.parse(stdout) as {
    readonly monthly: readonly { readonly month: string; readonly totalCost?: number; readonly costUSD?: number }[];
  };
  return new Map(monthly.map(({ month, totalCost, costUSD = 0 }) => [month, totalCost ?? costUSD]));
}

const cents = (dollars = 0): string => `$${dollars.toFixed(2)}`;

interface Compared {
  readonly dollars: number;
  readonly months: number;
  readonly differing: number;
  /** Months that differ for no known reason. */
  readonly unexplained: number;
}

/**
 * Why ccusage has other dollars for a month, and who is right; undefined if no reason is found. ccusage has one price of each
 * model, that of today. If a price has changed since, the same calls on the day of our newest prices have the dollars of ccusage.
 */
async function causeOf(
  month: string,
  theirs: number,
  place: string,
  files: readonly string[],
): Promise<string | undefined> {
  const home = homeOf(place, files);
  try {
    moveCalls(
      files.map((file) => path.join(home, place, path.basename(file))),
      { month, day: PRICES_AS_OF },
    );
    const moved = (await ourRows(home, place, 'month')).find((row) => row.month === PRICES_AS_OF.slice(0, 7));
    if (cents(moved?.dollars) !== cents(theirs)) return undefined;
    const rows = await ourRows(home, place, 'model');
    const changed = rows.filter(({ model }) => !isDeepStrictEqual(priceOf(model), priceOf(model, Date.parse(month))));
    if (changed.length === 0) return undefined;
    return `the price of ${changed.map(({ model }) => model).join(', ')} changed since; ccusage takes today's, bill that of the day, which is right; at today's prices, bill has ${cents(moved?.dollars)} too`;
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** Compares the months of these sessions. A difference is printed with its cause. */
async function compared(ccusage: string, place: string, files: readonly string[]): Promise<Compared> {
  const home = homeOf(place, files);
  try {
    const theirs = await theirMonths(ccusage, home, place);
    const ours = new Map((await ourRows(home, place, 'month')).map(({ month, dollars }) => [month, dollars]));
    const months = [...new Set([...theirs.keys(), ...ours.keys()])].sort();
    const differing = months.filter((month) => cents(theirs.get(month)) !== cents(ours.get(month)));
    let unexplained = 0;
    for (const month of differing) {
      const cause = await causeOf(month, theirs.get(month) ?? 0, place, files);
      if (cause === undefined) unexplained++;
      const facts = `ccusage ${cents(theirs.get(month))}, bill ${cents(ours.get(month))}`;
      console.log(`  ${month}: ${facts}: ${cause ?? 'no cause is known'}.`);
    }
    const dollars = [...ours.values()].reduce((sum, one) => sum + one, 0);
    return { dollars, months: months.length, differing: differing.length, unexplained };
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** Sessions with calls of a model that no vendor has a price of, with these models. */
async function unpricedSessions(place: string, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const home = homeOf(place, files);
  try {
    const rows = (await ourRows(home, place, 'session')).filter(({ unknown }) => unknown.length > 0);
    return new Map(rows.map(({ session, unknown }) => [path.basename(session), unknown.join(', ')]));
  } finally {
    rmSync(home, { recursive: true });
  }
}

/**
 * `density bill` and ccusage have the same dollars, to the cent, in each month of each set of recorded sessions, or others whose cause is found. Sessions of models
 * that no vendor has a price of are left out and named: ccusage takes the price of another model for them, `bill` none.
 * Parameter: the folder in which ccusage is installed.
 */
export async function prove([folder = '.']: readonly string[]): Promise<boolean> {
  const ccusage = installedCcusage(folder);
  if (ccusage === undefined) return false;
  const { stdout: version } = await run(ccusage, ['--version']);
  let sessions = 0;
  let dollars = 0;
  let months = 0;
  let differing = 0;
  let unexplained = 0;
  for (const set of SETS) {
    const byPlace = groupBy(recordedSessions([set]), placeOf);
    for (const [place, files] of byPlace) {
      if (place === undefined) continue;
      const unpriced = await unpricedSessions(place, files);
      for (const [session, models] of unpriced) console.log(`${set}: ${session} is left out: no price of ${models}.`);
      const priced = files.filter((file) => !unpriced.has(path.basename(file)));
      const result = await compared(ccusage, place, priced);
      console.log(
        `${set} ${place.split('/')[0]}: ${priced.length} sessions, ${result.months} months, ${cents(result.dollars)}, ${result.differing} differing`,
      );
      sessions += priced.length;
      dollars += result.dollars;
      months += result.months;
      differing += result.differing;
      unexplained += result.unexplained;
    }
  }
  console.log(
    `${version.trim()}: ${sessions} sessions, ${months} months of sets, ${cents(dollars)}: ${differing} differ by a cent or more, ${unexplained} of them without a known cause.`,
  );
  return sessions > 0 && unexplained === 0;
}
