import { CompressionStrategyError } from '../../errors.ts';

/** The error for wrong arguments of a command; `expected` is its usage. */
export const wrongUsage = (expected: string, words: readonly string[]): CompressionStrategyError =>
  new CompressionStrategyError(
    `Expected \`${expected}\`, got ${words.length === 0 ? 'no argument' : `\`${words.join(' ')}\``}.`,
    'USAGE',
  );
