import type { IContent } from '../../content/content.ts';
import { addTo } from '../../content/group-by.ts';
import type { DensityEdit, DensityResult } from '../contract.ts';
import { messageId } from '../high-density/repeated-lines/shown-text.ts';

export type FoundEdits = Pick<DensityResult, 'removals' | 'replacements' | 'edits'>;

/** An optimiser that finds nothing new returns its last result again, and that is weighed before each call. */
const knownGroups = new WeakMap<FoundEdits, readonly (readonly number[])[]>();

/**
 * The changed entries that apply together or not at all, each group in ascending order. Two belong together if one has the
 * result of a call in the other, if one puts back lines that the other removes, or if their edits concern the same file: else an older version of a file could remain
 * where a newer one is removed. Linear in the edits.
 */
export function editGroups(history: readonly IContent[], result: FoundEdits): readonly (readonly number[])[] {
  const known = knownGroups.get(result);
  if (known !== undefined) return known;
  const groups = new Groups(history.length);
  const calls = new Map<string, number>();
  for (const index of [...result.removals, ...result.replacements.keys()]) {
    groups.add(index);
    for (const block of history[index]!.blocks) {
      if (block.type === 'tool_call') groups.join(index, calls, block.id);
      if (block.type === 'tool_response') groups.join(index, calls, block.callId);
      const message = messageId(history[index]!, block);
      if (message !== undefined) groups.join(index, calls, message);
    }
  }
  const files = new Map<string, number>();
  for (const edit of result.edits ?? []) {
    for (const file of filesOf(edit)) groups.join(edit.entry, files, file);
    if (edit.reason.rule === 'removedTarget')
      for (const { callId } of edit.reason.targets) groups.join(edit.entry, calls, callId);
  }
  const all = groups.all();
  knownGroups.set(result, all);
  return all;
}

function filesOf({ reason }: DensityEdit): readonly string[] {
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

/** Entries, by their index below `length`, in groups that share a key. */
class Groups {
  /** By entry: one more than the entry that leads to its group; itself for a leader, 0 for an entry that was not added. */
  readonly #leader: Int32Array;

  constructor(length: number) {
    this.#leader = new Int32Array(length);
  }

  add(entry: number): void {
    if (this.#leader[entry] === 0) this.#leader[entry] = entry + 1;
  }

  /** `byKey` remembers the first entry of each key. */
  join(entry: number, byKey: Map<string, number>, key: string): void {
    const other = byKey.get(key);
    if (other === undefined) byKey.set(key, entry);
    else this.#leader[this.#find(entry)] = this.#find(other) + 1;
  }

  /** The groups, each in ascending order. */
  all(): readonly (readonly number[])[] {
    const groups = new Map<number, number[]>();
    for (let entry = 0; entry < this.#leader.length; entry++)
      if (this.#leader[entry] !== 0) addTo(groups, this.#find(entry), entry);
    return [...groups.values()];
  }

  #find(entry: number): number {
    let leader = entry;
    while (this.#leader[leader]! - 1 !== leader) leader = this.#leader[leader]! - 1;
    this.#leader[entry] = leader + 1;
    return leader;
  }
}
