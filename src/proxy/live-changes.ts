import type { ContentBlock } from '../content/content.ts';
import type { LiveApi, Pruner, PrunerStore } from '../live/contract.ts';
import { createPruner } from '../live/pruner.ts';
import type { ChangeRequest } from './contract.ts';

export interface LiveChangesOptions {
  /** Where relative paths of tools start; absolute. */
  readonly workspaceRoot: string;
  /** The name of the agent in the table of session lengths. */
  readonly agent?: string;
  readonly store: PrunerStore;
  /** Keeps removed text; a result that it does not keep is not removed. */
  readonly archive: (blocks: readonly ContentBlock[]) => Promise<void>;
  /** Milliseconds; only differences count. */
  readonly now?: () => number;
  /** True: everything is decided and reported, and the original is sent. */
  readonly isShadow?: boolean;
}

/** Prunes the requests of agents: a pruner for each API and provider, which shares its store with the others. */
export function liveChanges({ isShadow = false, ...options }: LiveChangesOptions): ChangeRequest {
  const pruners = new Map<string, Pruner>();
  const prunerOf = (api: LiveApi, upstream: string): Pruner => {
    const key = `${api} ${upstream}`;
    const known = pruners.get(key) ?? createPruner({ api, ...options });
    pruners.set(key, known);
    return known;
  };
  return async ({ api, upstream, isCount, headers, body, model }) => {
    const pruner = prunerOf(api, upstream);
    const { body: sent, report } = await pruner.prune({ body, headers, ...(model !== undefined && { model }) });
    return {
      body: isShadow ? body : sent,
      report,
      answered: (answer) => {
        if (!isCount && !isShadow) void pruner.observe(report, answer);
      },
    };
  };
}
