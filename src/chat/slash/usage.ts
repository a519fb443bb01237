import { CompressionStrategyError } from '../../errors.ts';

/** A command that cannot be meant so; `expected` is its usage. */
export const wrongUsage = (expected: string, words: readonly string[]): CompressionStrategyError =>
  new CompressionStrategyError(
    `Expected \`${expected}\`, got ${words.length === 0 ? 'nothing behind it' : `\`${words.join(' ')}\``}.`,
    'USAGE',
  );
