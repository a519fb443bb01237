import { blockTexts } from '../../../content/block-text.ts';
import { responseExtent } from '../../../content/calls/pairing.ts';
import type { ContentBlock, IContent, ToolCallBlock } from '../../../content/content.ts';
import { type EditText, editText } from '../../../content/files/edit-text.ts';
import { blockLineHashes } from '../../../content/lines/block-line-hashes.ts';
import { lineHash, lineHashes } from '../../../content/lines/line-hash.ts';
import { isPruned } from '../../../content/pruned-result.ts';
import { withoutCutNotes } from './cut-lines.ts';

/** So much of an image tells it from another of its size. */
const MEDIA_UNITS = 256;

/** The hashes of lines that a write shows and removes. */
export interface WrittenLines {
  readonly removed: readonly number[];
  readonly shown: readonly number[];
  /** Nothing is left of what an earlier read showed. */
  readonly isWhole: boolean;
}

const NOTHING_WRITTEN: WrittenLines = { removed: [], shown: [], isWhole: false };

/** Entries and calls are immutable: each is looked at once, for as long as it lives. */
const shownCache = new WeakMap<IContent, Map<number, readonly number[]>>();
const writtenCache = new WeakMap<ToolCallBlock, WrittenLines>();

/** The hashes of the lines of the response at `block` and of what belongs to it, an image as one; none of a pruned result. */
export function shownLines(content: IContent, block: number): readonly number[] {
  const cached = shownCache.get(content) ?? new Map<number, readonly number[]>();
  shownCache.set(content, cached);
  let hashes = cached.get(block);
  if (hashes === undefined) {
    const [start, end] = responseExtent(content, block);
    hashes = content.blocks.slice(start, end).flatMap(hashesOf);
    cached.set(block, hashes);
  }
  return hashes;
}

/** The lines that a write shows and removes, as far as its parameters say. */
export function writtenLines(call: ToolCallBlock): WrittenLines {
  let lines = writtenCache.get(call);
  if (lines === undefined) {
    const text = editText(call);
    lines = text === undefined ? NOTHING_WRITTEN : linesOfEdit(text);
    writtenCache.set(call, lines);
  }
  return lines;
}

function hashesOf(block: ContentBlock): readonly number[] {
  if (block.type === 'media')
    return [lineHash(`${block.mimeType} ${block.data.length} ${block.data.slice(0, MEDIA_UNITS)}`)];
  if (block.type === 'tool_response' && isPruned(block.result)) return [];
  const texts = blockTexts(block);
  const shown = texts.map(withoutCutNotes);
  return shown.every((text, at) => text === texts[at]) ? blockLineHashes(block) : lineHashes(shown);
}

function linesOfEdit({ before, after, isWhole }: EditText): WrittenLines {
  const shown = lineHashes(after);
  const left = new Set(shown);
  return { removed: lineHashes(before).filter((hash) => !left.has(hash)), shown, isWhole };
}
