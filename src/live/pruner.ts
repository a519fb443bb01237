import { madeOnce } from '../content/group-by.ts';
import type { LiveApi, Pruner, PrunerOptions } from './contract.ts';
import { LivePruner } from './live-pruner.ts';
import { apiOfList } from './request/dialects.ts';

/** A pruner for the requests of agents that speak one API; without `api`, for plain lists of messages of any of them. See docs/live.md. */
export function createPruner(options: PrunerOptions): Pruner;
export function createPruner(options?: Omit<PrunerOptions, 'api'>): Pick<Pruner, 'pruneMessages'>;
export function createPruner({ api, ...options }: Omit<PrunerOptions, 'api'> & { api?: LiveApi } = {}) {
  if (api !== undefined) return new LivePruner({ api, ...options });
  const pruners = new Map<LiveApi, Pruner>();
  const pruneMessages: Pruner['pruneMessages'] = async (messages, facts) => {
    const found = apiOfList(messages);
    if (found === undefined) return [...messages];
    return madeOnce(pruners, found, () => new LivePruner({ api: found, ...options })).pruneMessages(messages, facts);
  };
  return { pruneMessages };
}
