import type { LiveApi, Pruned, Pruner } from '../contract.ts';
import { LivePruner, type LivePrunerOptions } from '../live-pruner.ts';
import { codeAssistRequest } from './code-assist.ts';
import type { ChangedRequest, ChangeRequest } from './contract.ts';

export interface LiveChangesOptions extends Omit<LivePrunerOptions, 'api'> {
  /** True: everything is decided and reported, and the original is sent. */
  readonly isShadow?: boolean;
}

/** Prunes the requests of agents: a pruner for each API and provider, which shares its store with the others. */
export function liveChanges({ isShadow = false, ...options }: LiveChangesOptions): ChangeRequest {
  const pruners = new Map<string, Pruner>();
  const prunerOf = (api: LiveApi, upstream: string): Pruner => {
    const key = `${api} ${upstream}`;
    const known = pruners.get(key) ?? new LivePruner({ api, ...options });
    pruners.set(key, known);
    return known;
  };
  return async ({ api, upstream, isCount, isSummary = false, isInner = false, headers, body, model, signal }) => {
    const pruner = prunerOf(api, upstream);
    const inner = isInner ? codeAssistRequest(body) : undefined;
    const given = inner ?? { body, ...(model !== undefined && { model }) };
    const changed = ({ body: sent, report, withoutNew }: Pruned<Uint8Array>): ChangedRequest => {
      const isSame = isShadow || sent === given.body;
      return {
        body: isSame ? body : (inner?.whole(sent) ?? sent),
        report,
        answered: (answer) => {
          if (!isCount && !isShadow) void pruner.observe(report, answer);
        },
        ...(withoutNew && !isShadow && { withoutNew: () => changed(withoutNew()) }),
      };
    };
    return changed(await pruner.prune({ ...given, headers, isCount, isSummary, ...(signal && { signal }) }));
  };
}
