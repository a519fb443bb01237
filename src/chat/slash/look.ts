import { Redactor } from '../../content/secrets/redact.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { textOfEntries } from '../../replay/block-text.ts';
import { archivedList, titledBlocks } from '../../report/archived-list.ts';
import { contextShares } from '../context-shares.ts';
import type { SlashCommand } from './contract.ts';

/** `/context`: the tokens by speaker, tool and file. */
export const context: SlashCommand = {
  name: 'context',
  usage: '',
  help: 'show what fills the context',
  async run(_words, chat) {
    const { history } = chat.session;
    await history.waitForTokenUpdates();
    const entries = history.getAll();
    const shares = await contextShares(entries, {
      tokens: history.getTokensPerEntry(),
      baseTokens: history.getBaseTokenOffset(),
      workspaceRoot: chat.workspace.root,
    });
    return { kind: 'context', shares, status: chat.status() };
  },
};

/** `/stats`: the session in numbers. */
export const stats: SlashCommand = {
  name: 'stats',
  usage: '',
  help: 'show the session in numbers, and its file',
  async run(_words, chat) {
    const { history, log } = chat.session;
    return {
      kind: 'stats',
      status: chat.status(),
      engine: history.engine.stats(),
      entries: history.length(),
      path: log.path,
    };
  },
};

/** `/todos`: the agent's list. */
export const todos: SlashCommand = {
  name: 'todos',
  usage: '',
  help: 'show the todo list of the agent',
  run: async (_words, chat) => ({ kind: 'todos', todos: chat.session.todos }),
};

/** `/show`: removed text from the archive. */
export const show: SlashCommand = {
  name: 'show',
  usage: '[hash]',
  help: 'show removed text from the archive',
  async run([hash], { archive }) {
    if (archive === undefined) {
      throw new CompressionStrategyError('Expected an archive, but this chat has none.', 'ARCHIVE_UNKNOWN');
    }
    if (hash === undefined) {
      const blocks = await archive.list();
      const nothing = 'The archive is empty. /set compression.density.archive true turns it on.';
      if (blocks.length === 0) return { kind: 'said', lines: [nothing] };
      const titled = await titledBlocks(archive, blocks);
      return { kind: 'said', lines: archivedList(titled, blocks.length).map(new Redactor().label) };
    }
    const { block } = await archive.find(hash);
    const shown = new Redactor().value(block);
    return { kind: 'said', lines: textOfEntries([{ speaker: 'tool', blocks: [shown] }]).split('\n') };
  },
};
