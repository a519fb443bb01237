import { type ContentBlock, type IContent, paidUsage, type Usage } from '../content/content.ts';
import type { SessionEvent } from '../content/session-event.ts';
import { HOUR_MS } from '../durations.ts';
import { callDollars } from '../economics/bill.ts';
import { type CacheMiss, cacheMisses, isExpiry, type SentCall, type WaitKind } from '../economics/cache-miss.ts';
import { cacheRuleOf, keptTokens } from '../economics/cache-rules.ts';
import { type CallCost, callCost } from '../economics/call-parts.ts';
import type { Session } from '../formats/contract.ts';
import { playedEvents } from './played-events.ts';

/** How an agent rebuilt its context: it replaced earlier entries by a summary, or changed, cleared or left them. */
type RebuildKind = 'compaction' | 'history';

/** One recorded model call and its price. Dollars are list prices of its day. */
export interface RecordedCall extends Pick<CallCost, 'price' | 'dollars' | 'parts' | 'unpriced'> {
  /** Index of its answer among the events. */
  readonly event: number;
  readonly atMs: number | undefined;
  readonly model: string;
  readonly usage: Usage;
  /** Present if the agent rebuilt its context since the call before. */
  readonly rebuilt?: RebuildKind;
  /** Input neither read from the cache nor known to be written to it. */
  readonly uncachedTokens: number;
  /** What the call costs more because its prompt is over the limit of a price tier. */
  readonly tierDollars: number;
  /** What it did not read from the cache though the call before had sent it; `first`, or `untold`: that call is not known. */
  readonly misses: readonly CacheMiss[] | 'first' | 'untold';
  /** What the agent waited for after it. */
  readonly wait: WaitKind;
  /** What the call would cost less if prefixes were kept for an hour; negative if writing them costs more than it saves. */
  readonly hourSaving: number;
}

/** The calls of a session whose usage is recorded, in order, billed from that usage; without copied ones. Linear. */
export function recordedCalls(session: Session): readonly RecordedCall[] {
  const calls: RecordedCall[] = [];
  let last: LastCall | undefined;
  let rebuilt: RebuildKind | undefined;
  for (const { at, event, recorded, atMs: beforeMs, isCopied } of playedEvents(session)) {
    if (isCopied) continue;
    if (event.kind === 'replace') {
      if (rebuilt !== 'compaction') rebuilt = rebuildKind(recorded, event);
      continue;
    }
    const { speaker, metadata, blocks } = event.content;
    // An answer can be several entries, of which one has the usage.
    if (last?.wait === 'pause' && blocks.some(isOfTool)) {
      last = { ...last, wait: 'toolWait' };
      calls.push({ ...calls.pop()!, wait: 'toolWait' });
    }
    const usage = paidUsage(metadata ?? {});
    if (speaker !== 'ai' || usage === undefined || isNothing(usage)) continue;
    const model = metadata?.model ?? session.model ?? 'unknown';
    const atMs = beforeMs ?? metadata?.timestamp;
    const wait = blocks.some(isOfTool) ? 'toolWait' : 'pause';
    calls.push({ ...billed({ event: at, usage, model, atMs, last, rebuilt }), wait });
    last = {
      model,
      atMs,
      promptTokens: usage.promptTokens,
      keptTokens: keptOf(usage, model),
      wait,
      wasHour: last?.wasHour || (usage.writtenHourTokens ?? 0) > 0,
    };
    rebuilt = undefined;
  }
  return calls;
}

const isOfTool = ({ type }: ContentBlock): boolean => type === 'tool_call' || type === 'tool_response';

/** What of a prompt is in the cache after a call. */
const keptOf = ({ promptTokens, cachedTokens = 0, writtenTokens }: Usage, model: string): number =>
  writtenTokens === undefined ? promptTokens : keptTokens(model, { promptTokens, cachedTokens, writtenTokens });

/** A call of which only the usage is recorded: why it missed the cache is not known. */
export type BilledSideCall = Omit<RecordedCall, 'event' | 'wait'> & { readonly answerId: string };

/** The calls of sub-agents in the file of a session. */
export const billedSideCalls = (session: Session): readonly BilledSideCall[] =>
  (session.sideCalls ?? []).map(({ answerId, usage, model = session.model ?? 'unknown', atMs }) => {
    const facts = { event: -1, usage, model, atMs, last: undefined, rebuilt: undefined };
    const { event: _, ...call } = billed(facts);
    return { ...call, misses: 'untold', answerId };
  });

/** True if nothing was billed: an agent may write zeros where nothing is known. */
const isNothing = ({ promptTokens, innerCalls }: Usage): boolean => promptTokens <= 0 && innerCalls === undefined;

interface LastCall extends SentCall {
  readonly model: string;
  readonly atMs: number | undefined;
  /** True if any call so far wrote for an hour. */
  readonly wasHour: boolean;
}

interface CallFacts {
  readonly event: number;
  readonly usage: Usage;
  readonly model: string;
  readonly atMs: number | undefined;
  readonly last: LastCall | undefined;
  readonly rebuilt: RebuildKind | undefined;
}

function billed(facts: CallFacts): Omit<RecordedCall, 'wait'> {
  const { event, usage, model, atMs, last, rebuilt } = facts;
  const { promptTokens, completionTokens: outputTokens, cachedTokens = 0, writtenHourTokens = 0 } = usage;
  const cache = cacheRuleOf(model);
  // A cache without marks takes what it does not have.
  const known = usage.writtenTokens ?? (cache.marks === undefined ? promptTokens - cachedTokens : 0);
  const writtenTokens = Math.max(0, known - writtenHourTokens);
  const uncachedTokens = Math.max(0, promptTokens - cachedTokens - known);
  const tokens = { cachedTokens, writtenTokens, writtenHourTokens, uncachedTokens, outputTokens };
  const { price, dollars, parts, unpriced } = callCost({ model, atMs, tokens, beside: usage });
  const { tiers: _, ...flat } = price;
  const isTimed = atMs !== undefined && last?.atMs !== undefined;
  const isCold = isTimed && !isWithin(facts, last.wasHour ? HOUR_MS : cache.lifetimeMs);
  const misses = last ? cacheMisses({ usage, model, last, changed: rebuilt, isCold }) : 'first';
  const expired = misses === 'first' ? undefined : misses.find(({ cause }) => isExpiry(cause));
  const hourRead = expired && isWithin(facts, HOUR_MS) ? expired.tokens : 0;
  const { write, writeHour, cachedRead } = price.base;
  const hourSaving = (hourRead * (write - cachedRead) - (writtenTokens - hourRead) * (writeHour - write)) / 1e6;
  return {
    event,
    atMs,
    model,
    price,
    usage,
    uncachedTokens,
    dollars,
    parts,
    unpriced,
    tierDollars: callDollars(price, tokens) - callDollars(flat, tokens),
    ...(rebuilt && { rebuilt }),
    misses,
    hourSaving,
  };
}

/** True if the call came within so many milliseconds after the one before. */
const isWithin = ({ atMs, last }: CallFacts, ms: number): boolean =>
  atMs !== undefined && last?.atMs !== undefined && atMs - last.atMs < ms;

/** The kind of an event that replaced the entries `before`. Linear. */
function rebuildKind(
  before: readonly IContent[],
  { contents, by }: Extract<SessionEvent, { kind: 'replace' }>,
): RebuildKind {
  if (by !== undefined) return by.kind === 'compaction' ? 'compaction' : 'history';
  const known = new Set(before);
  return contents.some((entry) => entry.metadata?.isSummary === true && !known.has(entry)) ? 'compaction' : 'history';
}
