import { blockTexts } from '../../content/block-text.ts';
import type { IContent } from '../../content/content.ts';
import type { Candidate } from '../../economics/decision.ts';
import type { DensityEdit, DensityResult } from '../../strategies/contract.ts';
import { countEdits } from '../../strategies/reasons/edit-counts.ts';

/** Edits that apply together or not at all, and the entries that they change. */
export interface WaitingEdit extends Candidate {
  readonly entries: readonly number[];
}

/**
 * The edits of a result as candidates of a decision. Two entries belong together if one has the result of a call in the
 * other, or if their edits concern the same file: else an older version of a file could remain where a newer one is
 * removed. `tokens` has the count of each entry; a replacement's count is estimated by its length. Linear in the edits.
 */
export function waitingEdits(
  history: readonly IContent[],
  { removals, replacements, edits }: Pick<DensityResult, 'removals' | 'replacements' | 'edits'>,
  tokens: readonly number[],
): readonly WaitingEdit[] {
  const groups = new Groups();
  const savedTokens = new Map<number, number>();
  for (const index of removals) savedTokens.set(index, tokens[index] ?? 0);
  for (const [index, replacement] of replacements) {
    const units = textLength(history[index]!);
    const keptRatio = units === 0 ? 1 : Math.min(1, textLength(replacement) / units);
    savedTokens.set(index, Math.round((tokens[index] ?? 0) * (1 - keptRatio)));
  }
  for (const index of savedTokens.keys()) {
    groups.add(index);
    for (const block of history[index]!.blocks) {
      if (block.type === 'tool_call') groups.join(index, `call ${block.id}`);
      if (block.type === 'tool_response') groups.join(index, `call ${block.callId}`);
    }
  }
  for (const edit of edits ?? []) for (const file of filesOf(edit)) groups.join(edit.entry, `file ${file}`);
  return groups.all().map((entries) => ({
    at: entries[0]!,
    savedTokens: entries.reduce((sum, index) => sum + savedTokens.get(index)!, 0),
    entries,
  }));
}

/** The part of a result that changes only these entries. */
export function onlyEntries(result: DensityResult, entries: ReadonlySet<number>): DensityResult {
  const edits = result.edits?.filter(({ entry }) => entries.has(entry));
  return {
    removals: result.removals.filter((index) => entries.has(index)),
    replacements: new Map([...result.replacements].filter(([index]) => entries.has(index))),
    metadata: edits === undefined ? result.metadata : countEdits(edits),
    ...(edits && { edits }),
  };
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

/** Entries in groups that share a key. */
class Groups {
  readonly #leader = new Map<number, number>();
  readonly #byKey = new Map<string, number>();

  add(entry: number): void {
    if (!this.#leader.has(entry)) this.#leader.set(entry, entry);
  }

  join(entry: number, key: string): void {
    const other = this.#byKey.get(key);
    if (other === undefined) this.#byKey.set(key, entry);
    else this.#leader.set(this.#find(entry), this.#find(other));
  }

  /** The groups, each in ascending order. */
  all(): readonly (readonly number[])[] {
    const groups = new Map<number, number[]>();
    for (const entry of [...this.#leader.keys()].sort((one, other) => one - other)) {
      const leader = this.#find(entry);
      const group = groups.get(leader);
      if (group === undefined) groups.set(leader, [entry]);
      else group.push(entry);
    }
    return [...groups.values()];
  }

  #find(entry: number): number {
    let leader = entry;
    for (let next = this.#leader.get(leader)!; next !== leader; next = this.#leader.get(leader)!) leader = next;
    this.#leader.set(entry, leader);
    return leader;
  }
}

/** Waiting edits are weighed before each call, and entries are immutable. */
const textLengths = new WeakMap<IContent, number>();

function textLength(entry: IContent): number {
  const known = textLengths.get(entry);
  if (known !== undefined) return known;
  let length = 0;
  for (const block of entry.blocks) for (const text of blockTexts(block)) length += text.length;
  textLengths.set(entry, length);
  return length;
}
