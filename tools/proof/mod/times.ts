import { rmSync } from 'node:fs';
import { changedPlugin, without } from './changed-plugin.ts';
import { Session } from './session.ts';

/** About 200,000 tokens of a window of a million, then so many calls. */
const [READS, CALLS] = [15, 20];
const MODEL = 'claude-opus-4-6[1m]';
const ROUNDS = 2;

const median = (values: readonly number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1]!;

/** A long conversation, then calls that print a line. */
const longThenShort = (folder: string) => [
  ...Array.from({ length: READS }, (_, at) => [
    {
      calls: [
        {
          name: 'Bash',
          input: {
            command: `seq -f 'line %g of part ${at}, an ordinary line' 900 > part${at}.txt`,
            description: 'Makes it',
          },
        },
      ],
    },
    { calls: [{ name: 'Read', input: { file_path: `${folder}/part${at}.txt` } }] },
  ]).flat(),
  ...Array.from({ length: CALLS }, (_, at) => ({
    calls: [{ name: 'Bash', input: { command: `echo ${at}`, description: 'Says it' } }],
  })),
];

/** Milliseconds between the arrivals of the last requests at the model, each with one call between them. */
async function gaps(
  program: string,
  plugin: string,
): Promise<{ readonly gaps: readonly number[]; readonly tokens: number }> {
  const session = new Session(program, { plugin, steps: longThenShort, model: MODEL });
  await session.say(['Read them.']);
  const times = session.requests
    .filter(({ isCount }) => !isCount)
    .slice(-CALLS - 1)
    .map(({ at }) => at);
  session.close();
  return { gaps: times.slice(1).map((at, index) => at - times[index]!), tokens: session.longest };
}

/** Prints what the mod adds to a call, alternating with a plugin that has hooks only. */
export async function printTimes(program: string): Promise<void> {
  const hooksOnly = changedPlugin(without('modules'));
  const whole = changedPlugin();
  const [withMod, alone]: [number[], number[]] = [[], []];
  let tokens = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const [plugin, found] of [
      [whole, withMod],
      [hooksOnly, alone],
    ] as const) {
      const run = await gaps(program, plugin);
      found.push(...run.gaps);
      tokens = run.tokens;
    }
  }
  for (const folder of [hooksOnly, whole]) rmSync(folder, { recursive: true });
  const [ms, aloneMs] = [median(withMod), median(alone)];
  console.log(
    `time from one request to the next at ${tokens} tokens, p50 of ${withMod.length}: ${ms.toFixed(0)} ms with the mod, ${aloneMs.toFixed(0)} ms without: ${(ms - aloneMs).toFixed(0)} ms added`,
  );
}
