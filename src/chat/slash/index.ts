import { raced } from '../../deadline.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { nearestName } from '../../settings/nearest-name.ts';
import type { Conversation } from '../conversation.ts';
import { type SlashCommand, type SlashOutcome, wrongUsage } from './contract.ts';
import { compress, undo } from './density.ts';
import { context, show, stats, todos } from './look.ts';
import { profile } from './profile.ts';
import { clear, model, quit, resume, save } from './session.ts';
import { set, settings } from './settings.ts';

const help: SlashCommand = {
  name: 'help',
  usage: '',
  help: 'list the commands',
  run: async () => ({ kind: 'help', commands: SLASH_COMMANDS }),
};

/** Every command, in the order of help. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  help,
  set,
  settings,
  profile,
  compress,
  undo,
  context,
  stats,
  todos,
  show,
  model,
  save,
  resume,
  clear,
  quit,
];

/** True for a command; false for a path such as `/etc/hosts`. */
export const isSlashCommand = (line: string): boolean => /^\/[a-z?]*(\s|$)/.test(line);

/**
 * Runs a line that begins with `/`. Returns at once after an abort.
 * @throws CompressionStrategyError `USAGE` for an unknown command, with the nearest name; what the command throws.
 */
export async function runSlashCommand(line: string, chat: Conversation, signal: AbortSignal): Promise<SlashOutcome> {
  const [word = '', ...words] = line.trim().slice(1).split(/\s+/);
  const name = word === '' || word === '?' ? 'help' : word;
  const command = SLASH_COMMANDS.find((known) => known.name === name);
  if (command) {
    if (words.length > (command.mostWords ?? Number.POSITIVE_INFINITY))
      throw wrongUsage(`/${name} ${command.usage}`.trim(), words);
    try {
      return await raced(command.run(words, chat, signal), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      return { kind: 'cancelled', isStopped: command.isAbortable === true };
    }
  }
  const names = SLASH_COMMANDS.map((known) => known.name);
  throw new CompressionStrategyError(
    `Expected a command, got \`/${name}\`. Did you mean \`/${nearestName(name, names)}\`? /help lists all commands.`,
    'USAGE',
  );
}
