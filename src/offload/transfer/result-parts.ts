import type { IContent } from '../../content/content.ts';
import type { DensityEdit } from '../../strategies/contract.ts';
import type { EditReason } from '../../strategies/reasons/edit-reason.ts';
import type { EditsPart, HistoryPart, ResultPart, Revised } from '../protocol.ts';
import { applyBlockEdits, blockEdits, nextKeptPlaces } from './block-edits.ts';

/** Bytes that name a kept block or range; the rest of a part is what changed. */
const PART_BYTES = 64;
const EDITS_PER_PART = 512;
/** The numbers of each edit: entry, block, whether it replaces, and the number of its reason. */
const NUMBERS_PER_EDIT = 4;
/** About what a reason takes in a message, and each call that it names. */
const REASON_BYTES = 128;
const CAUSE_BYTES = 96;

/** How entry `from` of `entries` became `entry`, as little as can be said about it. */
export function revised(entries: readonly IContent[], from: number, entry: IContent, tokens: number): Revised {
  const own = entries[from];
  const blocks = own && blockEdits(own, entry);
  return blocks === undefined ? { from, tokens, content: entry } : { from, tokens, blocks };
}

/**
 * `rebuilt` in terms of the entries it was made of: kept ones by identity, each changed one by the first that it may
 * have been made of between its kept neighbours; one that was made of none is whole, with `from` -1.
 */
export function historyParts(
  entries: readonly IContent[],
  rebuilt: readonly IContent[],
  countTokens: (entry: IContent) => number,
): HistoryPart[] {
  const places = new Map(entries.map((entry, index) => [entry, index]));
  const keptAt = rebuilt.map((entry) => places.get(entry) ?? -1);
  const limits = nextKeptPlaces(keptAt, entries.length);
  const parts: HistoryPart[] = [];
  let from = 0;
  for (const [index, entry] of rebuilt.entries()) {
    const place = keptAt[index]!;
    if (place === -1) {
      const source = sourceOf(entry, entries, { from, to: limits[index]! });
      parts.push(revised(entries, source, entry, countTokens(entry)));
      if (source !== -1) from = source + 1;
      continue;
    }
    const last = parts.at(-1);
    if (last && 'keepTo' in last && last.keepTo === place) parts[parts.length - 1] = { ...last, keepTo: place + 1 };
    else parts.push({ keepFrom: place, keepTo: place + 1 });
    from = place + 1;
  }
  return parts;
}

/** The entries that a part means, made of the caller's own. */
export function entriesOfPart(entries: readonly IContent[], part: HistoryPart): readonly IContent[] {
  if ('keepFrom' in part) return entries.slice(part.keepFrom, part.keepTo);
  return ['content' in part ? part.content : applyBlockEdits(entries[part.from]!, part.blocks)];
}

/** About what a part takes in a message. */
export function partBytes(part: ResultPart, entryBytes: (entry: IContent) => number): number {
  if ('reasons' in part) return editsPartBytes(part);
  if ('keepFrom' in part) return PART_BYTES;
  if ('content' in part) return PART_BYTES + entryBytes(part.content);
  const texts = part.blocks.flatMap(({ becomes }) => (becomes === 'nothing' ? [] : Object.values(becomes.set)));
  const textUnits = texts.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
  return PART_BYTES * (1 + part.blocks.length) + textUnits;
}

function sourceOf(entry: IContent, entries: readonly IContent[], { from, to }: { from: number; to: number }): number {
  for (let index = from; index < to; index++) if (blockEdits(entries[index]!, entry) !== undefined) return index;
  return -1;
}

/** Edits as they are sent: numbers, and each reason once. Linear. */
export function editParts(edits: readonly DensityEdit[]): EditsPart[] {
  const parts: EditsPart[] = [];
  for (let from = 0; from < edits.length; from += EDITS_PER_PART) {
    parts.push(editsPart(edits.slice(from, from + EDITS_PER_PART)));
  }
  return parts;
}

function editsPart(edits: readonly DensityEdit[]): EditsPart {
  const numbers = new Int32Array(edits.length * NUMBERS_PER_EDIT);
  const reasons = new Map<EditReason, number>();
  for (const [at, { entry, block, kind, reason }] of edits.entries()) {
    const known = reasons.get(reason) ?? reasons.size;
    reasons.set(reason, known);
    numbers.set([entry, block, kind === 'replace' ? 1 : 0, known], at * NUMBERS_PER_EDIT);
  }
  return { edits: numbers, reasons: [...reasons.keys()] };
}

/** The edits that a part was made of. */
export function editsOfPart({ edits, reasons }: EditsPart): DensityEdit[] {
  return Array.from({ length: edits.length / NUMBERS_PER_EDIT }, (_, at) => {
    const [entry, block, replaces, reason] = edits.subarray(at * NUMBERS_PER_EDIT, (at + 1) * NUMBERS_PER_EDIT);
    return { entry: entry!, block: block!, kind: replaces === 1 ? 'replace' : 'remove', reason: reasons[reason!]! };
  });
}

/** About what a part takes in a message. */
function editsPartBytes({ edits, reasons }: EditsPart): number {
  const causes = reasons.reduce((sum, reason) => sum + ('causes' in reason ? reason.causes.length : 0), 0);
  return edits.byteLength + REASON_BYTES * reasons.length + CAUSE_BYTES * causes;
}
