import type { IContent } from '../src/content/content.ts';
import { callDollars } from '../src/economics/bill.ts';
import { cacheRuleOf } from '../src/economics/cache-rules.ts';
import { canonicalModel } from '../src/economics/model-name.ts';
import { isCopied } from '../src/formats/contract.ts';
import { type RecordedCall, recordedCalls } from '../src/lab/recorded-bill.ts';
import { recordedCacheMinutes } from '../src/replay/recorded/recorded-lifetime.ts';
import type { readSession } from '../src/sessions/read-session.ts';
import { blockCounter, entryCounter } from '../src/tokens/entries/block-counter.ts';

export interface RecordedSession extends Pick<ReturnType<typeof readSession>, 'session' | 'format'> {
  readonly file: string;
  readonly repository: string | undefined;
}

/** A call with what is known without its reads and writes: size, time, model, and where the agent rebuilt its context. */
export interface SimulatedCall {
  readonly call: RecordedCall;
  readonly isFirst: boolean;
  /** True if the lifetime had passed, or another model answered the call before. */
  readonly isLate: boolean;
  /** True if the user had written since the call before. */
  readonly afterUser: boolean;
  readonly isHour: boolean;
  /** Tokens of the last prompt that this one begins with; all of a first call. 0 if that is too short for a cache. */
  readonly sharedTokens: number;
}

/** A session that reports what its provider read from the cache. */
export interface SimulatedSession {
  readonly agent: string;
  readonly repository: string;
  readonly isSubAgent: boolean;
  readonly calls: readonly SimulatedCall[];
}

/** What a call of a session finds in its history. */
interface CallContext {
  readonly afterUser: boolean;
  /** Counted tokens of the entries of the last call, and of those that this one has as well. */
  readonly lastTokens: number;
  readonly keptTokens: number;
}

function contextsOf({ session }: RecordedSession): readonly CallContext[] {
  const model = session.model ?? 'unknown';
  const count = entryCounter(model, blockCounter(model));
  const contexts: CallContext[] = [];
  let entries: IContent[] = [];
  let last: readonly IContent[] = [];
  for (const [at, event] of session.events.entries()) {
    if (event.kind === 'replace') {
      entries = [...event.contents];
      continue;
    }
    const { speaker, metadata } = event.content;
    if (!isCopied(session, at) && speaker === 'ai' && (metadata?.usage?.promptTokens ?? 0) > 0) {
      const changedAt = last.findIndex((entry, at) => entry !== entries[at]);
      const isSame = changedAt === -1;
      const tokensOf = (own: readonly IContent[]): number => sum(own.map(count));
      contexts.push({
        afterUser: entries.at(-1)?.speaker === 'human',
        lastTokens: isSame ? 0 : tokensOf(last),
        keptTokens: isSame ? 0 : tokensOf(last.slice(0, changedAt)),
      });
      last = [...entries];
    }
    entries.push(event.content);
  }
  return contexts;
}

/**
 * The provider leaves out the reasoning of earlier turns of these models: once the user wrote, a prompt begins as the last one
 * did only up to the first answer since the user wrote before. Source: https://cookbook.openai.com/examples/responses_api/reasoning_items,
 * "Caching", read on 2026-11-23.
 */
const LEAVES_REASONING_OUT = /^(?:gpt-5|o\d)/;

export function simulatedSession(recorded: RecordedSession): SimulatedSession {
  const { session, format, file, repository = 'unknown' } = recorded;
  const contexts = contextsOf(recorded);
  const isHour = recordedCacheMinutes(session) !== undefined;
  let last: RecordedCall | undefined;
  /** The prompt of the first call since the user wrote. */
  let askedTokens = 0;
  const calls = recordedCalls(session).map((call, at): SimulatedCall => {
    const { afterUser, lastTokens, keptTokens } = contexts[at]!;
    const rule = cacheRuleOf(call.model);
    const lifetimeMs = isHour ? rule.longestMs : rule.lifetimeMs;
    const idleMs = call.atMs === undefined || last?.atMs === undefined ? 0 : call.atMs - last.atMs;
    const isSwitched = last !== undefined && canonicalModel(last.model) !== canonicalModel(call.model);
    const lastPrompt = last?.usage.promptTokens ?? call.usage.promptTokens;
    // What the agent rebuilt: system prompt, tools and the entries before the first change are the same.
    const same = call.rebuilt === undefined ? lastPrompt : lastPrompt - lastTokens + keptTokens;
    const leavesOut = afterUser && last !== undefined && LEAVES_REASONING_OUT.test(canonicalModel(call.model));
    const shared = Math.max(
      0,
      Math.min(same, leavesOut ? askedTokens : lastPrompt, lastPrompt, call.usage.promptTokens),
    );
    if (afterUser || last === undefined) askedTokens = call.usage.promptTokens;
    const sharedTokens = shared < rule.leastTokens ? 0 : Math.floor(shared / rule.stepTokens) * rule.stepTokens;
    const isFirst = last === undefined;
    last = call;
    return { call, isFirst, isLate: isSwitched || idleMs >= lifetimeMs, afterUser, isHour, sharedTokens };
  });
  return { agent: format.name, repository, isSubAgent: /\bsubagents\b|\bagent-/.test(file), calls };
}

/** What a call costs if so many of its tokens are read from the cache and the rest is written. */
export function dollarsOf({ call, isHour }: SimulatedCall, cachedTokens: number): number {
  const { promptTokens, completionTokens } = call.usage;
  const written = promptTokens - cachedTokens;
  return callDollars(call.price, {
    cachedTokens,
    writtenTokens: isHour ? 0 : written,
    writtenHourTokens: isHour ? written : 0,
    uncachedTokens: 0,
    outputTokens: completionTokens,
  });
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
