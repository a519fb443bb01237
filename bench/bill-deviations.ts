import { groupBy } from '../src/content/group-by.ts';
import { isLost } from './cache-losses.ts';
import { dollarsOf, type SimulatedCall, type SimulatedSession, sum } from './simulated-call.ts';

/** Why the recorded bill of a call is not what the rules alone say, in the order of the table. */
const CAUSES = [
  'first call read a prompt of other sessions',
  'lost in time, after the user wrote',
  'lost in time, after a result',
  'found less of the prompt, but over half',
  'found more than the rules say, in time',
  'found after its lifetime, or by another model',
  'the agent rebuilt its context',
  'written for another lifetime, or not at all',
] as const;
type Cause = (typeof CAUSES)[number];

/** How much the simulated bill of calls is above the recorded one for one cause. */
interface Deviation {
  readonly cause: Cause;
  readonly calls: number;
  /** Read, more than the rules say; negative: less. */
  readonly tokens: number;
  readonly dollars: number;
}

interface CallDeviation {
  readonly cause: Cause;
  readonly tokens: number;
  readonly dollars: number;
}

function causeOf(call: SimulatedCall, readMore: number): Cause {
  if (call.isFirst) return 'first call read a prompt of other sessions';
  if (call.isLate) return 'found after its lifetime, or by another model';
  if (call.call.rebuilt !== undefined) return 'the agent rebuilt its context';
  if (readMore > 0) return 'found more than the rules say, in time';
  if (!isLost(call)) return 'found less of the prompt, but over half';
  return call.afterUser ? 'lost in time, after the user wrote' : 'lost in time, after a result';
}

/** What a call read other than the rules say, and apart from that how its input was written. */
function deviationsOf(call: SimulatedCall): readonly CallDeviation[] {
  const read = call.call.usage.cachedTokens ?? 0;
  const expected = call.isFirst || call.isLate ? 0 : call.sharedTokens;
  const asRead = dollarsOf(call, read);
  return [
    { cause: causeOf(call, read - expected), tokens: read - expected, dollars: dollarsOf(call, expected) - asRead },
    { cause: 'written for another lifetime, or not at all', tokens: 0, dollars: asRead - call.call.dollars },
  ].filter(({ dollars }) => Math.abs(dollars) > 1e-9) as readonly CallDeviation[];
}

/** By cause, how far the bill by the rules alone is from the recorded one. */
function deviationsBy(sessions: readonly SimulatedSession[]): readonly Deviation[] {
  const all = groupBy(
    sessions.flatMap(({ calls }) => calls.flatMap(deviationsOf)),
    ({ cause }) => cause,
  );
  return CAUSES.flatMap((cause) => {
    const own = all.get(cause) ?? [];
    const [tokens, dollars] = [sum(own.map((one) => one.tokens)), sum(own.map((one) => one.dollars))];
    return own.length === 0 ? [] : [{ cause, calls: own.length, tokens, dollars }];
  });
}

const WORST = 10;

/** Prints what makes the bill by the rules alone differ from the recorded one, in all sessions and in the worst ones. */
export function printDeviations(sessions: readonly SimulatedSession[]): void {
  const all = deviationsBy(sessions);
  const absolute = sum(all.map(({ dollars }) => Math.abs(dollars)));
  console.log('    rules alone less recorded, by cause: calls, tokens read more, dollars, share of all deviations');
  for (const { cause, calls, tokens, dollars } of all)
    console.log(
      `      ${cause}: ${calls}, ${Math.round(tokens)}, ${dollars.toFixed(2)}, ${((100 * Math.abs(dollars)) / absolute).toFixed(1)}%`,
    );
  const worst = sessions
    .map((session) => {
      const recorded = sum(session.calls.map(({ call }) => call.dollars));
      const own = deviationsBy([session]);
      return { session, recorded, own, error: sum(own.map(({ dollars }) => dollars)) / recorded };
    })
    .sort((one, other) => Math.abs(other.error) - Math.abs(one.error))
    .slice(0, WORST);
  console.log('    the sessions that are furthest off, and the two largest causes of each');
  for (const { session, recorded, own, error } of worst) {
    const causes = [...own].sort((one, other) => Math.abs(other.dollars) - Math.abs(one.dollars)).slice(0, 2);
    const texts = causes.map(({ cause, calls, dollars }) => `${cause} (${calls}, ${dollars.toFixed(2)})`);
    console.log(
      `      ${session.agent} ${session.calls[0]!.call.model} ${session.calls.length} calls $${recorded.toFixed(2)}: ${(100 * error).toFixed(0)}%: ${texts.join('; ')}`,
    );
  }
}
