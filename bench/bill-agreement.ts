import { callDollars } from '../src/economics/bill.ts';
import { cacheRuleOf } from '../src/economics/cache-rules.ts';
import { canonicalModel } from '../src/economics/model-name.ts';
import { MISS_CAUSES, type RecordedCall, recordedCalls } from '../src/lab/recorded-bill.ts';
import type { readSession } from '../src/sessions/read-session.ts';
import { type Row, rowOf } from './row.ts';

interface Recorded extends Pick<ReturnType<typeof readSession>, 'session' | 'format'> {
  readonly file: string;
}

const HOUR_MS = 60 * 60_000;
/** Fewer sessions say nothing about a provider. */
const LEAST_SESSIONS = 10;
/** A shorter session is mostly its first call. */
const LEAST_CALLS = 10;

function providerOf(model: string): string {
  const name = canonicalModel(model);
  if (name.startsWith('claude')) return 'anthropic';
  if (name.startsWith('gemini')) return 'google';
  return /^(?:gpt|o\d|codex)/.test(name) ? 'openai' : 'other';
}

/** A call with what the rules say that the cache contained of it. */
interface SimulatedCall {
  readonly call: RecordedCall;
  readonly agent: string;
  readonly isHour: boolean;
  readonly isFirst: boolean;
  /** Tokens of the last prompt that a cache which loses nothing still has; 0 after its lifetime and a rebuilt context, all of a first call. */
  readonly keptTokens: number;
}

/** Sees the size and time of each call, and where the context was rebuilt; never the recorded reads and writes. */
function simulated({ session, format, file }: Recorded): readonly SimulatedCall[] {
  let last: RecordedCall | undefined;
  return recordedCalls(session).map((call): SimulatedCall => {
    const rule = cacheRuleOf(call.model);
    // Claude Code on a subscription asks for an hour in its main conversation; sub-agents have five minutes.
    const isHour = format.name === 'claude-code' && rule.marks !== undefined && !file.includes('subagents');
    const lifetimeMs = isHour ? HOUR_MS : rule.lifetimeMs;
    const isTimed = call.atMs !== undefined && last?.atMs !== undefined;
    const isLost =
      last === undefined ||
      canonicalModel(last.model) !== canonicalModel(call.model) ||
      call.rebuilt !== undefined ||
      (isTimed && call.atMs! - last.atMs! >= lifetimeMs);
    const isFirst = last === undefined;
    const shared = isFirst
      ? call.usage.promptTokens
      : isLost
        ? 0
        : Math.min(last!.usage.promptTokens, call.usage.promptTokens);
    const keptTokens = shared < rule.leastTokens ? 0 : Math.floor(shared / rule.stepTokens) * rule.stepTokens;
    last = call;
    return { call, agent: format.name, isHour, isFirst, keptTokens };
  });
}

/** How much of what could be read is read: by first calls, which other sessions can have written, and by later ones. */
interface Shares {
  readonly first: number;
  readonly later: number;
}

/** A first call reads nothing, later calls all that is kept. */
const RULES: Shares = { first: 0, later: 1 };

