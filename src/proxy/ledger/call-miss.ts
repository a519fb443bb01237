import { canonicalModel } from '../../economics/model-name.ts';
import type { LoggedCall } from '../call-log.ts';
import type { LastCall } from './call-net.ts';
import type { LiveMissCause } from './contract.ts';
import type { PricedCall } from './priced-call.ts';

/** A smaller miss is the end of the last prompt, which providers do not always cache. */
const LEAST_MISS_TOKENS = 1024;

export interface CallMiss {
  readonly cause: LiveMissCause;
  readonly tokens: number;
  /** 0 without a known price. */
  readonly dollars: number;
}

interface MissFacts {
  readonly last: LastCall | undefined;
  readonly isCold: boolean;
  readonly priced: PricedCall | undefined;
}

/** What a call did not read from the cache though the call before had sent it, and why; undefined where it read all. */
export function callMiss(call: LoggedCall, { last, isCold, priced }: MissFacts): CallMiss | undefined {
  const { usage } = call;
  if (usage === undefined) return undefined;
  const tokens = Math.min(usage.promptTokens, last?.promptTokens ?? usage.promptTokens) - usage.cachedTokens;
  if (tokens < LEAST_MISS_TOKENS) return undefined;
  const { write = 0, cachedRead = 0 } = priced?.price.base ?? {};
  return { cause: causeOf(call, last, isCold), tokens, dollars: (tokens * (write - cachedRead)) / 1e6 };
}

function causeOf({ report, model, isShadow }: LoggedCall, last: LastCall | undefined, isCold: boolean): LiveMissCause {
  if (last === undefined) return 'coldStart';
  if (last.model !== undefined && model !== undefined && canonicalModel(last.model) !== canonicalModel(model))
    return 'modelSwitch';
  if (isCold) return 'expiry';
  if (report?.isBranch === true) return 'prefixChanged';
  return report?.isEpoch === true && !isShadow ? 'pruned' : 'lost';
}
