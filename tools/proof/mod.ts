/**
 * The mod of the plugin in the real Claude Code, against a model that follows a script: a session that reads and writes one file five
 * times is compacted by rules without asking a model, goes on, is resumed, and all comes back. With thinking in it the agent summarises.
 * Then each way that may shape a result, on or off; what starts a compaction; and faults in the mod, after which all is as without it.
 *
 * `npm run proof -- mod <folder of the agents> [session|commands|ways|triggers|faults]`: one part, or
 * all. Run it where nothing leads out of the machine.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { proveFaults } from './mod/faults.ts';
import { provePluginCommands } from './mod/plugin-commands.ts';
import { fiveVersions, hasAllVersions, versionsIn } from './mod/scripts.ts';
import { AGENT, PLUGIN, Session } from './mod/session.ts';
import { proveTriggers } from './mod/triggers.ts';
import { proveWays } from './mod/ways.ts';

export async function prove([agents = '', only = '']: readonly string[]): Promise<boolean> {
  const program = path.resolve(agents, 'node_modules/.bin/claude');
  if (!existsSync(program)) {
    console.log(`Claude Code is absent: npm install --prefix <folder> --no-audit --no-fund ${AGENT.package}`);
    return true;
  }
  let holds = true;
  const check = (what: string, isTrue: boolean): void => {
    holds &&= isTrue;
    console.log(`${isTrue ? 'yes' : 'NO '}  ${what}`);
  };
  const parts: Readonly<Record<string, () => Promise<void>>> = {
    session: async () => proveSession(program, check),
    commands: async () => provePluginCommands(program, check),
    ways: async () => proveWays(program, check),
    triggers: async () => proveTriggers(program, check),
    faults: async () => proveFaults(program, check),
  };
  for (const part of only === '' ? Object.keys(parts) : [only]) await parts[part]!();
  return holds;
}

async function proveSession(program: string, check: (what: string, isTrue: boolean) => void): Promise<void> {
  const session = new Session(program, { plugin: PLUGIN, steps: fiveVersions() });
  try {
    const [, preview = '', , , why = ''] = await session.say([
      'Read it.',
      '/density preview',
      '/compact',
      'Go on.',
      '/density why',
    ]);
    check('a compaction by rules asks no model', session.summaries === 0);
    check(`the preview said it: ${preview.split('\n')[0]}`, /would remove \d+%/.test(preview));
    check('why names the calls', why.includes('alpha.txt was written later'));
    check('what was read is not in the prompt any more', versionsIn(session.prompt) === 0);
    await session.say(['Go on.'], { more: ['--continue'] });
    check('nor after a resume', versionsIn(session.prompt) === 0);
    await session.say(['/density undo', '/compact', 'Go on.'], { more: ['--continue'] });
    check(`undo brings all of it back (${versionsIn(session.prompt)} versions)`, hasAllVersions(session.prompt));
    await session.say(['/density off', '/compact'], { more: ['--continue'] });
    check('off: the agent summarises', session.summaries > 0);
    check('the strict provider accepted every request', session.isAccepted);
  } finally {
    session.close();
  }
  for (const [what, first, expected] of [
    ['with thinking the agent summarises', [], true],
    ['with thinking left out rules compact', ['/density thinking drop'], false],
  ] as const) {
    const thinking = new Session(program, { plugin: PLUGIN, steps: fiveVersions({ isThinking: true }) });
    await thinking.say(['Read it.', ...first, '/compact', 'Go on.']);
    check(what, thinking.summaries > 0 === expected && thinking.isAccepted);
    thinking.close();
  }
}
