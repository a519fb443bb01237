import type { LiveApi, Pruned, Pruner } from '../contract.ts';
import { LivePruner, type LivePrunerOptions } from '../live-pruner.ts';
import { codeAssistRequest } from './code-assist.ts';
import type { ChangedRequest, ChangeRequest } from './contract.ts';

/** Prunes the requests of agents: a pruner for each API and provider, which shares its store with the others. */
export function liveChanges(options: Omit<LivePrunerOptions, 'api'>): ChangeRequest {
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
      return {
        body: sent === given.body ? body : (inner?.whole(sent) ?? sent),
        report,
        answered: (answer) => {
          if (!isCount) void pruner.observe(report, answer);
        },
        ...(withoutNew && { withoutNew: () => changed(withoutNew()) }),
      };
    };
    return changed(await pruner.prune({ ...given, headers, isCount, isSummary, ...(signal && { signal }) }));
  };
}

/** Sends what `send` gives, which changes nothing new, and reports what `decide` would have done. */
export function inShadow(decide: ChangeRequest, send: ChangeRequest): ChangeRequest {
  return async (request) => {
    const sent = await send(request);
    const { report } = await decide(request);
    return { ...sent, ...(report && { report }) };
  };
}
