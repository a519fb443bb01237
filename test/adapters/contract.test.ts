import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PruneReport } from '../../src/live/contract.ts';
import { stillClock } from '../still-clock.ts';
import { AGENT_LOOPS } from './agent-loops.ts';
import { resultOf, resultTexts, ScriptedProvider, STEPS } from './scripted-provider.ts';
import { type LoopFacts, SDK_LOOPS, type SdkLoop } from './sdk-loops.ts';

stillClock();

const HOUR_MS = 60 * 60_000;
let provider: ScriptedProvider;
let base: string;
beforeEach(async () => {
  provider = new ScriptedProvider();
  base = await provider.start();
});
afterEach(() => provider.stop());

/** A text in one word: whole, or what the pruner made of it. */
function form(text: string, step: number): string {
  if (text === resultOf(step)) return 'whole';
  return (
    /^(?:\[density: read .*, (removed)\]|⟦density: .* (shown above) by read .*⟧)$/.exec(text)?.slice(1).join('') ?? text
  );
}

/** The result texts of the last request: reads of the written file are removed, those of the others are sent once. */
const EXPECTED: readonly string[] = Array.from({ length: 6 }, (_, round) => {
  const other = round === 0 ? 'whole' : 'shown above';
  return ['removed', other, 'whole', 'whole', other, 'whole'];
}).flat();

interface Played {
  readonly loop: SdkLoop;
  readonly reports: PruneReport[];
}

function started(start: (facts: LoopFacts) => SdkLoop, session: string): Played {
  const reports: PruneReport[] = [];
  const options = { workspaceRoot: '/p', now: () => provider.nowMs, onReport: (one: PruneReport) => reports.push(one) };
  return { loop: start({ base, session, options }), reports };
}

/** Plays them in turn; the cache of the provider is cold before the step 20 and at the end. The record never changes but at its end. */
async function play(...played: readonly Played[]): Promise<void> {
  for (const [at] of [...STEPS, 'end'].entries()) {
    provider.nowMs += at === 20 || at === STEPS.length ? 25 * HOUR_MS : 1_000;
    for (const { loop } of played) {
      const before = structuredClone(loop.record);
      await loop.step();
      expect(loop.record.slice(0, before.length)).toEqual(before);
    }
  }
}

/** The texts of the results in the requests of a session. */
const sentTexts = (session: string): string[][] =>
  provider.requests
    .filter(({ body }) => JSON.stringify(body).includes(`please: ${session}`))
    .map(({ api, body }) => resultTexts(api, body));

test.each(Object.entries({ ...SDK_LOOPS, ...AGENT_LOOPS }))(
  '%s prunes what the provider gets, and never the record, and keeps two conversations apart',
  async (_name, start) => {
    const one = started(start, 'one');
    const two = started(start, 'two');
    await play(one, two);
    const sent = sentTexts('one');
    expect(provider.refusals).toEqual([]);
    expect(sent.length).toBe(STEPS.length + 1);
    expect(one.reports.map(({ untouched }) => untouched)).toEqual(sent.map(() => undefined));
    for (const [at, texts] of sent.entries()) {
      if (!one.reports[at]!.isEpoch && at > 0) expect(texts.slice(0, -1)).toEqual(sent[at - 1]);
    }
    expect(sent.at(-1)!.length).toBe(STEPS.length);
    expect(sent.at(-1)!.map(form)).toEqual(EXPECTED);
    expect(sentTexts('two')).toEqual(sent);
  },
);
