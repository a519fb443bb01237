/**
 * Recorded sessions, played through the provider that enforces the rules, which refuses more than that. Every tenth request
 * is refused for a reason of the agent's (it is too long, its picture cannot be read, there is no credit): then no prefix
 * changes, and no thinking is lost. The only new form of some requests is refused too: then only that form is taken back, it
 * is not sent again, and all others stay.
 *
 * `npm run proof -- refusals [--part 1/4] [--outcomes file] [part of a path …] [part of a model …]`, as of `live`.
 */
import { eachSession, playName } from './live/each-session.ts';
import { playOptions } from './live/play-options.ts';
import { PLAYED_MODELS, playedProvider } from './live/played-models.ts';
import { playRefusals, type RefusalsPlayed } from './refusals/play.ts';

interface Outcome extends RefusalsPlayed {
  readonly play: string;
  readonly model: string;
}

const NAMES = [
  'claude-opus-5 5m, new account',
  'claude-opus-5-5 5m, new account',
  'gpt-5.6-sol',
  'gemini-3.1-pro-preview',
];
const MODELS = PLAYED_MODELS.filter((played) => NAMES.includes(played.name));

/** Counts that must be 0, in words. */
const FAULTS: Readonly<Partial<Record<keyof RefusalsPlayed, string>>> = {
  changedByFaults: "elements changed by a refusal of the agent's",
  otherFormsChanged: 'other forms changed by a refused form',
  sentAgain: 'requests with a form that was refused before',
  changedPrefixes: 'prefixes changed outside an epoch',
  droppedThinking: 'thinking blocks lost',
  refused: 'refused because of the pruner',
};

export async function prove(parameters: readonly string[]): Promise<boolean> {
  const { outcomes, chosen } = playOptions<Outcome>(parameters);
  for (const session of eachSession({ ...chosen, models: MODELS, sets: ['data', 'more-data', 'modern-data'] })) {
    for (const played of session.models) {
      const outcome = await playRefusals(session.calls, { provider: playedProvider(), played, ...session });
      outcomes.add({ play: playName(session.name, played), model: played.name, ...outcome });
    }
  }
  return report([...outcomes.all().values()]);
}

function report(outcomes: readonly Outcome[]): boolean {
  const sum = (own: readonly Outcome[], key: keyof RefusalsPlayed): number =>
    own.reduce((total, one) => total + one[key], 0);
  const faults = Object.entries(FAULTS) as [keyof RefusalsPlayed, string][];
  for (const model of MODELS.map(({ name }) => name)) {
    const own = outcomes.filter((one) => one.model === model);
    console.log(
      `${model}: ${own.length} sessions, ${sum(own, 'calls')} calls; ${sum(own, 'agentFaults')} refused for a reason of the agent's, of them ${sum(own, 'resent')} sent again, ${sum(own, 'epochsAfterFaults')} followed by an epoch of the shorter request; ${sum(own, 'refusedForms')} new forms refused`,
    );
    for (const [key, words] of faults) console.log(`  ${sum(own, key)} ${words}`);
  }
  for (const one of outcomes)
    for (const [key, words] of faults) if (one[key] > 0) console.log(`${one.play}: ${one[key]} ${words}`);
  return faults.every(([key]) => sum(outcomes, key) === 0);
}
