import { type AST, parseRegExpLiteral, visitRegExpAST } from '@eslint-community/regexpp';

/** V8 has room for some six million places, and an expression may have several repetitions. */
const MOST_REPETITIONS = 100_000;
/** V8 writes out so few, and counts more. */
const MOST_WRITTEN_OUT = 3;
const CHARACTER = /^(?:Character|CharacterSet|CharacterClass)$/;

/**
 * The repetition for which V8 may keep more places to come back to than it has room for, if there is one: it then throws
 * "Maximum call stack size exceeded" for a long text. It keeps a place for each repetition that is greedy, unless what is
 * repeated is one character, and not counted. Tried with 20 MB of text with Node 20.
 */
export function keptPlaces(source: string, flags: string): string | undefined {
  const { pattern } = parseRegExpLiteral(new RegExp(source, flags));
  let found: AST.Quantifier | undefined;
  visitRegExpAST(pattern, {
    onQuantifierEnter: (node) => {
      const isPlain = CHARACTER.test(node.element.type) && node.min <= MOST_WRITTEN_OUT;
      if (node.greedy && node.max > MOST_REPETITIONS && !isPlain) found ??= node;
    },
  });
  return found && `keeps a place for each repetition of \`${found.raw}\` at ${found.start - 1}`;
}
