import { madeOnce } from '../../content/group-by.ts';
import type { CacheAccount } from '../../economics/account/cache-account.ts';
import type { ChangeKind } from '../../economics/cache-miss.ts';
import type { PromptChange } from '../../live/contract.ts';
import type { LoggedCall } from '../call-log.ts';

/** How a call changed what the call before it had sent. */
export interface ChangedPrompt extends Partial<Pick<PromptChange, 'what' | 'where'>> {
  readonly kind: ChangeKind | 'pruned';
}

/** What is first in the prompt of all that changed; undefined if nothing is known to. */
export function changedPrompt({ report, isShadow }: LoggedCall): ChangedPrompt | undefined {
  const [first] = report?.changes ?? [];
  if (first !== undefined) return first;
  // Calls of earlier versions say only this.
  if (report?.isBranch === true) return { kind: 'history' };
  return report?.isEpoch === true && !isShadow ? { kind: 'pruned' } : undefined;
}

/** What one change cost: the tokens that were written again because of it. */
export interface ChangeSum extends PromptChange {
  readonly calls: number;
  readonly tokens: number;
  readonly dollars: number;
}

/** More different changes are not listed. */
const MOST_CHANGES = 200;

/** What changes cost, those with the same words together. */
export class ChangeSums {
  readonly #sums = new Map<string, { change: PromptChange; calls: number; tokens: number; dollars: number }>();

  /** A call with this account, which missed the cache by a change if there is one in it. */
  addCall(account: CacheAccount, { kind, what, where }: ChangedPrompt): void {
    const cost = account[kind];
    if (kind === 'pruned' || what === undefined || cost === undefined) return;
    const { calls, count: tokens, dollars } = cost;
    this.add({ kind, what, ...(where !== undefined && { where }), calls, tokens, dollars });
  }

  add({ calls, tokens, dollars, ...change }: ChangeSum): void {
    const key = `${change.kind} ${change.what}`;
    if (!this.#sums.has(key) && this.#sums.size >= MOST_CHANGES) return;
    const sum = madeOnce(this.#sums, key, () => ({ change, calls: 0, tokens: 0, dollars: 0 }));
    // The place of the newest one.
    sum.change = change;
    sum.calls += calls;
    sum.tokens += tokens;
    sum.dollars += dollars;
  }

  /** The most expensive first. */
  get list(): readonly ChangeSum[] {
    return [...this.#sums.values()]
      .map(({ change, ...sum }) => ({ ...change, ...sum }))
      .sort((one, other) => other.dollars - one.dollars || other.tokens - one.tokens);
  }
}
