import type { IContent } from '../../content/content.ts';
import { counted } from '../../content/counted.ts';
import { footprint } from '../../content/footprint.ts';
import { addTo, madeOnce } from '../../content/group-by.ts';
import { applyEdits } from '../../history/apply.ts';
import { type DensityResult, ONLY_GROWS } from '../../strategies/contract.ts';
import type { FamilyName } from '../../tokens/index.ts';
import type { Change, ListName, Patch, Splice, TextPlace } from '../protocol.ts';
import { putText } from '../transfer/long-texts.ts';

interface Facts {
  readonly bytes: number;
  family: FamilyName | undefined;
  tokens: number;
}

/** The entries of a replica, the memory and tokens of each, and texts that were sent before their entry. */
export class ReplicaEntries {
  readonly #lists: Record<ListName, IContent[]> = { history: growing([]), loose: [] };
  readonly #texts = new Map<number, string[]>();
  readonly #facts = new WeakMap<IContent, Facts>();
  #bytes = 0;

  /** Memory that the history's entries take, near enough. */
  get bytes(): number {
    return this.#bytes;
  }

  list(name: ListName): readonly IContent[] {
    return this.#lists[name];
  }

  /** What is known of an entry; made at its first use. */
  factsOf(entry: IContent): Facts {
    return madeOnce(this.#facts, entry, () => ({ bytes: footprint(entry).bytes, family: undefined, tokens: 0 }));
  }

  /** @throws when the change does not fit: the replica is out of step. */
  apply(change: Exclude<Change, { kind: 'accept' }>): void {
    if (change.kind === 'splice') this.#splice(change);
    else if (change.kind === 'patch') this.#patch(change);
    else {
      addTo(this.#texts, change.textId, change.text);
    }
  }

  /** Applies edits to the history in one pass. */
  edit(result: Pick<DensityResult, 'removals' | 'replacements'>): void {
    const { history } = this.#lists;
    for (const index of result.removals) this.#bytes -= this.#sizeAt(index);
    for (const [index, entry] of result.replacements) this.#bytes += this.factsOf(entry).bytes - this.#sizeAt(index);
    this.#lists.history = growing(applyEdits(history, result));
  }

  forgetLoose(): void {
    this.#lists.loose = [];
  }

  #splice({ list, start, deleteCount, entries, texts, bytes }: Splice): void {
    const present = this.#lists[list];
    if (start > present.length)
      throw new RangeError(`Expected at least ${counted(start, 'entry', 'entries')}, got ${present.length}.`);
    this.#take(entries, texts, bytes);
    if (list === 'history') for (const entry of entries) this.#bytes += this.factsOf(entry).bytes;
    if (start === present.length) {
      for (const entry of entries) present.push(entry);
      return;
    }
    const removed = present.slice(start, start + deleteCount);
    if (list === 'history') for (const entry of removed) this.#bytes -= this.factsOf(entry).bytes;
    this.#lists[list] = growing([...present.slice(0, start), ...entries, ...present.slice(start + deleteCount)]);
  }

  #patch({ indices, entries, texts, bytes, removals }: Patch): void {
    this.#take(entries, texts, bytes);
    this.edit({ removals, replacements: new Map(indices.map((index, at) => [index, entries[at]!])) });
  }

  /** Makes arrived entries whole. */
  #take(entries: readonly IContent[], places: readonly TextPlace[] = [], bytes: readonly number[] = []): void {
    for (const { textId, at, keys } of places) {
      putText(entries[at], keys, (this.#texts.get(textId) ?? []).join(''));
      this.#texts.delete(textId);
    }
    for (let at = 0; at < bytes.length; at++) {
      this.#facts.set(entries[at]!, { bytes: bytes[at]!, family: undefined, tokens: 0 });
    }
  }

  #sizeAt(index: number): number {
    const entry = this.#lists.history[index];
    if (entry === undefined) throw new RangeError(`Expected an entry at ${index}, got none.`);
    return this.factsOf(entry).bytes;
  }
}

/** What is changed otherwise than by an append is a new list, so that a strategy needs no copy of it. */
function growing(entries: IContent[]): IContent[] {
  return Object.defineProperty(entries, ONLY_GROWS, { value: true });
}
