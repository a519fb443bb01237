import { counted } from '../../content/counted.ts';
import { PIECE_KINDS, type Piece } from './rendering.ts';

const NEXT_ATTEMPT_RATIO = 0.85;
const MAX_ATTEMPTS = 6;

/**
 * The pieces as one text of at most `limitTokens`. Pieces are shortened, oldest first: tool output, then thoughts, calls,
 * answers and the user's words. If that is not enough, the oldest pieces are left out and the text says how many. Linear
 * in the text for each of a few attempts.
 */
export async function fittingText(
  pieces: readonly Piece[],
  { limitTokens, countTokens }: { limitTokens: number; countTokens: (text: string) => Promise<number> },
): Promise<string> {
  const whole = joined(pieces.map(({ text }) => text));
  const wholeTokens = await countTokens(whole);
  if (wholeTokens <= limitTokens) return whole;
  let limitChars = Math.floor((whole.length * limitTokens) / wholeTokens);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const text = shortenedTo(pieces, limitChars);
    if ((await countTokens(text)) <= limitTokens) return text;
    limitChars = Math.floor(limitChars * NEXT_ATTEMPT_RATIO);
  }
  return '';
}

const SEPARATOR = '\n\n';
const joined = (texts: readonly string[]): string => texts.join(SEPARATOR);
const sizeOf = (text: string): number => text.length + SEPARATOR.length;

function shortenedTo(pieces: readonly Piece[], limitChars: number): string {
  const texts = pieces.map(({ text }) => text);
  let chars = texts.reduce((sum, text) => sum + sizeOf(text), 0);
  for (const kind of PIECE_KINDS) {
    for (let at = 0; at < pieces.length && chars > limitChars; at++) {
      const piece = pieces[at]!;
      if (piece.kind !== kind) continue;
      chars -= piece.text.length - piece.short.length;
      texts[at] = piece.short;
    }
  }
  let first = 0;
  while (chars > limitChars && first < texts.length) chars -= sizeOf(texts[first++]!);
  if (first === 0) return joined(texts);
  return joined([
    `[${counted(first, 'earlier part')} of the conversation left out: there was no room]`,
    ...texts.slice(first),
  ]);
}
