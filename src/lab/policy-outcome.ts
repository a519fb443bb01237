import type { IContent } from '../content/content.ts';
import { HOUR_MS } from '../durations.ts';
import { type Bill, billWith, NO_BILL } from '../economics/bill.ts';
import { cacheRuleOf } from '../economics/cache-rules.ts';
import { likeCall } from '../economics/call-parts.ts';
import { priceOf } from '../economics/prices.ts';
import { PromptCache } from '../economics/prompt-cache.ts';
import type { PausePings } from '../economics/warm/played-pings.ts';
import { isCopied, liveHistory, type Session } from '../formats/contract.ts';
import type { ContextMove } from '../replay/context-move.ts';
import { reasonFor } from '../strategies/changed-entries.ts';
import { CERTIFICATE_RULES, type CertificateRule, EDIT_RULES, recordOf } from '../strategies/reasons/edit-reason.ts';
import type { CountBlock } from '../tokens/entries/block-counter.ts';
import { type LintFinding, lintHistory, newFindings } from './lint/lint.ts';
import { PlayedRegrets } from './played/played-regrets.ts';
import { playedEvents } from './played-events.ts';
import type { Regret } from './regrets.ts';

/**
 * The outcome of one session under one profile. Tokens are those of the history, without system prompt and tools. Calls, edits
 * and removals that are copied from another session count there.
 */
export interface ProfileOutcome {
  /** Name of the profile. */
  readonly policy: string;
  /** US dollars for pings after the last call, if nobody comes back and the agent is left open; absent where nothing is kept warm. */
  readonly leftOpenDollars?: number;
  /** Model calls. */
  readonly calls: number;
  /** Tokens sent in all calls together, and the largest prompt. */
  readonly tokensSent: number;
  readonly tokensPeak: number;
  readonly compressions: number;
  /** Applied pruning steps, and the tokens that they and compressions removed, minus those of replacements. */
  readonly optimizations: number;
  readonly removedTokens: Readonly<Record<CertificateRule, number>>;
  /** Edits whose old text was in the context of the recorded agent. */
  readonly evidencedEdits: number;
  readonly regrets: readonly Regret[];
  /** What a provider refuses in the final history, but not in the recorded one. */
  readonly lintFindings: readonly LintFinding[];
  /** With the cache lifetime that was recorded, else the model's own, and with one of an hour. */
  readonly bill: Bill;
  readonly billHour: Bill;
}

type Outcome = Omit<ProfileOutcome, 'policy' | 'leftOpenDollars'>;

interface PlayedOptions {
  readonly model: string;
  readonly countBlock: CountBlock;
  readonly tokensOf: (entry: IContent) => number;
  /** System prompt and tools. */
  readonly constantTokens: number;
  /** How long the provider keeps an unused prefix. */
  readonly lifetimeMs: number;
}

type Pings = ReadonlyMap<number, PausePings>;

/** A recorded session that measures the outcome of policies. Its needs are found once, for all policies. */
export class PlayedSession {
  readonly #session: Session;
  readonly #options: PlayedOptions;
  readonly #recorded: readonly IContent[];
  readonly #regrets: PlayedRegrets;
  #recordedFindings: readonly LintFinding[] | undefined;
  /** The outcome of every policy that removes nothing. */
  #unpruned: Outcome | undefined;

  constructor(session: Session, options: PlayedOptions) {
    this.#session = session;
    this.#options = options;
    this.#recorded = liveHistory(session);
    this.#regrets = new PlayedRegrets(session, options.countBlock);
  }

  /** The outcome with these changes of the context, which are in the order of the session, and these pings before its events. */
  under(moves: readonly ContextMove[], pings: Pings = new Map()): Outcome {
    if (pings.size > 0 || moves.some(({ kind }) => kind !== 'rebuilt')) return this.#measure(moves, pings);
    this.#unpruned ??= this.#measure(moves, pings);
    return this.#unpruned;
  }

  #measure(moves: readonly ContextMove[], pings: Pings): Outcome {
    const { tokensOf, constantTokens, countBlock, model, lifetimeMs } = this.#options;
    const modelPrice = priceOf(model);
    const cacheRule = cacheRuleOf(model);
    const thinkingTokensOf = (entry: IContent): number => thinkingTokens(entry, countBlock);
    const cache = new PromptCache({ tokensOf, thinkingTokensOf, constantTokens });
    let bill = NO_BILL;
    let billHour = NO_BILL;
    let calls = 0;
    let tokensSent = 0;
    let tokensPeak = 0;
    let left: readonly IContent[] = [];
    for (const { at, event, entries, atMs, isCopied: isElsewhere } of playedEvents(this.#session, { moves })) {
      left = entries;
      if (event.kind === 'replace' || event.content.speaker !== 'ai') continue;
      const answer = event.content;
      const prompt = cache.call(entries, atMs);
      if (isElsewhere) continue;
      const { usage } = answer.metadata ?? {};
      const call = {
        ...likeCall(modelPrice, { atMs, beside: usage }),
        outputTokens: usage?.completionTokens ?? tokensOf(answer),
      };
      const ping = pings.get(at);
      const kept = ping ? { ...prompt, idleMs: ping.idleMs } : prompt;
      bill = billWith(bill, kept, { ...call, cache: { ...cacheRule, lifetimeMs } });
      if (ping) bill = { ...bill, dollars: bill.dollars + ping.dollars };
      billHour = billWith(billHour, prompt, { ...call, cache: { ...cacheRule, lifetimeMs: HOUR_MS } });
      const tokens = prompt.promptTokens - constantTokens;
      calls++;
      tokensSent += tokens;
      tokensPeak = Math.max(tokensPeak, tokens);
    }
    const regrets = this.#regrets.under(moves);
    const own = moves.filter(({ event }) => !isCopied(this.#session, event));
    return {
      calls,
      tokensSent,
      tokensPeak,
      compressions: own.filter(({ kind }) => kind === 'compressed').length,
      optimizations: own.filter(({ kind }) => kind === 'optimized').length,
      removedTokens: removedTokens(own, countBlock),
      evidencedEdits: this.#regrets.evidencedEdits,
      regrets,
      lintFindings: this.#refused(left),
      bill,
      billHour,
    };
  }

  #refused(left: readonly IContent[]): readonly LintFinding[] {
    const recorded = this.#recorded;
    if (left.length === recorded.length && left.every((entry, at) => entry === recorded[at])) return [];
    this.#recordedFindings ??= lintHistory(recorded);
    return newFindings(this.#recordedFindings, lintHistory(left)).filter(({ severity }) => severity === 'refused');
  }
}

function removedTokens(moves: readonly ContextMove[], countBlock: CountBlock): Record<CertificateRule, number> {
  const removed = recordOf(CERTIFICATE_RULES, () => 0);
  for (const changed of moves.flatMap(({ changes }) => changes).flatMap(({ blocks }) => blocks)) {
    const { block, replacement } = changed;
    const saved = countBlock(block) - (replacement === undefined ? 0 : countBlock(replacement));
    removed[EDIT_RULES[reasonFor(changed).rule].certificate] += saved;
  }
  return removed;
}

/** Tokens of thinking whose signature depends on the entries before it. */
function thinkingTokens({ blocks }: IContent, countBlock: CountBlock): number {
  return blocks.reduce((sum, block) => {
    const isBound =
      block.type === 'thinking' && (block.signature !== undefined || block.encryptedContent !== undefined);
    return isBound ? sum + countBlock(block) : sum;
  }, 0);
}
