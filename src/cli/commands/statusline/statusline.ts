import { addAbortSignal } from 'node:stream';
import type { Command } from 'commander';
import { applySettingsOfModels } from '../../options/setting-sources.ts';
import { statusLine } from './status-line.ts';

/** Longer input is not from Claude Code. */
const LONGEST_INPUT = 4 * 1024 * 1024;
/** Whoever gives nothing for so long gets an empty line. */
const PATIENCE_MS = 2_000;

async function input(): Promise<string> {
  let text = '';
  addAbortSignal(AbortSignal.timeout(PATIENCE_MS), process.stdin);
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > LONGEST_INPUT) return '';
  }
  return text;
}

const HINT = `Claude Code runs this command. In its settings.json:
  "statusLine": { "type": "command", "command": "density statusline" }
`;

/** Prints the line. Whatever is wrong, it ends well and says nothing of it: this is on the agent's screen. */
export async function printStatusLine({ count }: { count?: string } = {}): Promise<void> {
  try {
    if (count !== undefined) return await (await import('./count-removable-tokens.ts')).countRemovableTokens(count);
    if (process.stdin.isTTY) return void process.stdout.write(HINT);
    await applySettingsOfModels().catch(() => undefined);
    const line = statusLine(JSON.parse(await input()), { environment: process.env, now: Date.now() });
    process.stdout.write(`${line}\n`);
  } catch {
    if (count === undefined) process.stdout.write('\n');
  }
}

/** `density statusline`: the status line of Claude Code. */
export function defineStatusline(command: Command): void {
  command
    .description(
      'Prints one line for the status line of Claude Code: how full the window is, how long the prompt cache lasts, what the cache is worth, and how much density would remove from the session. Under `density wrap` it says how much was left out and saved. Claude Code runs it and passes the session on standard input. It never fails and changes no settings: add "statusLine": { "type": "command", "command": "density statusline" } to settings.json yourself.',
    )
    .option(
      '--count <session>',
      'count the tokens that density would remove, for the next line; the command runs this by itself',
    )
    .action(printStatusLine);
}
