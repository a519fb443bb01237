import type { ContentBlock, IContent, ToolResponseBlock } from '../../../content/content.ts';
import { groupBy } from '../../../content/group-by.ts';
import type { DensityEdit, DensityResult } from '../../contract.ts';
import { type BlockPlace, type CallPlace, compareBlocks } from '../../reasons/call-place.ts';
import { countEdits } from '../../reasons/edit-counts.ts';
import { withoutEditsOf } from '../../reasons/edit-groups.ts';
import { cutNoteOf } from '../lines/cut-lines.ts';
import { type CallResponse, type FileCall, placeOfCall } from '../rules/file-call.ts';
import type { Asked } from './asked.ts';
import type { LineIndex } from './line-index.ts';
import { type LineNote, lineShowing, notedLines, notesIn, THIS_RESULT } from './line-notes.ts';
import { areLines, keepOriginal, type OwnLines, ownLines } from './original-result.ts';
import type { RemovedTarget } from './repeated-lines.ts';
import { blockLines, type ShownText, shownLines } from './shown-text.ts';

/** The place of a text that shows the lines of a note. */
interface Target extends ShownText {
  readonly from: number;
}

/** The block at a place; `undefined` if there is none. */
type BlockAt = (entry: number, block: number) => ContentBlock | undefined;

/** By block with notes: the blocks that show the lines of each. Blocks are immutable. */
const targetsOf = new WeakMap<
  ToolResponseBlock,
  ReadonlyMap<LineNote, BlockPlace & { readonly owner: ContentBlock }>
>();

/** An optimiser that finds nothing new in a longer history returns its last result again; but calls with notes may be new. */
const known = new WeakMap<DensityResult, { readonly notedCalls: number; readonly result: DensityResult }>();

/**
 * The edits of all rules, and the lines of each note whose target they remove put back in its place: a note that is sent
 * names lines that are sent. If the target was removed because its lines were changed since, or are shown again below, the note says that. `newFrom`: notes from this entry on are new, and their targets stay. Linear in notes, and in the texts of the calls that they name
 * where these change; the same at once for a result that was asked for before. Lines are put back only if they are those in whose place the
 * note stands. Where that is not known, or a tool printed the note, the lines that it may name stay with `mayWait`; and the note stays.
 */
export function withRemovedTargets(
  found: DensityResult,
  given: { history: readonly IContent[]; newFrom: number; asked: Asked; mayWait?: true },
): DensityResult {
  const { history, newFrom, asked, mayWait } = given;
  if (!found.edits?.length) return found;
  const noted = [...asked.notedCalls(history)].flatMap((call) => {
    const responses = call.responses.filter(({ entry }) => entry < newFrom);
    return responses.length === 0 ? [] : { call, responses };
  });
  const last = known.get(found);
  if (last?.notedCalls === noted.length) return last.result;
  const after = editedHistory(history, found);
  const lines = noted.length === 0 ? undefined : asked.linesOf(history, newFrom);
  const unsure = new Set(lines ? noted.flatMap((one) => putBack(one, after, lines)) : []);
  const sure = mayWait && unsure.size > 0 ? withoutEditsOf(found, unsure, history) : found;
  const result = sure === found ? after.result() : withRemovedTargets(sure, given);
  known.set(found, { notedCalls: noted.length, result });
  return result;
}

/** A call, and those of its results that were sent. */
interface NotedCall {
  readonly call: FileCall;
  readonly responses: readonly CallResponse[];
}

/** Returns the entries whose lines a note may name that is not known to be ours. */
function putBack(noted: NotedCall, after: EditedHistory, lines: LineIndex): number[] {
  const unsure: number[] = [];
  for (const place of noted.responses) {
    const { entry, block } = place;
    const raw = after.rawAt(entry, block) as ToolResponseBlock;
    const left = after.blockAt(entry, block);
    if (left !== raw) joinTargets(noted.call, place, { raw, after, lines });
    if (left?.type !== 'tool_response' || typeof left.result !== 'string') continue;
    keepOriginal(left, raw);
    const targets = new Map(targetsOf.get(left));
    const removed: CallPlace[] = [];
    let text = '';
    let from = 0;
    for (const note of notesIn(left)) {
      const target = targets.get(note);
      if (target && after.isSame(target, target.owner)) continue;
      const earlier = earlierTexts(note, { call: noted.call, place, after, lines });
      const own = ownLines(note, left);
      const before = targetOf(note, earlier, after.rawAt, own);
      const shown = targetOf(note, earlier, after.blockAt, own);
      if (shown && after.keeps(shown, before)) {
        targets.set(note, { entry: shown.entry, block: shown.block, owner: after.blockAt(shown.entry, shown.block)! });
        continue;
      }
      if (before === undefined) continue;
      if (own === undefined) {
        if (!note.hasWayBack) unsure.push(before.entry);
        continue;
      }
      removed.push(before.call);
      const isSettled = after.editsOf(before).some(({ reason }) => SETTLING.has(reason.rule));
      text += left.result.slice(from, note.start) + (isSettled ? cutNoteOf(note.count) : notedLines(note, before));
      from = note.end;
    }
    if (removed.length === 0) targetsOf.set(left, targets);
    else {
      const reason: RemovedTarget = { rule: 'removedTarget', call: placeOfCall(noted.call), targets: removed };
      const whole = { ...left, result: text + left.result.slice(from) };
      keepOriginal(whole, left);
      after.replace({ entry, block }, whole, reason);
    }
  }
  return unsure;
}

