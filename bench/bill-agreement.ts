import { canonicalModel } from '../src/economics/model-name.ts';
import { CacheLosses, isLost, lossRate } from './cache-losses.ts';
import { seededRandom } from './random.ts';
import { type Row, rowOf } from './row.ts';
import {
  dollarsOf,
  type RecordedSession,
  type SimulatedCall,
  type SimulatedSession,
  simulatedSession,
  sum,
} from './simulated-call.ts';

/** Fewer sessions say nothing about a provider. */
const MIN_SESSIONS = 10;
/** A shorter session is mostly its first call. */
const LONG_CALLS = 10;
/** How often losses are drawn for each session. */
const DRAWS = 100;

function providerOf(model: string): string {
  const name = canonicalModel(model);
  if (name.startsWith('claude')) return 'anthropic';
  if (name.startsWith('gemini')) return 'google';
  return /^(?:gpt|o\d|codex)/.test(name) ? 'openai' : 'other';
}

const percent = (ratio: number): string => `${ratio > 0 ? '+' : ''}${(100 * ratio).toFixed(1)}%`;
const share = (ratio: number): string => `${(100 * ratio).toFixed(1)}%`;
const quantile = (values: readonly number[], at: number): number =>
  [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(at * values.length))] ?? 0;

/** Tokens that each call of a session reads. */
type Reads = (session: SimulatedSession, call: SimulatedCall) => number;

/** A cache that loses nothing within its lifetime; a first call reads nothing. */
const byRules: Reads = (_, { isFirst, isLate, sharedTokens }) => (isFirst || isLate ? 0 : sharedTokens);

/** What the sessions that are not excluded say. */
function learned(
  sessions: readonly SimulatedSession[],
  isExcluded: (other: SimulatedSession, own: SimulatedSession) => boolean,
): Reads {
  const known = new Map(
    sessions.map((own) => [own, new CacheLosses(sessions.filter((other) => !isExcluded(other, own)))]),
  );
  return (session, call) => known.get(session)!.expectedTokens(session, call);
}

const billOf = (session: SimulatedSession, reads: Reads): number =>
  sum(session.calls.map((call) => dollarsOf(call, reads(session, call))));

interface Agreement {
  readonly total: number;
  readonly median: number;
  readonly p90: number;
  /** The p90 of the sessions with many calls. */
  readonly longP90: number;
}

const recordedBill = ({ calls }: SimulatedSession): number => sum(calls.map(({ call }) => call.dollars));

function agreementOf(sessions: readonly SimulatedSession[], reads: Reads): Agreement {
  const bills = sessions.map((session) => ({
    recorded: recordedBill(session),
    simulated: billOf(session, reads),
    isLong: session.calls.length >= LONG_CALLS,
  }));
  const errorOf = ({ recorded, simulated }: (typeof bills)[number]): number => Math.abs(simulated / recorded - 1);
  return {
    total: sum(bills.map(({ simulated }) => simulated)) / sum(bills.map(({ recorded }) => recorded)) - 1,
    median: quantile(bills.map(errorOf), 0.5),
    p90: quantile(bills.map(errorOf), 0.9),
    longP90: quantile(bills.filter(({ isLong }) => isLong).map(errorOf), 0.9),
  };
}

/**
 * How far bills are from their expected value if each loss is drawn with its rate and nothing else is unknown: first calls
 * read what they read, and rates and tails are those of these very sessions. With these facts, and if losses do not depend on each other, nothing is closer on average.
 */
function chanceAlone(sessions: readonly SimulatedSession[]): { readonly p90: number; readonly longP90: number } {
  const losses = new CacheLosses(sessions);
  const { next } = seededRandom(1);
  const errors: { readonly error: number; readonly isLong: boolean }[] = [];
  for (const session of sessions) {
    const choices = session.calls.map((call) => {
      if (call.isFirst || call.sharedTokens === 0) {
        const dollars = dollarsOf(call, call.isFirst ? (call.call.usage.cachedTokens ?? 0) : 0);
        return { lost: dollars, found: dollars, lostRatio: 0 };
      }
      const { lost, found } = losses.outcomesOf(session, call);
      const { lostRatio } = losses.rateOf(session, call) ?? { lostRatio: 0 };
      return { lost: dollarsOf(call, lost), found: dollarsOf(call, found), lostRatio };
    });
    const expected = sum(choices.map(({ lost, found, lostRatio }) => lostRatio * lost + (1 - lostRatio) * found));
    for (let draw = 0; draw < DRAWS; draw++) {
      const drawn = sum(choices.map(({ lost, found, lostRatio }) => (next() < lostRatio ? lost : found)));
      errors.push({ error: Math.abs(expected / drawn - 1), isLong: session.calls.length >= LONG_CALLS });
    }
  }
  return {
    p90: quantile(
      errors.map(({ error }) => error),
      0.9,
    ),
    longP90: quantile(
      errors.filter(({ isLong }) => isLong).map(({ error }) => error),
      0.9,
    ),
  };
}

