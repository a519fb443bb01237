import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { makeOwnerFolder, OWNER_FILE_MODE } from '../../disk/owner-only.ts';
import { messageOf } from '../../errors.ts';
import { hookAnswer } from '../../plugin/hook-answer.ts';
import { GUARD_VARIABLE, RUN_VARIABLE } from '../../proxy/run-variables.ts';
import { archiveFolder, liveFolder } from '../../sessions/places/data-folder.ts';
import { findProjectFile } from '../../settings/project/find-project-file.ts';
import { cacheBytecode } from '../cache-bytecode.ts';

const MAX_LOG_BYTES = 1 << 20;

/** A hook of the plugin: an agent runs it and gives an event on standard input. Whatever is wrong, the agent goes on as without it. */
async function agentHook(): Promise<void> {
  const folder = path.join(liveFolder(), 'plugin');
  try {
    const answer = await hookAnswer(await text(process.stdin), {
      archive: archiveFolder(),
      folder,
      live: liveFolder(),
      isWrapped: Boolean(process.env[RUN_VARIABLE]),
      // If no file of a project turns it on, no profile does.
      isOnInCodex: async (place) =>
        findProjectFile(place) !== undefined && (await import('./codex-repeats.ts')).codexRepeats(place),
      isGuarded: Boolean(process.env[GUARD_VARIABLE]),
      runsIn: process.env['AI_AGENT'],
      now: Date.now(),
      countRemovable: async (session) =>
        (await import('../commands/statusline/removable-tokens.ts')).countedRemovableTokens(session),
    });
    if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
  } catch (error) {
    await note(path.join(folder, 'troubles.log'), error);
  }
}

async function note(file: string, error: unknown): Promise<void> {
  try {
    await makeOwnerFolder(path.dirname(file));
    const what = messageOf(error).replaceAll('\n', ' ');
    const said = existsSync(file) ? readFileSync(file, 'utf8') : '';
    // A trouble that lasts, such as a full archive, is said once.
    if (said.length < MAX_LOG_BYTES && !said.endsWith(` ${what}\n`))
      appendFileSync(file, `${new Date().toISOString()} ${what}\n`, { mode: OWNER_FILE_MODE });
  } catch {
    // Nothing can be written, so the user cannot be told.
  }
}

await cacheBytecode();
await agentHook();
