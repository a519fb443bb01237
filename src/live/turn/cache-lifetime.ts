import { cacheRuleOf } from '../../economics/cache-rules.ts';
import { defaultLifetimeMs } from '../../economics/cost-rules.ts';
import type { Branch } from '../conversation/branch.ts';

/** The time since the last request. */
export interface Pause {
  readonly idleMs: number;
  /** True if the prefix counts as lost after it, by what the model's cache promises. */
  readonly isCold: boolean;
  /** True if requests say how long it is kept. */
  readonly isAskedFor: boolean;
}

/** How long an unused prefix is kept: as the requests asked, else as the model's cache promises, or shorter where its answers showed that. */
export const lifetimeOf = ({ lifetimeMs, decisions }: Branch, model: string): number =>
  lifetimeMs ?? Math.min(defaultLifetimeMs(model), decisions.seenLifetime.lostAfterMs ?? Number.POSITIVE_INFINITY);

/** `undefined` if the time is not known. */
export function pauseBefore(
  { lifetimeMs }: Branch,
  { model, idleMs }: { readonly model: string; readonly idleMs: number | undefined },
): Pause | undefined {
  if (idleMs === undefined) return undefined;
  return {
    idleMs,
    isCold: idleMs >= (lifetimeMs ?? defaultLifetimeMs(model)),
    isAskedFor: cacheRuleOf(model).marks !== undefined,
  };
}
