import { COMPRESSION_STRATEGIES } from '../../strategies/contract.ts';
import { abortable } from '../abortable.ts';
import type { SlashCommand } from './contract.ts';
import { wrongUsage } from './contract.ts';

/** `/compress`: makes the history smaller now, even below the threshold. */
export const compress: SlashCommand = {
  name: 'compress',
  usage: '[strategy]',
  help: 'make the history smaller now',
  isAbortable: true,
  complete: (words) => (words.length > 1 ? [] : COMPRESSION_STRATEGIES),
  async run(words, chat, signal) {
    const [strategy, ...rest] = words;
    if (rest.length > 0) throw wrongUsage(`/compress ${compress.usage}`, words);
    await abortable(chat.ready, signal);
    const tokensBefore = chat.status().tokens;
    const startedAt = performance.now();
    const outcome = await chat.session.compress(signal, strategy);
    const tookMs = performance.now() - startedAt;
    return { kind: 'compressed', outcome, tokensBefore, tokensAfter: chat.status().tokens, tookMs };
  },
};

/** `/undo`: restores what the last compression removed. */
export const undo: SlashCommand = {
  name: 'undo',
  usage: '',
  help: 'restore what the last compression removed',
  async run(words, chat) {
    if (words.length > 0) throw wrongUsage('/undo', words);
    const tokensBefore = chat.status().tokens;
    const restoration = await chat.session.undo();
    return { kind: 'undone', restoration, tokensBefore, tokensAfter: chat.status().tokens };
  },
};
