import { switchEngine } from 'high-density';
import type { Conversation } from './conversation.ts';

interface SlashCommand {
  readonly usage: string;
  readonly help: string;
  /** Returns the lines to print. @throws CompressionStrategyError with a message for the user. */
  readonly run: (words: readonly string[], chat: Conversation, signal: AbortSignal) => Promise<readonly string[]>;
}

export const tokensIn = (tokens: number): string => `${Math.round(tokens / 1000)}k`;

/** The commands that a line can begin with. */
const COMMANDS: Readonly<Record<string, SlashCommand>> = {
  set: {
    usage: '[key] [value]',
    help: 'change a setting from the next send on, or list all',
    async run([key, ...value], { settings, history, model }) {
      const listed = (wanted?: string): string[] =>
        settings
          .explain(model.model)
          .filter((setting) => wanted === undefined || setting.key === wanted)
          .map((setting) => `${setting.key} ${JSON.stringify(setting.value)} (${setting.origin.kind})`);
      if (key === undefined) return listed();
      await settings.set({ [key]: value.join(' ') });
      if (history.engine.name !== settings.engine) await switchEngine(history, settings.engine);
      return listed(key);
    },
  },
  compress: {
    usage: '[strategy]',
    help: 'make the history smaller now',
    async run([strategy], chat, signal) {
      const outcome = await chat.compress(signal, strategy);
      if (outcome.kind !== 'compressed') return [`Nothing was compressed: ${outcome.kind}.`];
      const { tokensBefore, tokensAfter, metadata } = outcome;
      return [`Compressed with ${metadata.strategyUsed}: ${tokensIn(tokensBefore)} → ${tokensIn(tokensAfter)} tokens.`];
    },
  },
  undo: {
    usage: '',
    help: 'restore what the last compression removed',
    async run(_words, chat) {
      const outcome = await chat.undo();
      if (outcome.kind !== 'restored') return ['There is no compression to undo.'];
      return [`${outcome.entriesRestored} entries restored.`];
    },
  },
  stats: {
    usage: '',
    help: 'show the session in numbers',
    async run(_words, { history, session }) {
      await history.waitForTokenUpdates();
      const { name } = history.engine;
      return [`${history.length()} entries, ${history.getTotalTokens()} tokens, engine ${name}`, session];
    },
  },
  help: {
    usage: '',
    help: 'list the commands',
    run: async () => Object.entries(COMMANDS).map(([name, { usage, help }]) => `/${name} ${usage} — ${help}`),
  },
};

/** True for `/compress`, not for a path such as `/etc/hosts`. */
export const isSlashCommand = (line: string): boolean => /^\/[a-z]+(?:\s|$)/.test(line);

/** Runs a line that begins with `/`, and returns the lines to print. */
export async function runSlashCommand(
  line: string,
  chat: Conversation,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [name = '', ...words] = line.trim().slice(1).split(/\s+/);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return command === undefined ? [`There is no /${name}; /help lists all.`] : command.run(words, chat, signal);
}
