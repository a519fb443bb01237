import type { ContentBlock, IContent, ToolResponseBlock } from '../../../content/content.ts';
import { labelOfCall } from '../../../content/files/entry-label.ts';
import { groupBy } from '../../../content/group-by.ts';
import type { DensityEdit, DensityResult } from '../../contract.ts';
import type { BlockPlace, CallPlace } from '../../reasons/call-place.ts';
import { countEdits } from '../../reasons/edit-counts.ts';
import { cutNoteOf } from '../lines/cut-lines.ts';
import { type FileCall, placeOfCall } from '../rules/file-call.ts';
import type { Asked } from './asked.ts';
import { type LineNote, lineShowing, notedLines, notesIn } from './line-notes.ts';
import type { RemovedTarget } from './repeated-lines.ts';
import { type BlockAt, type Shown, textsOf } from './shown-texts.ts';

/** Where a text is that shows the lines of a note. */
interface Target extends Shown {
  readonly from: number;
}

/** By block with notes: the blocks that show the lines of each. Blocks are immutable. */
const targetsOf = new WeakMap<
  ToolResponseBlock,
  ReadonlyMap<LineNote, BlockPlace & { readonly owner: ContentBlock }>
>();

/** An optimiser that finds nothing new in a longer history returns its last result again; but calls with notes may be new. */
const known = new WeakMap<DensityResult, { readonly notedCalls: number; readonly result: DensityResult }>();

/**
 * The edits of all rules, and the lines of each note whose target they remove put back in its place: a note that is sent
 * names lines that are sent. Where the target went because its lines were changed since, or are shown again below, the note
 * says that. `newFrom`: notes from this entry on are new, and their targets stay. Linear in the calls on the files of results
 * with notes; the same at once for a result that was asked for before.
 */
export function withRemovedTargets(
  found: DensityResult,
  { history, newFrom, asked }: { history: readonly IContent[]; newFrom: number; asked: Asked },
): DensityResult {
  if (!found.edits?.length) return found;
  const noted = [...asked.notedCalls(history)].filter(({ entry }) => entry < newFrom);
  const last = known.get(found);
  if (last?.notedCalls === noted.length) return last.result;
  const after = new EditedHistory(history, found);
  for (const call of noted) putBack(call, after, asked);
  const { result } = after;
  known.set(found, { notedCalls: noted.length, result });
  return result;
}

function putBack(call: FileCall, after: EditedHistory, asked: Asked): void {
  const { inForce, vocabulary, fileAccess } = asked;
  const reads = (): readonly string[] =>
    fileAccess(call.call, vocabulary, inForce.workspaceRoot, { includesShellWrites: inForce.rules.shellWrites }).reads;
  let earlier: readonly LabelledCall[] | undefined;
  for (const { entry, block } of call.responses) {
    const left = after.blockAt(entry, block);
    if (left?.type !== 'tool_response' || typeof left.result !== 'string') continue;
    const targets = new Map(targetsOf.get(left));
    const removed: CallPlace[] = [];
    let text = '';
    let from = 0;
    for (const note of notesIn(left)) {
      const target = targets.get(note);
      if (target && after.isSame(target, target.owner)) continue;
      earlier ??= [...asked.callsOn(reads(), after.history, after.history.length)].flatMap((other) =>
        other.entry < call.entry ? { call: other, label: labelOfCall(other.call, vocabulary) } : [],
      );
      const before = targetOf(note, earlier, after.rawAt);
      const shown = targetOf(note, earlier, after.blockAt);
      if (shown && after.keeps(shown, before)) {
        targets.set(note, { entry: shown.entry, block: shown.block, owner: after.blockAt(shown.entry, shown.block)! });
        continue;
      }
      if (before === undefined) continue;
      removed.push(placeOfCall(before.call));
      const isSettled = after.editsOf(before).some(({ reason }) => SETTLING.has(reason.rule));
      text += left.result.slice(from, note.start) + (isSettled ? cutNoteOf(note.count) : notedLines(note, before));
      from = note.end;
    }
    if (removed.length === 0) targetsOf.set(left, targets);
    else {
      const reason: RemovedTarget = { rule: 'removedTarget', call: placeOfCall(call), targets: removed };
      after.replace({ entry, block }, { ...left, result: text + left.result.slice(from) }, reason);
    }
  }
}

