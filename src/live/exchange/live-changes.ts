import { madeOnce } from '../../content/group-by.ts';
import { isVendorHost, NO_CACHE_STEPS } from '../cache/vendor-host.ts';
import type { LiveApi, Pruned, Pruner } from '../contract.ts';
import { LivePruner, type LivePrunerOptions } from '../live-pruner.ts';
import { codeAssistRequest } from './code-assist.ts';
import type { ChangedRequest, ChangeRequest } from './contract.ts';

/** What is done to the requests of agents, and the markers of their conversations that calls would write. */
export interface LiveChanges extends Pick<Pruner, 'copiedMarker'> {
  readonly change: ChangeRequest;
}

/** Prunes the requests of agents. */
export const liveChanges = (options: Omit<LivePrunerOptions, 'api'>): ChangeRequest => livePruners(options).change;

/** A pruner for each API and provider, which shares its store with the others. */
export function livePruners(options: Omit<LivePrunerOptions, 'api'>): LiveChanges {
  const pruners = new Map<string, LivePruner>();
  const prunerOf = (api: LiveApi, upstream: string): LivePruner =>
    madeOnce(pruners, `${api} ${upstream}`, () => {
      const elsewhere = isVendorHost(api, upstream) ? {} : NO_CACHE_STEPS;
      return new LivePruner({ api, ...options, ...elsewhere });
    });
  const change: ChangeRequest = async ({
    api,
    upstream,
    isCount,
    isSummary = false,
    isInner = false,
    headers,
    body,
    model,
    signal,
  }) => {
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
        keepWarm: pruner.keepWarm(report),
        ...(withoutNew && { withoutNew: () => changed(withoutNew()) }),
      };
    };
    return changed(await pruner.prune({ ...given, headers, isCount, isSummary, ...(signal && { signal }) }));
  };
  const copiedMarker: Pruner['copiedMarker'] = (call, texts) => {
    const found = [...pruners.values()].map((pruner) => pruner.copiedMarker(call, texts));
    return found.find((copy) => copy !== undefined);
  };
  return { change, copiedMarker };
}

/** Sends what `send` gives, which changes nothing new, and reports what `decide` would have done. */
export function inShadow(decide: ChangeRequest, send: ChangeRequest): ChangeRequest {
  return async (request) => {
    const sent = await send(request);
    const { report } = await decide(request);
    return { ...sent, ...(report && { report }) };
  };
}
