import type { Command } from 'commander';
import { ALL_SETTINGS, policyOptions } from '../../options/policy-options.ts';
import { terminal } from '../../terminal/terminal.ts';
import type { ChatOptions } from './chat-options.ts';
import { EarlyLine } from './screen/early-line.ts';

/** Whether there is a terminal to draw on and to type at, and lines alone are not wanted. */
const isLive = ({ plain }: ChatOptions): boolean => !plain && terminal().out.isLive && process.stdin.isTTY;

/** `density chat`: an agent to talk with. */
export function defineChat(command: Command): void {
  command
    .description(
      'A small coding agent: it reads and changes files inside one folder, runs commands, and keeps its context small with the same rooms as everything else here. Every session is kept and can be resumed. Keys come from the environment. /help lists what can be typed.',
    )
    .argument('[message]', 'what to say first')
    .option(
      '--provider <name>',
      'whose model answers: anthropic, openai, openai-chat, google, openai-compatible (default: the first whose key is set)',
    )
    .option('--model <name>', "the model that answers (default: the provider's small one)")
    .option('--base-url <url>', "where the provider listens (default: its own address, or the environment's)")
    .option('--workspace <folder>', 'the only folder that may be touched (default: the working directory)')
    .option('--yes', 'allow every change and command without asking')
    .option('--resume [id]', 'go on with a session, the newest of this folder without an id')
    .option('--from <session>', 'go on with a copy of a session of any agent; the file itself is only read')
    .option('--plain', 'lines only, as when standard output is no terminal');
  policyOptions(command, ALL_SETTINGS).action(async (message: string | undefined, options: ChatOptions) => {
    const early = isLive(options) ? EarlyLine.open(process.stdin, process.stdout) : undefined;
    try {
      // Loaded here: no other command needs any of it.
      const { runChat } = await import('./run-chat.ts');
      await runChat(message, options, early);
    } finally {
      early?.end();
    }
  });
}
