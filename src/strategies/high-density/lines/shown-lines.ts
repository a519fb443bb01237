import { blockTexts } from '../../../content/block-text.ts';
import { responseExtent } from '../../../content/calls/pairing.ts';
import type { ContentBlock, IContent, ToolCallBlock } from '../../../content/content.ts';
import { type EditText, editText } from '../../../content/files/edit-text.ts';
import { madeOnce } from '../../../content/group-by.ts';
import { blockLineHashes } from '../../../content/lines/block-line-hashes.ts';
import { lineHash, lineHashes } from '../../../content/lines/line-hash.ts';
import { isPruned } from '../../../content/pruned-result.ts';
import { withoutRepeatNotes } from '../repeated-lines/text-lines.ts';
import { attachedRead, isLeftOut } from '../rules/attached-read.ts';
import { withoutCutNotes } from './cut-lines.ts';

/** Characters of an image that distinguish it from others of the same size. */
const MEDIA_UNITS = 256;

/** The hashes of the lines that a write shows and removes. */
export interface WrittenLines {
  readonly removed: readonly number[];
  readonly shown: readonly number[];
  /** True if the write replaces the whole file. */
  readonly isWhole: boolean;
}

const NOTHING_WRITTEN: EditText = { before: [], after: [], isWhole: false };

/** A cache: entries and calls are immutable. */
const shownCache = new WeakMap<IContent, Map<number, readonly number[]>>();
const writtenCache = new WeakMap<ToolCallBlock, WrittenLines>();

/** The line hashes of the result at `block` and its attached blocks, or of the lines that an agent attached there; an image has one hash, a pruned result none. */
export function shownLines(content: IContent, block: number): readonly number[] {
  const cached = madeOnce(shownCache, content, () => new Map<number, readonly number[]>());
  return madeOnce(cached, block, () =>
    content.blocks[block]!.type === 'text' ? attachedLines(content, block) : resultLines(content, block),
  );
}

function resultLines(content: IContent, block: number): readonly number[] {
  const [start, end] = responseExtent(content, block);
  // Most results are one block. Then this is its own list and no copy.
  return end - start === 1 ? hashesOf(content.blocks[start]!) : content.blocks.slice(start, end).flatMap(hashesOf);
}

function attachedLines(content: IContent, block: number): readonly number[] {
  const read = attachedRead(content, block);
  return read === undefined || isLeftOut(read.response) ? [] : hashesOf(read.response);
}

/** The lines that a write shows and removes, by its parameters. */
export const writtenLines = (call: ToolCallBlock): WrittenLines =>
  madeOnce(writtenCache, call, () => linesOfEdit(editText(call) ?? NOTHING_WRITTEN));

function hashesOf(block: ContentBlock): readonly number[] {
  if (block.type === 'media')
    return [lineHash(`${block.mimeType} ${block.data.length} ${block.data.slice(0, MEDIA_UNITS)}`)];
  if (block.type === 'tool_response' && isPruned(block.result)) return [];
  const texts = blockTexts(block);
  const shown = texts.map((text) => withoutRepeatNotes(withoutCutNotes(text)));
  return shown.every((text, at) => text === texts[at]) ? blockLineHashes(block) : lineHashes(shown);
}

function linesOfEdit({ before, after, isWhole }: EditText): WrittenLines {
  const shown = lineHashes(after);
  const left = new Set(shown);
  return { removed: lineHashes(before).filter((hash) => !left.has(hash)), shown, isWhole };
}
