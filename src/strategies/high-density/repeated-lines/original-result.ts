import type { IContent, ToolResponseBlock } from '../../../content/content.ts';
import { type LineNote, lineShowing, mayHaveNotes } from './line-notes.ts';
import { shownLines } from './shown-text.ts';
import { sameLines, type TextLines } from './text-lines.ts';

/** By result with notes of ours, the result into which they were put. Blocks are immutable. */
const originals = new WeakMap<ToolResponseBlock, ToolResponseBlock>();

/** Notes of which result this one is a form: only then can the lines of its notes be put back. Its text may have notes of others. */
export function noteOriginal(form: ToolResponseBlock, original: ToolResponseBlock): void {
  if (mayHaveNotes(form.result)) originals.set(form, original);
}

/** Notes for a later form of a result what is known of the form before. */
export function keepOriginal(form: ToolResponseBlock, before: ToolResponseBlock): void {
  const original = originals.get(before);
  if (original !== undefined && form !== before) noteOriginal(form, original);
}

/** `keepOriginal` for the results of an entry; `before` has the same blocks in other forms. */
export function keepOriginals(entry: IContent, before: IContent): void {
  for (const [at, block] of entry.blocks.entries()) {
    const other = before.blocks[at];
    if (block.type === 'tool_response' && other?.type === 'tool_response') keepOriginal(block, other);
  }
}

/** The lines in whose place a note stands, in the result as it was before. */
export interface OwnLines {
  readonly lines: TextLines;
  readonly first: number;
}

/** The lines in whose place a note of a result stands; `undefined` if its tool printed the note, or that is not known. Linear. */
export function ownLines(note: LineNote, response: ToolResponseBlock): OwnLines | undefined {
  const original = originals.get(response);
  const { result } = response;
  if (original === undefined || typeof result !== 'string') return undefined;
  if (String(original.result).includes(result.slice(note.start, note.end))) return undefined;
  const [lines] = shownLines(original);
  const first = lines && lineShowing(lines, note);
  return lines && first !== undefined ? { lines, first } : undefined;
}

/** True if the lines of a text from `from` on are these, and no others with the same hash. */
export const areLines = (own: OwnLines, count: number, shown: { readonly lines: TextLines; from: number }): boolean =>
  sameLines(own.lines, own.first, shown) >= count;
