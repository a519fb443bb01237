import { isForProgram, isLeftAlone, isResultLeftAlone } from '../../content/calls/for-program.ts';
import { pairCalls, uniqueIds } from '../../content/calls/pairing.ts';
import type { ContentBlock, IContent, ToolCallBlock } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { madeOnce } from '../../content/group-by.ts';
import type { DensityResult } from '../contract.ts';
import type { EditReason } from '../reasons/edit-reason.ts';
import { FollowedEntries } from './incremental/followed-entries.ts';

/** In place of a call or result that is left alone: no rule knows this tool, and nothing answers it. */
const HIDDEN: ToolCallBlock = { type: 'tool_call', id: 'hidden', name: '', parameters: undefined };

interface DistinctHistory {
  readonly entries: readonly IContent[];
  /** Edits of these entries as edits of the history itself. */
  asGiven(found: DensityResult): DensityResult;
}

/**
 * The history as the rules see it: each call has an id of its own, which its results have too, and what is left alone is hidden.
 * Most histories are so already. Then it is the same list, and a run costs what is new; else it is linear in the history.
 */
export class DistinctCalls {
  readonly #followed = new FollowedEntries();
  /** Of the calls that were followed, as long as no two are equal. */
  #ids: Set<string> | undefined = new Set();
  readonly #seen = new WeakMap<IContent, Map<string, IContent>>();
  /** What a changed block was. */
  readonly #given = new WeakMap<ContentBlock, ContentBlock>();
  readonly #results = new WeakMap<DensityResult, DensityResult>();

  of(history: readonly IContent[]): DistinctHistory {
    if (this.#isPlain(history)) return { entries: history, asGiven: (found) => found };
    const ids = new Map<string, string>();
    const entries = this.#see(history, ids);
    return { entries, asGiven: (found) => madeOnce(this.#results, found, () => this.#asGiven(found, ids)) };
  }

  #asGiven(found: DensityResult, ids: ReadonlyMap<string, string>): DensityResult {
    const replacements = [...found.replacements].map(([at, content]): [number, IContent] => {
      const blocks = content.blocks.map((block) => this.#given.get(block) ?? withId(block, ids.get(idOf(block))));
      return [at, { ...content, blocks }];
    });
    const edits = found.edits?.map((edit) => ({ ...edit, reason: withOwnIds(edit.reason, ids) as EditReason }));
    return { ...found, replacements: new Map(replacements), ...(edits && { edits }) };
  }

  /** True if each call has an id of its own, and no program made one. */
  #isPlain(history: readonly IContent[]): boolean {
    let same = this.#followed.sameIn(history);
    if (same < this.#followed.length || this.#ids === undefined) {
      this.#ids = new Set();
      same = 0;
    }
    for (let entry = same; entry < history.length && this.#ids; entry++) this.#add(history[entry]!, this.#ids);
    this.#followed.follow(history, same);
    return this.#ids !== undefined;
  }

  #add({ blocks }: IContent, ids: Set<string>): void {
    for (const block of blocks) {
      if (block.type !== 'tool_call' && block.type !== 'tool_response') continue;
      if (isForProgram(block) || (block.type === 'tool_call' && ids.has(block.id))) this.#ids = undefined;
      if (block.type === 'tool_call') ids.add(block.id);
    }
  }

  /** `ids`: gets the own id of each call by the one that is seen. */
  #see(history: readonly IContent[], ids: Map<string, string>): IContent[] {
    const { calls, responses } = pairCalls(history);
    const unique = new Map(uniqueIds(calls.map(({ call }) => call.id)).map((id, at) => [calls[at]!, id]));
    const changes = new Map<number, Map<number, string | undefined>>();
    const change = (entry: number, block: number, id: string | undefined): void => {
      madeOnce(changes, entry, () => new Map<number, string | undefined>()).set(block, id);
    };
    for (const [paired, id] of unique) {
      ids.set(id, paired.call.id);
      if (isLeftAlone(paired)) change(paired.entry, paired.block, undefined);
      else if (id !== paired.call.id) change(paired.entry, paired.block, id);
    }
    for (const paired of responses) {
      const id = paired.call && unique.get(paired.call);
      if (isResultLeftAlone(paired)) change(paired.entry, paired.block, undefined);
      else if (id !== undefined && id !== paired.response.callId) change(paired.entry, paired.block, id);
    }
    return history.map((content, entry) => {
      const own = changes.get(entry);
      return own === undefined ? content : this.#seenEntry(content, own);
    });
  }

  /** The same object for the same changes, so that what is known of it is kept. */
  #seenEntry(content: IContent, changes: ReadonlyMap<number, string | undefined>): IContent {
    const known = madeOnce(this.#seen, content, () => new Map<string, IContent>());
    return madeOnce(known, JSON.stringify([...changes]), () => {
      const blocks = content.blocks.slice();
      for (const [at, id] of changes) {
        blocks[at] = id === undefined ? { ...HIDDEN } : withId(content.blocks[at]!, id);
        this.#given.set(blocks[at], content.blocks[at]!);
      }
      return { ...content, blocks };
    });
  }
}

const idOf = (block: ContentBlock): string =>
  block.type === 'tool_call' ? block.id : block.type === 'tool_response' ? block.callId : '';

function withId(block: ContentBlock, id: string | undefined): ContentBlock {
  if (id === undefined || id === idOf(block)) return block;
  if (block.type === 'tool_call') return { ...block, id };
  return block.type === 'tool_response' ? { ...block, callId: id } : block;
}

/** A reason, or a part of one, in which calls have their own ids. */
function withOwnIds(reason: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(reason)) return reason.map((part) => withOwnIds(part, ids));
  if (!isRecord(reason)) return reason;
  return Object.fromEntries(
    Object.entries(reason).map(([key, value]) =>
      key === 'callId' ? [key, ids.get(String(value)) ?? value] : [key, withOwnIds(value, ids)],
    ),
  );
}