/** Rules that remove lines which were changed since, or are shown again later. */
const SETTLING: ReadonlySet<string> = new Set(['staleRead', 'supersededRead', 'changedLines']);

interface LabelledCall {
  readonly call: FileCall;
  readonly label: string;
}

/** The last of the texts of earlier calls that shows the lines of a note. */
function targetOf(note: LineNote, earlier: readonly LabelledCall[], blockAt: BlockAt): Target | undefined {
  for (const { call, label } of earlier) {
    if (label !== note.label) continue;
    for (const shown of textsOf(call, blockAt)) {
      const from = lineShowing(shown.lines, note);
      if (from !== undefined) return { ...shown, from };
    }
  }
  return undefined;
}

/** A history as edits leave it, which may be edited further. */
class EditedHistory {
  readonly history: readonly IContent[];
  readonly #found: DensityResult;
  readonly #edits: ReadonlyMap<number, readonly DensityEdit[]>;
  readonly #removals: ReadonlySet<number>;
  readonly #replacements: Map<number, IContent>;
  readonly #added: (DensityEdit & { readonly reason: RemovedTarget })[] = [];

  constructor(history: readonly IContent[], found: DensityResult) {
    this.history = history;
    this.#found = found;
    this.#edits = groupBy(found.edits ?? [], ({ entry }) => entry);
    this.#removals = new Set(found.removals);
    this.#replacements = new Map(found.replacements);
  }

  readonly rawAt: BlockAt = (entry, block) => this.history[entry]?.blocks[block];

  readonly blockAt: BlockAt = (entry, block) => {
    if (this.#removals.has(entry)) return undefined;
    const replaced = this.#replacements.get(entry);
    if (replaced === undefined) return this.rawAt(entry, block);
    const place = this.#placeOf({ entry, block });
    return place === undefined ? undefined : replaced.blocks[place];
  };

  /** True if the block at this place is still this one. */
  isSame({ entry, block }: BlockPlace, owner: ContentBlock): boolean {
    return this.rawAt(entry, block) === owner && this.blockAt(entry, block) === owner;
  }

  /** True if a text shows its lines whatever becomes of other edits than those that remove `before`. */
  keeps(shown: Target, before: Target | undefined): boolean {
    return this.#added.every(
      ({ entry, block, reason }) =>
        entry !== shown.entry ||
        block !== shown.block ||
        (before !== undefined && reason.targets.some(({ callId }) => callId === before.call.call.id)),
    );
  }

  editsOf({ entry, block }: BlockPlace): readonly DensityEdit[] {
    return (this.#edits.get(entry) ?? []).filter((edit) => edit.block === block);
  }

  replace({ entry, block }: BlockPlace, by: ContentBlock, reason: RemovedTarget): void {
    const content = this.#replacements.get(entry) ?? this.history[entry]!;
    this.#replacements.set(entry, { ...content, blocks: content.blocks.with(this.#placeOf({ entry, block })!, by) });
    this.#added.push({ entry, block, kind: 'replace', reason });
  }

  get result(): DensityResult {
    if (this.#added.length === 0) return this.#found;
    const edits = [...this.#found.edits!, ...this.#added].sort(
      (one, other) => one.entry - other.entry || one.block - other.block,
    );
    return { ...this.#found, replacements: this.#replacements, metadata: countEdits(edits), edits };
  }

  /** The place of a block among those of its entry that are left; `undefined` if it is removed. */
  #placeOf({ entry, block }: BlockPlace): number | undefined {
    const removed = new Set<number>();
    for (const edit of this.#edits.get(entry) ?? []) if (edit.kind === 'remove') removed.add(edit.block);
    if (removed.has(block)) return undefined;
    return block - [...removed].filter((other) => other < block).length;
  }
}
