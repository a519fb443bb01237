import { blockTexts } from '../../../content/block-text.ts';
import { responseExtent } from '../../../content/calls/pairing.ts';
import type { ContentBlock, IContent, ToolCallBlock, ToolResponseBlock } from '../../../content/content.ts';
import { type EditText, editText } from '../../../content/files/edit-text.ts';
import { blockLineHashes } from '../../../content/lines/block-line-hashes.ts';
import { lineHash, lineHashes } from '../../../content/lines/line-hash.ts';
import { isPruned } from '../../../content/pruned-result.ts';
import { type CutText, cutLines, type LineRun, type Settled, withoutCutNotes } from './cut-lines.ts';

/** So much of an image tells it from another of its size. */
const MEDIA_UNITS = 256;

/** The marks of lines that a write shows and takes away. */
export interface WrittenLines {
  /** Lines that were there and are not any more. */
  readonly gone: readonly number[];
  readonly shown: readonly number[];
  /** Nothing stands any more that an earlier read showed. */
  readonly isWhole: boolean;
}

const NOTHING_WRITTEN: WrittenLines = { gone: [], shown: [], isWhole: false };

/**
 * The lines that reads and writes show, as marks, each block looked at once for as long as it lives: entries are
 * immutable. Linear in text that was not asked for before.
 */
export class ShownLines {
  readonly #read = new WeakMap<IContent, Map<number, readonly number[]>>();
  readonly #written = new WeakMap<ToolCallBlock, WrittenLines>();
  readonly #cut = new WeakMap<ToolResponseBlock, { readonly runs: readonly LineRun[]; readonly cut: CutText }>();

  /** The lines of the response at `block` and of what belongs to it, an image as one; none of a result that is gone. */
  ofResponse(content: IContent, block: number): readonly number[] {
    const known = this.#read.get(content) ?? new Map<number, readonly number[]>();
    this.#read.set(content, known);
    const kept = known.get(block);
    if (kept !== undefined) return kept;
    const [start, end] = responseExtent(content, block);
    const marks = content.blocks.slice(start, end).flatMap(marksOf);
    known.set(block, marks);
    return marks;
  }

  ofWrite(call: ToolCallBlock): WrittenLines {
    const kept = this.#written.get(call);
    if (kept !== undefined) return kept;
    const text = editText(call);
    const lines = text === undefined ? NOTHING_WRITTEN : writtenLines(text);
    this.#written.set(call, lines);
    return lines;
  }

  /** `cutLines` of a result that is a text, of which `cutRuns` are `runs`; looked at again only when these are others. */
  ofCut(block: ToolResponseBlock, { runs, settled }: { runs: readonly LineRun[]; settled: Settled }): CutText {
    const kept = this.#cut.get(block);
    if (kept !== undefined && areSame(kept.runs, runs)) return kept.cut;
    const cut = cutLines(String(block.result), settled);
    this.#cut.set(block, { runs, cut });
    return cut;
  }
}

const areSame = (left: readonly LineRun[], right: readonly LineRun[]): boolean =>
  left.length === right.length &&
  left.every(({ start, end }, at) => start === right[at]!.start && end === right[at]!.end);

function marksOf(block: ContentBlock): readonly number[] {
  if (block.type === 'media')
    return [lineHash(`${block.mimeType} ${block.data.length} ${block.data.slice(0, MEDIA_UNITS)}`)];
  if (block.type === 'tool_response' && isPruned(block.result)) return [];
  const texts = blockTexts(block);
  const shown = texts.map(withoutCutNotes);
  return shown.every((text, at) => text === texts[at]) ? blockLineHashes(block) : lineHashes(shown);
}

function writtenLines({ before, after, isWhole }: EditText): WrittenLines {
  const shown = lineHashes(after);
  const standing = new Set(shown);
  return { gone: lineHashes(before).filter((mark) => !standing.has(mark)), shown, isWhole };
}
