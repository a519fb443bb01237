import { rmSync } from 'node:fs';
import { counted } from '../../../src/content/counted.ts';
import { changedPlugin, without } from './changed-plugin.ts';
import { fiveVersions, largeReads } from './scripts.ts';
import { Session } from './session.ts';

/** About 200,000 tokens of a window of a million, then so many calls. */
const READS = 15;
const CALLS = 40;
const MODEL = 'claude-opus-4-6[1m]';
const ROUNDS = 4;
/** Reads of about 13,000 tokens: 600,000 in all. */
const LARGE_READS = 40;
const COMPACTIONS = 5;

const median = (values: readonly number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1]!;

/** The middle half of the values. */
function middle(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  return `${sorted[values.length >> 2]!.toFixed(0)} to ${sorted[(3 * values.length) >> 2]!.toFixed(0)} ms`;
}

/** A long conversation in two answers, then calls that print a line. */
const longThenShort = (folder: string) => {
  const parts = Array.from({ length: READS }, (_, at) => `part${at}.txt`);
  const makes = parts.map((part) => `seq -f 'line %g of ${part}, an ordinary line' 900 > ${part}`).join('; ');
  return [
    { calls: [{ name: 'Bash', input: { command: makes, description: 'Makes them' } }] },
    { calls: parts.map((part) => ({ name: 'Read', input: { file_path: `${folder}/${part}` } })) },
    ...Array.from({ length: CALLS }, (_, at) => ({
      calls: [{ name: 'Bash', input: { command: `echo ${at}`, description: 'Says it' } }],
    })),
  ];
};

/** Milliseconds between the arrivals of the last requests at the model, each with one call between them. */
async function gaps(
  program: string,
  plugin: string,
): Promise<{ readonly ms: readonly number[]; readonly tokens: number }> {
  const session = new Session(program, { plugin, steps: longThenShort, model: MODEL });
  await session.say(['Read them.']);
  const times = session.requests
    .filter(({ isCount }) => !isCount)
    .slice(-CALLS - 1)
    .map(({ at }) => at);
  session.close();
  return { ms: times.slice(1).map((at, index) => at - times[index]!), tokens: session.longest };
}

/**
 * Prints what the mod adds to a call. The hooks are off: each starts processes, which would hide it. A round is a session without the
 * mod, one with it and one without it again, so that two equal sessions show the noise.
 */
export async function printCallTimes(program: string): Promise<void> {
  const alone = changedPlugin((folder) => {
    without('modules')(folder);
    without('hooks')(folder);
  });
  const whole = changedPlugin(without('hooks'));
  const ms: Record<'before' | 'mod' | 'after', number[]> = { before: [], mod: [], after: [] };
  const added: number[] = [];
  const same: number[] = [];
  let tokens = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const runs = {
      before: await gaps(program, alone),
      mod: await gaps(program, whole),
      after: await gaps(program, alone),
    };
    for (const [name, run] of Object.entries(runs)) ms[name as keyof typeof ms].push(...run.ms);
    const [before, mod, after] = Object.values(runs).map((run) => median(run.ms)) as [number, number, number];
    added.push(mod - (before + after) / 2);
    same.push(after - before);
    tokens = runs.mod.tokens;
  }
  for (const folder of [alone, whole]) rmSync(folder, { recursive: true });
  console.log(`time from one request to the next at ${counted(tokens, 'token')}, ${ms.mod.length} calls of each kind:`);
  for (const [name, found] of Object.entries(ms))
    console.log(`  ${name}: p50 ${median(found).toFixed(1)} ms, the middle half ${middle(found)}`);
  const list = (values: readonly number[]): string => values.map((value) => value.toFixed(1)).join(', ');
  const p50 = median(ms.mod) - median([...ms.before, ...ms.after]);
  console.log(`  added by the mod: p50 ${p50.toFixed(1)} ms; by round ${list(added)} ms`);
  console.log(
    `  added by nothing: p50 ${(median(ms.after) - median(ms.before)).toFixed(1)} ms; by round ${list(same)} ms`,
  );
}

/** Prints how long compactions by rules took, from the command to its answer, with all hooks. */
export async function printCompactionTimes(program: string): Promise<void> {
  const plugin = changedPlugin();
  for (const [what, steps] of [
    ['small', fiveVersions()],
    ['large', largeReads(LARGE_READS)],
  ] as const) {
    const seconds: number[] = [];
    let tokens = 0;
    for (let run = 0; run < COMPACTIONS; run++) {
      const session = new Session(program, { plugin, steps, model: MODEL, variables: { DISABLE_AUTO_COMPACT: '1' } });
      const took: number[] = [];
      await session.say(['Read it.', '/compact'], { took });
      if (session.summaries > 0) throw new Error(`A ${what} transcript was not compacted by rules.`);
      seconds.push(took[1]! / 1000);
      tokens = session.longest;
      session.close();
    }
    console.log(
      `a compaction by rules of ${counted(tokens, 'token')}: ${seconds.map((value) => value.toFixed(2)).join(', ')} s`,
    );
  }
  rmSync(plugin, { recursive: true });
}
