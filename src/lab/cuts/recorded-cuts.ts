import type { IContent } from '../../content/content.ts';
import type { ContextCut, SessionEvent } from '../../content/session-event.ts';
import { canonicalModel } from '../../economics/model-name.ts';
import { type PriceMatch, ratesFor } from '../../economics/prices.ts';
import { isCopied, liveHistory, type Session } from '../../formats/contract.ts';
import { reportedConstantTokens } from '../../sessions/constant-tokens.ts';
import { type CountBlock, entryCounter } from '../../tokens/entries/block-counter.ts';
import { type RecordedCall, recordedCalls } from '../recorded-bill.ts';
import { type CutLosses, cutLosses } from './cut-losses.ts';

/** A prompt that is smaller than the one before by this ratio (0-1) and this many tokens lost text. */
const MIN_FALL_RATIO = 0.1;
const MIN_FALL_TOKENS = 1024;

/**
 * A cut of its own context by an agent, as recorded. `fall`: the recording names no cut, but the next prompt of the same
 * model is smaller by a tenth; what was left out is unknown.
 */
export interface RecordedCut {
  readonly kind: ContextCut['kind'] | 'fall';
  readonly trigger?: string;
  /** Index of its event; of a fall, the answer with the smaller prompt. */
  readonly event: number;
  readonly atMs?: number;
  /** The model of the call after it, else of the call before it. */
  readonly model?: string;
  /** Input of the last call before it and of the first call after it, as recorded; before it, else as the agent counted. */
  readonly beforeTokens?: number;
  readonly afterTokens?: number;
  /** The input of the first call after it that was not read from the prompt cache, and its list price in US dollars. */
  readonly rewritten?: { readonly tokens: number; readonly dollars: number; readonly match: PriceMatch };
  /** Input of the first call after it that the recording does not contain: files that the agent read again by itself, a hidden summary. */
  readonly unseenTokens?: number;
  /** Model calls after it, up to the next cut. */
  readonly callsAfter: number;
  /** What it removed and what was needed of that; absent for a fall, and if the file lacks what was before. */
  readonly losses?: CutLosses;
}

type Place = Pick<RecordedCut, 'kind' | 'trigger' | 'event'> & { readonly agentTokens?: number };

/** The cuts that an agent made in a session, in order. Linear in text; the needs of later events are found only if there is a cut. */
export function recordedCuts(session: Session, countBlock: CountBlock): readonly RecordedCut[] {
  const calls = recordedCalls(session);
  const named = namedCuts(session);
  const places = [...named, ...falls(session, calls)].sort((one, other) => one.event - other.event);
  const losses = named.length === 0 ? undefined : cutLosses(session, countBlock);
  const tokensOf = entryCounter(session.model ?? '', countBlock);
  const constantTokens = named.length === 0 ? undefined : reportedConstantTokens(session, tokensOf);
  return places.map((place, at) => {
    const { agentTokens, ...facts } = place;
    const isBefore = place.kind === 'fall' ? place.event : place.event + 1;
    const last = calls.findLast(({ event }) => event < isBefore);
    const next = calls.find(({ event }) => event >= isBefore);
    const seen =
      next && constantTokens !== undefined && place.kind !== 'fall'
        ? constantTokens + sumOf(contextAt(session, next.event), tokensOf)
        : undefined;
    const end = places[at + 1]?.event ?? session.events.length;
    const own = losses?.get(place.event);
    const beforeTokens = last?.usage.promptTokens ?? agentTokens;
    const model = next?.model ?? last?.model;
    return {
      ...facts,
      ...(next?.atMs !== undefined && { atMs: next.atMs }),
      ...(model !== undefined && { model }),
      ...(beforeTokens !== undefined && { beforeTokens }),
      ...(next && { afterTokens: next.usage.promptTokens, rewritten: rewritten(next) }),
      ...(next && seen !== undefined && { unseenTokens: Math.max(0, next.usage.promptTokens - seen) }),
      callsAfter: answersBetween(session, place.event, end),
      ...(own && { losses: own }),
    };
  });
}

const sumOf = (entries: readonly IContent[], tokensOf: (entry: IContent) => number): number =>
  entries.reduce((sum, entry) => sum + tokensOf(entry), 0);

/** The recorded context before an event. */
const contextAt = ({ events, ...session }: Session, event: number): readonly IContent[] =>
  liveHistory({ ...session, events: events.slice(0, event) });

const isAnswer = (event: SessionEvent): boolean => event.kind === 'add' && event.content.speaker === 'ai';

const answersBetween = ({ events }: Session, start: number, end: number): number =>
  events.slice(start, end).filter(isAnswer).length;

/** Without those of a session that this one continues. */
function namedCuts(session: Session): readonly Place[] {
  return session.events.flatMap((event, index): Place[] => {
    if (isCopied(session, index) || event.kind !== 'replace' || event.by === undefined) return [];
    const { kind, trigger, beforeTokens } = event.by;
    return [
      {
        kind,
        ...(trigger !== undefined && { trigger }),
        event: index,
        ...(beforeTokens !== undefined && { agentTokens: beforeTokens }),
      },
    ];
  });
}

/** Smaller prompts that no event of the session explains. */
function falls({ events }: Session, calls: readonly RecordedCall[]): readonly Place[] {
  return calls.flatMap((call, at): Place[] => {
    const { event } = call;
    const before = calls[at - 1];
    if (before === undefined || canonicalModel(before.model) !== canonicalModel(call.model)) return [];
    const had = before.usage.promptTokens;
    const has = call.usage.promptTokens;
    if (had - has < Math.max(MIN_FALL_TOKENS, MIN_FALL_RATIO * had)) return [];
    const isRebuilt = events.slice(before.event, event).some(({ kind }) => kind === 'replace');
    return isRebuilt ? [] : [{ kind: 'fall', event }];
  });
}

function rewritten({ usage, price, dollars }: RecordedCall): NonNullable<RecordedCut['rewritten']> {
  const { promptTokens, completionTokens, cachedTokens = 0 } = usage;
  const rates = ratesFor(price, promptTokens);
  const rest = (cachedTokens * rates.cachedRead + completionTokens * rates.output) / 1e6;
  // At least zero: all of the input may be from the cache, and sums of fractions err.
  const [tokens, own] = [promptTokens - cachedTokens, dollars - rest].map((part) => Math.max(0, part)) as [
    number,
    number,
  ];
  return { tokens, dollars: own, match: price.match };
}
