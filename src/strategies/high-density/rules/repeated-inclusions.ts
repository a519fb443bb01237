import type { ContentBlock, IContent } from '../../../content/content.ts';
import { resolvePath } from '../../../content/files/workspace-path.ts';
import { findInclusions, type Inclusion, type TextPosition } from '../../../content/inclusions.ts';
import type { RepeatedInclusion } from '../../edit-reason.ts';
import type { HistoryDraft } from '../draft.ts';
import type { RulesInForce } from '../rules-in-force.ts';
import { withoutInclusions } from './inclusion-cuts.ts';

/** A file that a person attached, by its absolute path, and where. */
interface FileInclusion {
  readonly entry: number;
  readonly file: string;
  readonly inclusion: Inclusion;
}

/**
 * Cuts from `humans`, the human entries, every inclusion of a file that is included again later; the latest by entry, block and offset
 * is kept, and so are those of protected files. An entry that a cut would make ambiguous is left as it is. Linear in the
 * text of human entries. Source: REQ-HD-006; docs/readings.md, rows 8 to 10.
 */
export function cutRepeatedInclusions(
  draft: HistoryDraft,
  humans: readonly number[],
  { workspaceRoot, protection }: RulesInForce,
): void {
  const including: { readonly content: IContent; readonly inclusions: readonly FileInclusion[] }[] = [];
  for (const entry of humans) {
    const content = draft.history[entry]!;
    const inclusions = fileInclusions(content, entry, workspaceRoot);
    if (inclusions.length > 0) including.push({ content, inclusions });
  }
  const latest = new Map<string, FileInclusion>();
  for (const { inclusions } of including) for (const one of inclusions) latest.set(one.file, one);
  const isStale = (one: FileInclusion): boolean => latest.get(one.file) !== one && !protection.coversFile(one.file);
  for (const { content, inclusions } of including) {
    const stale = inclusions.filter(isStale);
    if (stale.length === 0) continue;
    const staleInclusions = stale.map(({ inclusion }) => inclusion);
    const blocks = withoutInclusions(content, staleInclusions);
    const kept = inclusions.filter((one) => !isStale(one)).map(({ inclusion }) => inclusion.path);
    if (!isSameList(pathsIn(blocks), kept)) continue;
    const reasons = stale.map((one) => reasonOf(one, latest.get(one.file)!));
    editBlocks(draft, { entry: stale[0]!.entry, blocks, reasons });
  }
}

function fileInclusions(content: IContent, entry: number, workspaceRoot: string): FileInclusion[] {
  return findInclusions(content).map((inclusion) => ({
    entry,
    inclusion,
    file: resolvePath(workspaceRoot, inclusion.path),
  }));
}

function reasonOf({ entry, file, inclusion }: FileInclusion, again: FileInclusion): RepeatedInclusion {
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
  draft: HistoryDraft,
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
