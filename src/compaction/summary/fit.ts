import { counted } from '../../content/counted.ts';
import type { PartKind, TranscriptPart } from './transcript.ts';

/** The start and the end of a shortened part are kept, because they contain most information. */
const HEAD_CHARACTERS = 600;
const TAIL_CHARACTERS = 200;
/** A part is shortened only if at least this much is removed. */
const MIN_SAVING_CHARACTERS = 200;
/** Results are shortened first, the user's messages last. Source: docs/readings.md, row 21. */
const ORDER: readonly PartKind[] = ['result', 'call', 'thought', 'answer', 'request'];

/** `text` without its middle, cut between characters. */
function excerpt(text: string): string {
  const left = text.length - HEAD_CHARACTERS - TAIL_CHARACTERS;
  const cut = `\n[… ${counted(left, 'character')} omitted …]\n`;
  const head = text.slice(0, HEAD_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-TAIL_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}${cut}${tail}`;
}

const isLong = ({ text }: TranscriptPart): boolean =>
  text.length > HEAD_CHARACTERS + TAIL_CHARACTERS + MIN_SAVING_CHARACTERS;
const sizeOf = ({ title, text }: TranscriptPart): number => title.length + text.length + 2;

/**
 * Parts of at most `limitCharacters` together, in order. The oldest results are shortened first, then calls, thoughts,
 * answers and requests. If that is not enough, the oldest parts are replaced by a line that says so; the newest part is
 * always kept. The same list if all parts fit.
 */
export function fitParts(parts: readonly TranscriptPart[], limitCharacters: number): readonly TranscriptPart[] {
  let size = parts.reduce((sum, part) => sum + sizeOf(part), 0);
  if (size <= limitCharacters) return parts;
  const fitting = [...parts];
  for (const kind of ORDER) {
    for (const [index, part] of fitting.entries()) {
      if (size <= limitCharacters) return fitting;
      if (part.kind !== kind || !isLong(part)) continue;
      const shorter = { ...part, text: excerpt(part.text) };
      size += sizeOf(shorter) - sizeOf(part);
      fitting[index] = shorter;
    }
  }
  let first = 0;
  while (size > limitCharacters && first < fitting.length - 1) size -= sizeOf(fitting[first++]!);
  if (first === 0) return fitting;
  const note: TranscriptPart = {
    kind: 'result',
    title: `[${counted(first, 'older part')} of the conversation omitted]`,
    text: '',
  };
  return [note, ...fitting.slice(first)];
}
