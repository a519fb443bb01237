import { numberGroups } from '../../content/calls/boundary.ts';
import { pairCalls } from '../../content/calls/pairing.ts';
import type { IContent } from '../../content/content.ts';
import { groupBy, madeOnce } from '../../content/group-by.ts';
import type { DensityResult } from '../contract.ts';
import { messageId } from '../high-density/repeated-lines/shown-text.ts';
import type { BlockPlace, CallPlace } from './call-place.ts';
import type { EditReason } from './edit-reason.ts';
import { onlyEntries } from './only-entries.ts';

export type FoundEdits = Pick<DensityResult, 'removals' | 'replacements' | 'edits'>;

/** An optimiser that finds nothing new returns its last result again, and that is weighed before each call. */
const knownGroups = new WeakMap<FoundEdits, readonly (readonly number[])[]>();

/**
 * The changed entries that apply together or not at all, each group in ascending order. Two belong together if one has the
 * result of a call in the other, if one puts back lines that the other removes, or if their edits concern the same file: else an older version of a file could remain
 * where a newer one is removed. Linear in the edits, and
 * in the history if several of the changed calls have one id.
 */
export const editGroups = (history: readonly IContent[], result: FoundEdits): readonly (readonly number[])[] =>
  madeOnce(knownGroups, result, () => groupsOf(history, result));

function groupsOf(history: readonly IContent[], result: FoundEdits): readonly (readonly number[])[] {
  const changed = [...result.removals, ...result.replacements.keys()].sort((one, other) => one - other);
  const groups = numberGroups(history.length);
  /** By call and file: the first entry that has to do with it. */
  const first = new Map<string, number>();
  const join = (entry: number, key: string): void =>
    groups.join(
      entry,
      madeOnce(first, key, () => entry),
    );
  const keyOf = callKeys(history, changed);
  for (const entry of changed) {
    for (const [block, item] of history[entry]!.blocks.entries()) {
      const callId =
        item.type === 'tool_call'
          ? item.id
          : item.type === 'tool_response'
            ? item.callId
            : messageId(history[entry]!, item);
      if (callId !== undefined) join(entry, keyOf({ entry, block, callId }));
    }
  }
  for (const { entry, reason } of result.edits ?? []) {
    for (const file of filesOf(reason)) join(entry, `file ${file}`);
    if (reason.rule === 'removedTarget') for (const target of reason.targets) join(entry, keyOf(target));
  }
  return [...groupBy(changed, groups.leaderOf).values()];
}

/** A key for each call, which its results have too: its id, but its place if several of the changed calls have one id. */
function callKeys(history: readonly IContent[], changed: readonly number[]): (place: CallPlace) => string {
  const ids = changed.flatMap((index) => history[index]!.blocks.flatMap((block) => ('id' in block ? block.id : [])));
  if (new Set(ids).size === ids.length) return ({ callId }) => `call ${callId}`;
  const placeOf = ({ entry, block }: BlockPlace): string => `call ${entry} ${block}`;
  const results = new Map(
    pairCalls(history).responses.flatMap((result) => (result.call ? [[placeOf(result), placeOf(result.call)]] : [])),
  );
  return (place) => results.get(placeOf(place)) ?? placeOf(place);
}

function filesOf(reason: EditReason): readonly string[] {
  switch (reason.rule) {
    case 'staleRead':
    case 'supersededRead':
    case 'changedLines':
      return reason.causes.map(({ file }) => file);
    case 'repeatedInclusion':
      return [reason.file];
    case 'carriedResult':
      return reason.files;
    default:
      return [];
  }
}

/** What was found, but for the groups that change one of these entries: they wait for the next step. */
export function withoutEditsOf(
  found: DensityResult,
  entries: ReadonlySet<number>,
  history: readonly IContent[],
): DensityResult {
  const groups = editGroups(history, found);
  const others = groups.filter((group) => !group.some((entry) => entries.has(entry)));
  return others.length === groups.length ? found : onlyEntries(found, new Set(others.flat()));
}
