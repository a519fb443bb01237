import type { ContentBlock, IContent } from '../../../content/content.ts';
import { resolvePath } from '../../../content/files/workspace-path.ts';
import { findInclusions, type Inclusion, type InclusionFrame, type TextPosition } from '../../../content/inclusions.ts';
import type { BlockPlace } from '../../reasons/call-place.ts';
import type { Draft, PruningRule, RulesInForce } from './rule.ts';

/** A file that a person attached was attached `again` later. `path` is as it was typed. */
export interface RepeatedInclusion {
  readonly rule: 'repeatedInclusion';
  readonly file: string;
  readonly path: string;
  readonly inclusion: { readonly entry: number; readonly start: TextPosition; readonly end: TextPosition };
  readonly again: BlockPlace;
}

export const repeatedInclusions = {
  reasons: {
    repeatedInclusion: {
      counter: {
        name: 'fileInclusions',
        metadata: 'fileDeduplicationsPruned',
        what: 'attached files attached again',
        one: 'file',
        many: 'files',
        badge: 'attached again',
      },
      certificate: {
        what: 'attached file that was attached again later',
        page: 'repeated file',
        terminal: 'repeated file',
      },
      /** At its first block. */
      isCounted: ({ block, reason }) => reason.inclusion.start.block === block,
      sentence: (reason, { file }) => `${file(reason.file)} was attached again later`,
    },
  },
  isOn: ({ fileDedupe }) => fileDedupe,
  prune: (draft, { inForce }) =>
    cutRepeatedInclusions(draft, entriesWithInclusions(draft.history, inForce.workspaceRoot), inForce),
} as const satisfies PruningRule<RepeatedInclusion>;

/** A file that a person attached, by its absolute path. */
export interface FileInclusion {
  readonly file: string;
  readonly inclusion: Inclusion;
}

/** A human entry to which files are attached. */
export interface EntryWithInclusions {
  readonly entry: number;
  readonly inclusions: readonly FileInclusion[];
}

interface PlacedInclusion extends FileInclusion {
  readonly entry: number;
}

/** The entries of a history to which files are attached, in order. Linear in the text of human entries. */
const entriesWithInclusions = (history: readonly IContent[], workspaceRoot: string): EntryWithInclusions[] =>
  history
    .map((content, entry) => ({ entry, inclusions: fileInclusions(content, workspaceRoot) }))
    .filter(({ inclusions }) => inclusions.length > 0);

/** The files that are attached to an entry; none unless a person wrote it. */
export function fileInclusions(content: IContent, workspaceRoot: string): FileInclusion[] {
  if (content.speaker !== 'human') return [];
  return findInclusions(content).map((inclusion) => ({ inclusion, file: resolvePath(workspaceRoot, inclusion.path) }));
}

/** A stretch to cut. `tidies`: the blank lines at the seam are joined; within a frame every line is kept as written. */
interface Cut {
  readonly start: TextPosition;
  readonly end: TextPosition;
  readonly tidies: boolean;
}

/** The blocks of `content` with `stale` cut out, `undefined` where nothing of a block is left; last cut first. */
function withoutInclusions(content: IContent, stale: readonly Inclusion[]): (ContentBlock | undefined)[] {
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
    const firstOf = ({ start, frame }: Inclusion): number => (frame ?? { start }).start.block;
    const first = stale.reduce((least, one) => Math.min(least, firstOf(one)), content.blocks.length);
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
  const rest = right.trimStart();
  const gapAfter = right.slice(0, right.lastIndexOf('\n', right.length - rest.length - 1) + 1);
  const after = right.slice(gapAfter.length);
  if (before === '' || after.trim() === '') return before === '' ? after : before;
  const lineEnd = gapBefore.includes('\r\n') ? '\r\n' : '\n';
  const hadBlankLine = [gapBefore, gapAfter].some((gap) => gap.indexOf('\n') < gap.lastIndexOf('\n'));
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

/**
 * Cuts every inclusion of a file that is included again later; the latest by entry, block and offset is kept, and so are
 * those of protected files. An entry that a cut would make ambiguous is left as it is. Linear in inclusions and in the
 * text of entries that are cut. Source: REQ-HD-006; docs/readings.md, rows 8 to 10.
 */
export function cutRepeatedInclusions(
  draft: Draft<RepeatedInclusion>,
  including: readonly EntryWithInclusions[],
  { protection }: RulesInForce,
): void {
  const latest = new Map<string, PlacedInclusion>();
  for (const { entry, inclusions } of including) {
    for (const { file, inclusion } of inclusions) latest.set(file, { entry, file, inclusion });
  }
  for (const { entry, inclusions } of including) {
    const isStale = ({ file, inclusion }: FileInclusion): boolean => {
      const last = latest.get(file)!;
      return (last.entry !== entry || last.inclusion !== inclusion) && !protection.coversFile(file);
    };
    const stale = inclusions.filter(isStale);
    if (stale.length === 0) continue;
    const content = draft.history[entry]!;
    const staleInclusions = stale.map(({ inclusion }) => inclusion);
    const blocks = withoutInclusions(content, staleInclusions);
    const kept = inclusions.filter((one) => !isStale(one)).map(({ inclusion }) => inclusion.path);
    if (!isSameList(pathsIn(blocks), kept)) continue;
    const reasons = stale.map((one) => reasonOf({ entry, ...one }, latest.get(one.file)!));
    editBlocks(draft, { entry, blocks, reasons });
  }
}

function reasonOf({ entry, file, inclusion }: PlacedInclusion, again: PlacedInclusion): RepeatedInclusion {
  const { path, start, end } = inclusion;
  return {
    rule: 'repeatedInclusion',
    file,
    path,
    inclusion: { entry, start, end },
    again: { entry: again.entry, block: again.inclusion.start.block },
  };
}

function editBlocks(
  draft: Draft<RepeatedInclusion>,
  {
    entry,
    blocks,
    reasons,
  }: {
    entry: number;
    blocks: readonly (ContentBlock | undefined)[];
    reasons: readonly RepeatedInclusion[];
  },
): void {
  for (const [at, block] of blocks.entries()) {
    if (block === draft.history[entry]!.blocks[at]) continue;
    for (const reason of reasonsAt(reasons, at)) {
      if (block === undefined) draft.removeBlock(entry, at, reason);
      else draft.replaceBlock(entry, at, { by: block, reason });
    }
  }
}

/** The inclusions that a block has a part of; for the lines around them the nearest before, or else the first. */
function reasonsAt(reasons: readonly RepeatedInclusion[], block: number): readonly RepeatedInclusion[] {
  const within = reasons.filter(({ inclusion: { start, end } }) => start.block <= block && hasTextIn(end, block));
  if (within.length > 0) return within;
  return [reasons.findLast(({ inclusion }) => inclusion.start.block < block) ?? reasons[0]!];
}

const hasTextIn = (end: TextPosition, block: number): boolean =>
  end.block > block || (end.block === block && end.offset > 0);

function pathsIn(blocks: readonly (ContentBlock | undefined)[]): string[] {
  const left = blocks.filter((block) => block !== undefined);
  return findInclusions({ speaker: 'human', blocks: left }).map(({ path }) => path);
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value, at) => value === right[at]);
}