/** What a call costs if these shares are read. */
function dollarsOf({ call, isHour, isFirst, keptTokens }: SimulatedCall, shares: Shares): number {
  const { promptTokens, completionTokens } = call.usage;
  const cachedTokens = (isFirst ? shares.first : shares.later) * keptTokens;
  const written = promptTokens - cachedTokens;
  return callDollars(call.price, {
    cachedTokens,
    writtenTokens: isHour ? 0 : written,
    writtenHourTokens: isHour ? written : 0,
    uncachedTokens: 0,
    outputTokens: completionTokens,
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const percent = (ratio: number): string => `${ratio > 0 ? '+' : ''}${(100 * ratio).toFixed(1)}%`;
const share = (ratio: number): string => `${(100 * ratio).toFixed(1)}%`;
const quantile = (values: readonly number[], at: number): number =>
  [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(at * values.length))] ?? 0;

/** The shares that were read in these sessions. */
function readShares(sessions: readonly (readonly SimulatedCall[])[]): Shares {
  const shareOf = (calls: readonly SimulatedCall[]): number =>
    sum(calls.map(({ call, keptTokens }) => Math.min(call.usage.cachedTokens ?? 0, keptTokens))) /
    Math.max(1, sum(calls.map(({ keptTokens }) => keptTokens)));
  const calls = sessions.flat();
  return {
    first: shareOf(calls.filter(({ isFirst }) => isFirst)),
    later: shareOf(calls.filter(({ isFirst }) => !isFirst)),
  };
}

/** What the other sessions of the same agent read; those of all agents if they are fewer than ten. */
function sharesOfOthers(own: readonly SimulatedCall[], all: readonly (readonly SimulatedCall[])[]): Shares {
  const others = all.filter((other) => other !== own);
  const same = others.filter((other) => other[0]!.agent === own[0]!.agent);
  return readShares(same.length < LEAST_SESSIONS ? others : same);
}

interface Agreement {
  readonly total: number;
  readonly median: number;
  readonly p90: number;
}

function agreementOf(
  sessions: readonly (readonly SimulatedCall[])[],
  sharesFor: (session: readonly SimulatedCall[]) => Shares,
): Agreement {
  const bills = sessions.map((calls) => {
    const shares = sharesFor(calls);
    return {
      recorded: sum(calls.map(({ call }) => call.dollars)),
      simulated: sum(calls.map((call) => dollarsOf(call, shares))),
    };
  });
  const errors = bills.map(({ recorded, simulated: own }) => Math.abs(own / recorded - 1));
  const total = sum(bills.map((bill) => bill.simulated)) / sum(bills.map(({ recorded }) => recorded)) - 1;
  return { total, median: quantile(errors, 0.5), p90: quantile(errors, 0.9) };
}

/** The simulated bill of recorded calls beside their recorded usage, per provider. */
export function billAgreement(sessions: readonly Recorded[]): readonly Row[] {
  const played = sessions
    .map(simulated)
    .filter((calls) => calls.length > 0 && calls.every(({ call }) => call.price.match !== 'unknown'));
  const reported = played.filter((calls) => calls.some(({ call }) => (call.usage.cachedTokens ?? 0) > 0));
  console.log(
    `\nSimulated bill of the recorded calls: ${reported.length} sessions; ${played.length - reported.length} more report no cached token.`,
  );
  const rows: Row[] = [];
  for (const provider of ['anthropic', 'openai', 'google', 'other']) {
    const own = reported.filter((calls) => providerOf(calls[0]!.call.model) === provider);
    if (own.length < LEAST_SESSIONS) {
      console.log(`  ${provider}: ${own.length} sessions, fewer than ${LEAST_SESSIONS}`);
      continue;
    }
    const rules = agreementOf(own, () => RULES);
    const others = agreementOf(own, (calls) => sharesOfOthers(calls, own));
    const long = agreementOf(
      own.filter((calls) => calls.length >= LEAST_CALLS),
      (calls) => sharesOfOthers(calls, own),
    );
    const all = own.flat();
    const recorded = sum(all.map(({ call }) => call.dollars));
    console.log(
      `  ${provider}: ${own.length} sessions, ${all.length} calls, $${recorded.toFixed(2)}; read: ${share(readShares(own).first)} of first calls, ${share(readShares(own).later)} of what the rules keep`,
    );
    for (const [name, { total, median, p90 }] of [
      ['rules alone', rules],
      ['with the shares that other sessions read', others],
      [`the same, sessions of at least ${LEAST_CALLS} calls`, long],
    ] as const)
      console.log(`    ${name}: sum ${percent(total)}, sessions: median ${share(median)}, p90 ${share(p90)}`);
    const causes = [...MISS_CAUSES, undefined].map((cause) => {
      const calls = all.filter(({ call }) => call.miss?.cause === cause);
      const off = sum(calls.map((one) => dollarsOf(one, RULES) - one.call.dollars));
      return `${cause ?? 'read'} ${percent(off / recorded)} (${calls.length} calls)`;
    });
    console.log(`    rules alone, deviation by cause of the recorded miss: ${causes.join(', ')}`);
    rows.push(
      rowOf(`economics.agreement.${provider}.rules`, 'percent', [100 * rules.total]),
      rowOf(`economics.agreement.${provider}.total`, 'percent', [100 * others.total]),
      rowOf(`economics.agreement.${provider}.p90`, 'percent', [100 * others.p90]),
    );
  }
  return rows;
}
