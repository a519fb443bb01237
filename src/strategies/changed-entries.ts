import type { ContentBlock, IContent } from '../content/content.ts';
import { addTo, groupBy } from '../content/group-by.ts';
import type { DensityEdit, DensityResult } from './contract.ts';
import type { EditReason, MadeRoom } from './reasons/edit-reason.ts';

/** A block that a step removed, or replaced. */
export interface ChangedBlock {
  readonly block: ContentBlock;
  /** Absent where it was removed. */
  readonly replacement?: ContentBlock;
  /** At least one, oldest first. The last one decides the content. */
  readonly edits: readonly DensityEdit[];
}

/** An entry that a step changed. */
export interface ChangedEntry {
  /** Its index in the history before the step. */
  readonly index: number;
  readonly before: IContent;
  /** Absent where it was removed. */
  readonly after?: IContent;
  readonly blocks: readonly ChangedBlock[];
}

/** Why a block is what it is now. */
export const reasonFor = ({ edits }: ChangedBlock): EditReason => edits.at(-1)!.reason;

/** The entries that an optimisation changes, in order. An edit without a reason has `strategy` as its reason. Linear in edits. */
export function optimizedEntries(
  history: readonly IContent[],
  { removals, replacements, edits }: DensityResult,
  strategy: string,
): ChangedEntry[] {
  if (edits !== undefined) {
    return [...groupBy(edits, ({ entry }) => entry)].map(([index, own]) =>
      editedEntry(index, { before: history[index]!, after: replacements.get(index), edits: own }),
    );
  }
  return [...removals, ...replacements.keys()]
    .sort((one, other) => one - other)
    .map((index) => smallerEntry(index, { before: history[index]!, after: replacements.get(index), strategy }));
}

/**
 * The entries that a compression by `strategy` changed, in order. A new entry replaces the one old entry with which it
 * shares its metadata object, else a block, else the id of a call, in order: ids can be reused. If fewer new entries than old
 * ones have the id, nobody knows which are left: all count as removed. Linear.
 */
export function compressedEntries(
  before: readonly IContent[],
  after: readonly IContent[],
  strategy: string,
): ChangedEntry[] {
  const had = new Set(before);
  const kept = new Set(after);
  const changed = before.flatMap((entry, index) => (kept.has(entry) ? [] : [{ entry, index }]));
  const open = new Set(after.filter((entry) => !had.has(entry)));
  const replacements = new Map<number, IContent>();
  for (const partsOf of PARTS) {
    const byPart = groupParts(open, partsOf);
    const left = changed.filter(({ index }) => !replacements.has(index));
    const hadPart =
      partsOf === callIdsOf
        ? groupParts(
            left.map(({ entry }) => entry),
            partsOf,
          )
        : undefined;
    const clear = (part: unknown): boolean =>
      hadPart === undefined || (byPart.get(part)?.length ?? 0) >= hadPart.get(part)!.length;
    const unclear = new Set(left.flatMap(({ entry }) => partsOf(entry).filter((part) => !clear(part))));
    for (const { entry, index } of left) {
      const found = firstOpen(
        partsOf(entry).filter((part) => !unclear.has(part)),
        byPart,
        open,
      );
      if (found === undefined) continue;
      replacements.set(index, found);
      open.delete(found);
    }
  }
  return changed.map(({ entry, index }) =>
    smallerEntry(index, { before: entry, after: replacements.get(index), strategy }),
  );
}

/** What an entry shares with its replacement, the surest sign first. */
const callIdsOf = ({ blocks }: IContent): readonly unknown[] =>
  blocks.flatMap((block) => (block.type === 'tool_response' ? [block.callId] : []));

const PARTS: readonly ((entry: IContent) => readonly unknown[])[] = [
  ({ metadata }) => (metadata === undefined ? [] : [metadata]),
  ({ blocks }) => blocks,
  callIdsOf,
];

function groupParts(entries: Iterable<IContent>, partsOf: (entry: IContent) => readonly unknown[]) {
  const byPart = new Map<unknown, IContent[]>();
  for (const entry of entries) for (const part of partsOf(entry)) addTo(byPart, part, entry);
  return byPart;
}

/** The first entry with one of the parts that is still open. Entries that are not leave their group, so that this is linear. */
function firstOpen(
  parts: readonly unknown[],
  byPart: ReadonlyMap<unknown, IContent[]>,
  open: ReadonlySet<IContent>,
): IContent | undefined {
  for (const part of parts) {
    const group = byPart.get(part) ?? [];
    while (group.length > 0 && !open.has(group[0]!)) group.shift();
    if (group.length > 0) return group[0];
  }
  return undefined;
}

interface Change {
  readonly before: IContent;
  readonly after: IContent | undefined;
}

const changedEntry = (
  index: number,
  { before, after, blocks }: Change & { blocks: readonly ChangedBlock[] },
): ChangedEntry => ({ index, before, ...(after && { after }), blocks });

/** The result of each block, derived from the edits: blocks that were not removed are still there, in order. */
function editedEntry(
  index: number,
  { before, after, edits }: Change & { readonly edits: readonly DensityEdit[] },
): ChangedEntry {
  const byBlock = groupBy(edits, ({ block }) => block);
  let next = 0;
  const blocks = before.blocks.flatMap((block, at): ChangedBlock[] => {
    const own = byBlock.get(at);
    const left = own?.at(-1)?.kind === 'remove' ? undefined : after?.blocks[next++];
    return own === undefined ? [] : [{ block, ...(left && { replacement: left }), edits: own }];
  });
  return changedEntry(index, { before, after, blocks });
}

/** Changed entries of a strategy that gives no reasons: it shortened or removed them to make room. */
function smallerEntry(
  index: number,
  { before, after, strategy }: Change & { readonly strategy: string },
): ChangedEntry {
  const reason: MadeRoom = { rule: after === undefined ? 'dropped' : 'summarised', strategy };
  const had = new Set(before.blocks);
  const has = new Set(after?.blocks);
  const created = groupBy(
    (after?.blocks ?? []).filter((block) => !had.has(block)),
    partOf,
  );
  const gone = groupBy(
    before.blocks.filter((block) => !has.has(block)),
    partOf,
  );
  // Of several results with one id, nobody knows which is left.
  for (const [part, [block, ...others]] of gone)
    if (block?.type === 'tool_response' && (created.get(part)?.length ?? 0) <= others.length) created.delete(part);
  const blocks = before.blocks.flatMap((block, at): ChangedBlock[] => {
    if (has.has(block)) return [];
    const replacement = created.get(partOf(block))?.shift();
    const kind = replacement === undefined ? 'remove' : 'replace';
    return [{ block, ...(replacement && { replacement }), edits: [{ entry: index, block: at, kind, reason }] }];
  });
  return changedEntry(index, { before, after, blocks });
}

/** What a block shares with the one that replaces it: the id of its call, or its type. */
const partOf = (block: ContentBlock): string =>
  block.type === 'tool_response' ? `${block.type} ${block.callId}` : block.type;
