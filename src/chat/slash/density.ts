import { raced } from '../../deadline.ts';
import { COMPRESSION_STRATEGIES } from '../../strategies/contract.ts';
import type { SlashCommand } from './contract.ts';

/** `/compress`: makes the history smaller now, even below the threshold. */
export const compress: SlashCommand = {
  name: 'compress',
  usage: '[strategy]',
  help: 'make the history smaller now',
  mostWords: 1,
  isAbortable: true,
  complete: (words) => (words.length > 1 ? [] : COMPRESSION_STRATEGIES),
  async run([strategy], chat, signal) {
    await raced(chat.ready, signal);
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
  mostWords: 0,
  async run(_words, chat) {
    const tokensBefore = chat.status().tokens;
    const restoration = await chat.session.undo();
    return { kind: 'undone', restoration, tokensBefore, tokensAfter: chat.status().tokens };
  },
};
