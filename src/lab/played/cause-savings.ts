import type { IContent } from '../../content/content.ts';
import { madeOnce } from '../../content/group-by.ts';
import type { DecisionCause } from '../../economics/decision.ts';
import type { ContextMove } from '../../replay/context-move.ts';

/** Why text was missing from a prompt: the cause of the decision, `always` for edits that wait for none, or a compression. */
export type SavingCause = Exclude<DecisionCause, 'none' | 'bound' | 'unpriced' | 'costs'> | 'always' | 'compressed';

/** In the order in which they are shown. */
export const SAVING_CAUSES: readonly SavingCause[] = ['unsent', 'cold', 'pays', 'tier', 'room', 'always', 'compressed'];

/** Calls before which text was removed for this cause, and the tokens and US dollars that this saved in all calls. */
export interface CauseSaving {
  readonly moves: number;
  readonly tokens: number;
  readonly dollars: number;
}

/** A call as recorded and pruned: tokens of the prompts, and dollars for the input and for the whole call. */
interface ComparedCall {
  readonly tokensRaw: number;
  readonly tokens: number;
  readonly inputDollarsRaw: number;
  readonly dollarsRaw: number;
  readonly dollars: number;
}

const causeOf = (move: ContextMove): SavingCause | undefined => {
  if (move.kind !== 'optimized') return move.kind === 'compressed' ? 'compressed' : undefined;
  // Other causes than these apply nothing.
  return (move.decision?.cause as SavingCause | undefined) ?? 'always';
};

/**
 * Shares what calls cost less among the causes of what is missing from them, by the tokens that each cause removed. What a
 * call costs more because a change invalidates the cache belongs to the cause of that change. The sum is exact.
 */
export class CauseSavings {
  readonly #saved = new Map<SavingCause, { moves: number; tokens: number; dollars: number }>();
  /** Tokens that each cause removed. */
  readonly #removed = new Map<SavingCause, number>();
  /** The cause of the last change since the last call. */
  #changed: SavingCause | undefined;

  /** Causes that removed something, in the order of `SAVING_CAUSES`. */
  get all(): Readonly<Partial<Record<SavingCause, CauseSaving>>> {
    return Object.fromEntries(
      SAVING_CAUSES.flatMap((cause) => (this.#saved.has(cause) ? [[cause, this.#of(cause)]] : [])),
    );
  }

  /** A change before the next call, which removed so many tokens. */
  move(move: ContextMove, removedTokens: number): void {
    const cause = causeOf(move);
    if (cause === undefined) return;
    this.#of(cause).moves++;
    this.#removed.set(cause, (this.#removed.get(cause) ?? 0) + removedTokens);
    this.#changed = cause;
  }

  /** A call that is billed elsewhere. */
  skipCall(): void {
    this.#changed = undefined;
  }

  call({ tokensRaw, tokens, inputDollarsRaw, dollarsRaw, dollars }: ComparedCall): void {
    const changed = this.#changed;
    this.#changed = undefined;
    const saved = dollarsRaw - dollars;
    const shared = changed === undefined ? saved : (inputDollarsRaw * (tokensRaw - tokens)) / Math.max(1, tokensRaw);
    const all = [...this.#removed].reduce((sum, [, removed]) => sum + Math.max(0, removed), 0);
    for (const [cause, removed] of this.#removed) {
      const ratio = all === 0 ? 1 / this.#removed.size : Math.max(0, removed) / all;
      const own = this.#of(cause);
      own.tokens += ratio * (tokensRaw - tokens);
      own.dollars += ratio * shared;
    }
    if (changed !== undefined) this.#of(changed).dollars += saved - shared;
  }

  #of(cause: SavingCause): { moves: number; tokens: number; dollars: number } {
    return madeOnce(this.#saved, cause, () => ({ moves: 0, tokens: 0, dollars: 0 }));
  }
}

/** The tokens that a change takes from these entries; negative if it adds some. Linear in what changed, or in all entries for a compression. */
export function removedTokens(
  move: ContextMove,
  { entries, tokensOf }: { readonly entries: readonly IContent[]; readonly tokensOf: (entry: IContent) => number },
): number {
  const sum = (some: readonly IContent[]): number => some.reduce((total, entry) => total + tokensOf(entry), 0);
  if (move.kind !== 'optimized') return sum(entries) - sum(move.after);
  return move.changes.reduce(
    (total, { before, after }) => total + tokensOf(before) - (after === undefined ? 0 : tokensOf(after)),
    0,
  );
}
