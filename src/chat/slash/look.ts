import { contextShares } from '../context-shares.ts';
import type { SlashCommand } from './contract.ts';

/** `/context`: where the tokens go. */
export const context: SlashCommand = {
  name: 'context',
  usage: '',
  help: 'show where the tokens go',
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
  help: 'show what threads did, where the session is',
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

/** `/todos`: what the agent has on its list. */
export const todos: SlashCommand = {
  name: 'todos',
  usage: '',
  help: 'show the list that the agent keeps',
  run: async (_words, chat) => ({ kind: 'todos', todos: chat.session.todos }),
};
