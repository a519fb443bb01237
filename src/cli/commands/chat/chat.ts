import type { Command } from 'commander';
import { ALL_SETTINGS, settingOptions } from '../../options/setting-options.ts';
import { terminal } from '../../terminal/terminal.ts';
import { openEarlyLine } from './input/early-line.ts';
import type { ChatOptions } from './run-chat.ts';

/** True if both streams are a terminal and `--plain` is not given. */
const isLive = ({ plain }: ChatOptions): boolean => !plain && terminal().out.isLive && process.stdin.isTTY;

/** `density chat`: a small coding agent. */
export function defineChat(command: Command): void {
  command
    .description(
      'A small coding agent. It reads and changes files inside one folder, runs commands, and prunes its own context. Every session is kept and can be resumed. Keys come from the environment. /help lists the commands that you can type.',
    )
    .argument('[message]', 'the first message')
    .option(
      '--provider <name>',
      'the provider of the model: anthropic, openai, openai-chat, google, openai-compatible (default: the first whose key is set)',
    )
    .option('--model <name>', "the model that answers (default: the provider's small model)")
    .option(
      '--base-url <url>',
      'the address of the provider (default: the address in the environment, otherwise the public address)',
    )
    .option(
      '--workspace <folder>',
      'the only folder that the agent may read and change (default: the working directory)',
    )
    .option('--yes', 'allow every change and command without asking')
    .option('--resume [id]', 'continue a session (default: the newest session of this folder)')
    .option('--from <session>', 'continue a copy of a session of any agent; the file itself does not change')
    .option('--plain', 'print lines only, as when standard output is not a terminal');
  settingOptions(command, ALL_SETTINGS).action(async (message: string | undefined, options: ChatOptions) => {
    const early = isLive(options) ? openEarlyLine(process.stdin, process.stdout) : undefined;
    try {
      await (await import('./run-chat.ts')).runChat(message, options, early);
    } finally {
      early?.end();
    }
  });
}
