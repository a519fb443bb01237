import { rmSync } from 'node:fs';
import { changedPlugin, inMod } from './changed-plugin.ts';
import { fiveVersions, largeReads, versionsIn } from './scripts.ts';
import { PLUGIN, Session, type SessionOptions } from './session.ts';

type Check = (what: string, holds: boolean) => void;

/** More than the window. */
const READS = 16;

/** What a sub-agent does, and then its agent. */
const inSubAgent = (steps: SessionOptions['steps']) => (folder: string) => [
  {
    calls: [
      {
        name: 'Agent',
        input: {
          description: 'Reads',
          prompt: 'Read it.',
          subagent_type: 'general-purpose',
          run_in_background: false,
        },
      },
    ],
  },
  ...steps(folder),
  { text: 'Read.' },
];

/** Compactions that the agent starts by itself, those of sub-agents, and a summary of a transcript that was pruned first. */
export async function proveTriggers(program: string, check: Check): Promise<void> {
  const auto = new Session(program, { plugin: PLUGIN, steps: largeReads(READS) });
  await auto.say(['Read it.']);
  check('auto: rules compact in the middle of a turn', auto.isFull && auto.summaries === 0 && auto.isAccepted);
  auto.close();
  const inner = new Session(program, { plugin: PLUGIN, steps: inSubAgent(largeReads(READS)) });
  await inner.say(['Read it.']);
  check('auto, in a sub-agent: it is left to the agent', inner.isFull && inner.summaries > 0 && inner.isAccepted);
  inner.close();
  const thinking = new Session(program, { plugin: PLUGIN, steps: largeReads(READS, { isThinking: true }) });
  await thinking.say(['/density thinking drop', 'Read it.', 'Go on.']);
  const isSummarised = thinking.isFull && thinking.summaries > 0 && thinking.isAccepted;
  check('auto, with thinking that may go: the agent summarises in a turn, which needs its thinking', isSummarised);
  thinking.close();
  const [cold, warm] = ['-1', '60 * 60_000'].map((ms) =>
    changedPlugin((folder) => {
      inMod('MAX_LEFT = 0.6', 'MAX_LEFT = 0')(folder);
      inMod('COLD_MS = HOUR_MS', `COLD_MS = ${ms}`)(folder);
    }),
  );
  for (const [what, plugin, versions] of [
    ['with a cold cache the agent summarises what rules leave', cold!, 0],
    ['with a warm one it summarises all, which is in the cache', warm!, 5],
  ] as const) {
    const session = new Session(program, { plugin, steps: fiveVersions() });
    await session.say(['Read it.', '/compact', 'Go on.']);
    const [summary = ''] = session.summaryPrompts;
    check(`${what} (${summary.length} characters)`, versionsIn(summary) === versions && session.isAccepted);
    session.close();
  }
  for (const folder of [cold!, warm!]) rmSync(folder, { recursive: true });
}
