import type { ContentBlock, IContent } from '../content/content.ts';
import { groupBy } from '../content/group-by.ts';
import { type ChangedBlock, type ChangedEntry, reasonFor } from './changed-entries.ts';
import type { DensityEdit } from './contract.ts';
import { isCounted } from './reasons/edit-counts.ts';
import { COUNTERS, type Counter, EDIT_RULES, recordOf } from './reasons/edit-reason.ts';

/**
 * The number of edits of a counter, in its unit (call-result pairs, inclusions, results, results, entries), and the tokens
 * saved, minus those of replacements.
 */
export interface Removal {
  readonly count: number;
  readonly tokens: number;
}

export type Removals = Readonly<Record<Counter, Removal>>;

/** Removed entries or blocks and their replacements, not yet counted. */
export interface Removed {
  readonly count: number;
  readonly before: readonly IContent[];
  readonly after: readonly IContent[];
}

/** Tokens of these entries together. */
export type TokensOf = (entries: readonly IContent[]) => Promise<number>;

interface Sum {
  count: number;
  readonly before: IContent[];
  readonly after: IContent[];
}

const counterOf = (changed: ChangedBlock): Counter => EDIT_RULES[reasonFor(changed).rule].counter;

/** A removed entry counts once, a shortened one once per result. */
function counts(edit: DensityEdit, changed: ChangedBlock, blocks: readonly ChangedBlock[]): boolean {
  if (edit.reason.rule === 'dropped') return changed === blocks[0];
  return edit.reason.rule === 'summarised' ? changed.replacement?.type === 'tool_response' : isCounted(edit);
}

/** The removals of many steps, added up per rule. The caller counts their tokens, at a time when it delays nothing. */
export class RemovalAccount {
  readonly #sums = recordOf(COUNTERS, (): Sum => ({ count: 0, before: [], after: [] }));

  add(changes: readonly ChangedEntry[]): void {
    for (const change of changes) this.#addEntry(change);
  }

  removed(): Readonly<Record<Counter, Removed>> {
    return this.#sums;
  }

  #addEntry({ before, after, blocks }: ChangedEntry): void {
    for (const changed of blocks) {
      for (const edit of changed.edits) {
        if (counts(edit, changed, blocks)) this.#sums[EDIT_RULES[edit.reason.rule].counter].count++;
      }
    }
    const byCounter = groupBy(blocks, counterOf);
    for (const [counter, own] of byCounter) {
      // A whole entry if one counter has all its blocks: the history already knows its tokens.
      const isWhole = byCounter.size === 1;
      const part = (parts: readonly (ContentBlock | undefined)[]): IContent => ({
        speaker: before.speaker,
        blocks: parts.filter((block) => block !== undefined),
      });
      this.#sums[counter].before.push(isWhole ? before : part(own.map(({ block }) => block)));
      if (!isWhole) this.#sums[counter].after.push(part(own.map(({ replacement }) => replacement)));
      else if (after) this.#sums[counter].after.push(after);
    }
  }
}

/** The number of edits of each counter and the tokens saved, as `countEntry` counts them. */
export function removalsOf(account: RemovalAccount, countEntry: (entry: IContent) => number): Removals {
  const removed = account.removed();
  const sum = (entries: readonly IContent[]): number => entries.reduce((total, entry) => total + countEntry(entry), 0);
  return recordOf(COUNTERS, (counter) => {
    const { count, before, after } = removed[counter];
    return { count, tokens: sum(before) - sum(after) };
  });
}

/** The same, counted where it delays nothing. */
export async function countedRemovals(account: RemovalAccount, tokensOf: TokensOf): Promise<Removals> {
  const removed = account.removed();
  const tokens = recordOf(COUNTERS, () => 0);
  for (const counter of COUNTERS) {
    const { before, after } = removed[counter];
    tokens[counter] = (await tokensOf(before)) - (await tokensOf(after));
  }
  return recordOf(COUNTERS, (counter) => ({ count: removed[counter].count, tokens: tokens[counter] }));
}