/** A result with notes that the step changes: it applies together with the edits of what the notes name, or these would be removed alone. */
function joinTargets(
  call: FileCall,
  place: BlockPlace,
  { raw, after, lines }: { raw: ToolResponseBlock; after: EditedHistory; lines: LineIndex },
): void {
  const targets = notesIn(raw).flatMap((note) => {
    const earlier = earlierTexts(note, { call, place, after, lines });
    const target = targetOf(note, earlier, after.rawAt, ownLines(note, raw));
    return target === undefined || after.isSame(target, target.owner) ? [] : target.call;
  });
  if (targets.length > 0) after.join(place, { rule: 'removedTarget', call: placeOfCall(call), targets });
}

/** The texts that a note may name: those of its call before it, or its own. */
function earlierTexts(
  note: LineNote,
  { call, place, after, lines }: { call: FileCall; place: BlockPlace; after: EditedHistory; lines: LineIndex },
): readonly ShownText[] {
  if (note.label === THIS_RESULT) return [ownText(call, place, after.rawAt)];
  return lines.labelled(note.label).filter((shown) => compareBlocks(shown, place) < 0);
}

/** Rules that remove lines which were changed since, or are shown again later. */
const SETTLING: ReadonlySet<string> = new Set(['staleRead', 'supersededRead', 'changedLines']);

/** The result in which a note stands, as it was sent. */
function ownText(call: FileCall, { entry, block }: BlockPlace, rawAt: BlockAt): ShownText {
  const owner = rawAt(entry, block) as ToolResponseBlock;
  const [lines] = shownLines(owner);
  return { entry, block, owner, lines: lines!, isWritten: false, call: placeOfCall(call), label: THIS_RESULT };
}

/** The last of the earlier texts that shows the lines of a note: `own`, where they are known, else by their hash. */
export function targetOf(
  note: LineNote,
  earlier: readonly ShownText[],
  blockAt: BlockAt,
  own?: OwnLines,
): Target | undefined {
  for (const one of earlier) {
    const shown = shownNow(one, blockAt);
    const isSame = (from: number): boolean =>
      own === undefined || areLines(own, note.count, { lines: shown!.lines, from });
    const from = shown && lineShowing(shown.lines, note, isSame);
    if (shown && from !== undefined) return { ...shown, from };
  }
  return undefined;
}

/** A text as the block at its place has it; `undefined` if it is not there. */
function shownNow(shown: ShownText, blockAt: BlockAt): ShownText | undefined {
  const owner = blockAt(shown.entry, shown.block);
  if (owner === shown.owner) return shown;
  const [lines] = owner === undefined ? [] : blockLines(owner);
  return lines && owner && { ...shown, owner, lines };
}

type EditedHistory = ReturnType<typeof editedHistory>;

/** A history as edits leave it, which may be edited further. */
function editedHistory(history: readonly IContent[], found: DensityResult) {
  const edits = groupBy(found.edits ?? [], ({ entry }) => entry);
  const removals = new Set(found.removals);
  const replacements = new Map(found.replacements);
  const added: (DensityEdit & { readonly reason: RemovedTarget })[] = [];
  const joined: DensityEdit[] = [];
  const rawAt: BlockAt = (entry, block) => history[entry]?.blocks[block];
  const editsOf = ({ entry, block }: BlockPlace): readonly DensityEdit[] =>
    (edits.get(entry) ?? []).filter((edit) => edit.block === block);
  /** The place of a block among those of its entry that are left; `undefined` if it is removed. */
  const placeOf = (entry: number, block: number): number | undefined => {
    const removes = (edits.get(entry) ?? []).filter(({ kind }) => kind === 'remove');
    const removed = new Set(removes.map((edit) => edit.block));
    return removed.has(block) ? undefined : block - [...removed].filter((other) => other < block).length;
  };
  const blockAt: BlockAt = (entry, block) => {
    if (removals.has(entry)) return undefined;
    const replaced = replacements.get(entry);
    if (replaced === undefined) return rawAt(entry, block);
    const place = placeOf(entry, block);
    return place === undefined ? undefined : replaced.blocks[place];
  };
  return {
    rawAt,
    blockAt,
    editsOf,
    /** True if the block at this place is still this one. */
    isSame: ({ entry, block }: BlockPlace, owner: ContentBlock): boolean =>
      rawAt(entry, block) === owner && blockAt(entry, block) === owner,
    /** True if a text shows its lines whatever becomes of other edits than those that remove `before`. */
    keeps: (shown: Target, before: Target | undefined): boolean =>
      added.every(
        ({ entry, block, reason }) =>
          entry !== shown.entry ||
          block !== shown.block ||
          (before !== undefined && reason.targets.some(({ callId }) => callId === before.call.callId)),
      ),
    replace({ entry, block }: BlockPlace, by: ContentBlock, reason: RemovedTarget): void {
      const content = replacements.get(entry) ?? history[entry]!;
      replacements.set(entry, { ...content, blocks: content.blocks.with(placeOf(entry, block)!, by) });
      added.push({ entry, block, kind: 'replace', reason });
    },
    /** Applies the edits of a block together with those of what its notes name. */
    join(place: BlockPlace, reason: RemovedTarget): void {
      const [edit] = editsOf(place);
      if (edit) joined.push({ ...edit, reason });
    },
    result(): DensityResult {
      if (added.length + joined.length === 0) return found;
      // If a block has several edits, the last one decides its content.
      const all = [...joined, ...found.edits!, ...added].sort(compareBlocks);
      return { ...found, replacements, metadata: countEdits(all), edits: all };
    },
  };
}
