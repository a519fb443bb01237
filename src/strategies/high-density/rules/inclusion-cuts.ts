import type { ContentBlock, IContent } from '../../../content/content.ts';
import type { Inclusion, InclusionFrame, TextPosition } from '../../../content/inclusions.ts';

/** A stretch to cut. `tidies`: the blank lines at the seam are joined; within a frame every line is kept as written. */
interface Cut {
  readonly start: TextPosition;
  readonly end: TextPosition;
  readonly tidies: boolean;
}

/** The blocks of `content` with `stale` cut out, `undefined` where nothing of a block is left; last cut first. */
export function withoutInclusions(content: IContent, stale: readonly Inclusion[]): (ContentBlock | undefined)[] {
  const blocks: (ContentBlock | undefined)[] = [...content.blocks];
  const touched = new Set<number>();
  for (const { start, end, tidies } of cutsOf(content, stale).reverse()) {
    const left = textOf(blocks[start.block]).slice(0, start.offset);
    const right = textOf(blocks[end.block]).slice(end.offset);
    for (let at = start.block; at <= end.block; at++) {
      touched.add(at);
      if (at !== start.block && at !== end.block) blocks[at] = undefined;
    }
    if (start.block === end.block) blocks[start.block] = retext(content, start.block, join(left, right, tidies));
    else {
      blocks[start.block] = retext(content, start.block, tidies ? join(left, '', true) : left);
      blocks[end.block] = retext(content, end.block, tidies ? join('', right, true) : right);
    }
  }
  for (const at of touched) if (textOf(blocks[at]).trim() === '') blocks[at] = undefined;
  if (!blocks.some((block) => textOf(block).trim() !== '')) {
    const first = Math.min(...stale.map(({ start, frame }) => (frame ?? { start }).start.block));
    const names = [...new Set(stale.map(({ path }) => `@${path}`))].join(', ');
    blocks[first] = retext(content, first, `[${names}: newer copy below]`);
  }
  return blocks;
}

/** One cut per inclusion, or one per frame that would be left without any. */
function cutsOf(content: IContent, stale: readonly Inclusion[]): Cut[] {
  const cut = new Set(stale);
  const cuts: Cut[] = [];
  for (const inclusion of stale) {
    const { start, end, frame } = inclusion;
    const isEmptied = frame?.inclusions.every((other) => cut.has(other)) && holdsNothingElse(content, frame);
    if (!isEmptied || frame?.end === undefined) cuts.push({ start, end, tidies: frame === undefined });
    else if (frame.inclusions[0] === inclusion) cuts.push({ start: frame.start, end: frame.end, tidies: true });
  }
  return cuts;
}

/** Whether the first inclusion of a frame directly follows its banner. */
function holdsNothingElse(content: IContent, frame: InclusionFrame): boolean {
  const first = frame.inclusions[0]!.start;
  if (first.block !== frame.start.block) return first.block === frame.start.block + 1;
  const between = textOf(content.blocks[first.block]).slice(frame.start.offset, first.offset);
  return between.trimEnd().indexOf('\n') === -1;
}

/** The texts before and after a cut, joined; blank lines at the seam become at most one. */
function join(left: string, right: string, tidies: boolean): string {
  if (!tidies) return left + right;
  const before = left.trimEnd();
  const gapBefore = left.slice(before.length);
  const gapAfter = /^(?:[^\S\n]*\n)*/.exec(right)![0];
  const after = right.slice(gapAfter.length);
  if (before === '' || after.trim() === '') return before === '' ? after : before;
  const lineEnd = gapBefore.includes('\r\n') ? '\r\n' : '\n';
  const hadBlankLine = [gapBefore, gapAfter].some((gap) => gap.split('\n').length > 2);
  return before + lineEnd + (hadBlankLine ? lineEnd : '') + after;
}

function textOf(block: ContentBlock | undefined): string {
  return block?.type === 'text' ? block.text : '';
}

/** The text block at `at` with another text and the same other fields; the same object if the text is equal. */
function retext(content: IContent, at: number, text: string): ContentBlock | undefined {
  const original = content.blocks[at];
  if (original?.type !== 'text') return original;
  return original.text === text ? original : { ...original, text };
}