/** How often caches were lost: within their lifetime after a result and after the user wrote, and after it. */
function printLosses(sessions: readonly SimulatedSession[]): void {
  const later = sessions.flatMap(({ calls }) =>
    calls.filter(({ isFirst, sharedTokens }) => !isFirst && sharedTokens > 0),
  );
  const kinds: readonly (readonly [string, (call: SimulatedCall) => boolean])[] = [
    ['in time, after a result', ({ isLate, afterUser }) => !isLate && !afterUser],
    ['in time, after the user', ({ isLate, afterUser }) => !isLate && afterUser],
    ['late or another model', ({ isLate }) => isLate],
  ];
  const texts = kinds.map(([name, isKind]) => {
    const own = later.filter(isKind);
    const { lostRatio, tailTokens } = lossRate(own);
    return `${name} ${share(lostRatio)} of ${own.length} (tail ${Math.round(tailTokens)})`;
  });
  console.log(`    lost: ${texts.join('; ')}`);
}

/** The simulated bill of recorded calls beside their recorded usage, per provider. */
export function billAgreement(recorded: readonly RecordedSession[]): readonly Row[] {
  const played = recorded
    .map(simulatedSession)
    .filter(({ calls }) => calls.length > 0 && calls.every(({ call }) => call.price.match !== 'unknown'));
  const reported = played.filter(({ calls }) => calls.some(({ call }) => (call.usage.cachedTokens ?? 0) > 0));
  console.log(
    `\nSimulated bill of the recorded calls: ${reported.length} sessions; ${played.length - reported.length} more report no cached token. p90: of all sessions, of those with at least ${LONG_CALLS} calls.`,
  );
  const rows: Row[] = [];
  for (const provider of ['anthropic', 'openai', 'google', 'other']) {
    const own = reported.filter(({ calls }) => providerOf(calls[0]!.call.model) === provider);
    if (own.length < MIN_SESSIONS) {
      console.log(`  ${provider}: ${own.length} sessions, fewer than ${MIN_SESSIONS}`);
      continue;
    }
    const rules = agreementOf(own, byRules);
    const fromOthers = learned(own, (other, session) => other === session);
    const others = agreementOf(own, fromOthers);
    const isRead: Reads = (_, { call }) => call.usage.cachedTokens ?? 0;
    const firstKnown = agreementOf(own, (session, call) => (call.isFirst ? isRead : fromOthers)(session, call));
    const elsewhere = agreementOf(
      own,
      learned(own, (other, session) => other.repository === session.repository),
    );
    const chance = chanceAlone(own);
    const unlost = own.filter(({ calls }) => !calls.some((call) => !call.isFirst && !call.isLate && isLost(call)));
    const unlostRules = agreementOf(unlost, (session, call) => (call.isFirst ? isRead : byRules)(session, call));
    const calls = own.flatMap((session) => session.calls);
    console.log(
      `  ${provider}: ${own.length} sessions, ${calls.length} calls, $${sum(own.map(recordedBill)).toFixed(2)}`,
    );
    for (const [name, { total, median, p90, longP90 }] of [
      ['rules alone', rules],
      ['learned from other sessions', others],
      ['learned from other repositories', elsewhere],
      ['learned from other sessions, first calls known', firstKnown],
      ['every read known', agreementOf(own, isRead)],
      [`rules alone, first calls known, ${unlost.length} sessions that lost nothing in time`, unlostRules],
    ] as const)
      console.log(`    ${name}: sum ${percent(total)}, median ${share(median)}, p90 ${share(p90)}, ${share(longP90)}`);
    console.log(`    chance alone: p90 ${share(chance.p90)}, ${share(chance.longP90)}`);
    printLosses(own);
    rows.push(
      rowOf(`economics.agreement.${provider}.rules`, 'percent', [100 * rules.total]),
      rowOf(`economics.agreement.${provider}.total`, 'percent', [100 * others.total]),
      rowOf(`economics.agreement.${provider}.p90`, 'percent', [100 * others.p90]),
      rowOf(`economics.agreement.${provider}.long-p90`, 'percent', [100 * others.longP90]),
      rowOf(`economics.agreement.${provider}.unlost-p90`, 'percent', [100 * unlostRules.p90]),
      rowOf(`economics.agreement.${provider}.chance-p90`, 'percent', [100 * chance.p90]),
    );
  }
  return rows;
}
