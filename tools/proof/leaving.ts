/**
 * Recorded sessions of Claude Code, a third of whose calls runs under `density wrap`, the next third without it, and the last one
 * under it again, played through the provider that enforces the rules: gone on with by the agent alone, and from the copy that
 * `density optimize --start` writes; beside them never wrapped, and always. The copy loses no thinking, no request of it is refused for
 * thinking, it sends every element as it was sent before, and costs no more than going on by the agent alone.
 *
 * `npm run proof -- leaving [--part 1/4] [--outcomes file] [part of a path …] [part of a model …]`, as of `live`.
 */
import { type LeavingPlayed, playLeaving, WAYS, type WayPlayed } from './leaving/play.ts';
import { eachSession, playName } from './live/each-session.ts';
import { playOptions } from './live/play-options.ts';
import { PLAYED_MODELS, playedProvider } from './live/played-models.ts';

interface Outcome {
  readonly play: string;
  readonly model: string;
  readonly ways: LeavingPlayed;
}

const NAMES = [
  'claude-opus-5-5 5m, new account',
  'claude-opus-5-5 5m, old account',
  'claude-opus-5-5 5m, new account, drop',
  'claude-opus-5-5 5m, old account, drop',
  'claude-opus-5 5m, new account',
];
const MODELS = PLAYED_MODELS.filter(({ name }) => NAMES.includes(name));

export async function prove(parameters: readonly string[]): Promise<boolean> {
  const { outcomes, chosen } = playOptions<Outcome>(parameters);
  for (const session of eachSession({ ...chosen, models: MODELS, sets: ['data', 'more-data', 'modern-data'] })) {
    if (session.agent !== 'claude-code') continue;
    for (const played of session.models) {
      const ways = await playLeaving(session.calls, { ...session, provider: playedProvider(), played });
      outcomes.add({ play: playName(session.name, played), model: played.name, ways });
    }
  }
  return report([...outcomes.all().values()]);
}

function report(outcomes: readonly Outcome[]): boolean {
  let holds = outcomes.length > 0;
  for (const model of MODELS.map(({ name }) => name)) {
    const own = outcomes.filter((one) => one.model === model).map(({ ways }) => ways);
    if (own.length === 0) continue;
    const sum = (way: keyof LeavingPlayed, key: keyof WayPlayed): number =>
      own.reduce((total, ways) => total + ways[way][key], 0);
    console.log(`${model}: ${own.length} sessions, ${sum('alone', 'calls')} calls`);
    for (const way of WAYS)
      console.log(
        `  ${way.padEnd(8)} $${sum(way, 'dollars').toFixed(2)}, ${sum(way, 'lostThinking')} thinking lost, ${sum(way, 'refused')} refused, ${sum(way, 'changedByLeaving')} elements changed by leaving`,
      );
    const isLossless = (['lostThinking', 'refused', 'changedByLeaving'] as const).every(
      (key) => sum('resumed', key) === sum('wrapped', key),
    );
    holds &&= isLossless && sum('resumed', 'dollars') <= sum('left', 'dollars') * 1.000001;
  }
  for (const { play, ways } of outcomes)
    if (ways.resumed.changedByLeaving > 0 || ways.resumed.lostThinking > ways.wrapped.lostThinking)
      console.log(`${play}: ${JSON.stringify(ways.resumed)}`);
  return holds;
}
