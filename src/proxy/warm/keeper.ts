import { createHash } from 'node:crypto';
import type { WaitKind } from '../../economics/cache-miss.ts';
import { cacheRuleOf } from '../../economics/cache-rules.ts';
import { type IdlePrompt, NO_PINGS, type WarmAccount, warmGain } from '../../economics/warm/keep-warm.ts';
import type { PruneReport } from '../../live/contract.ts';
import type { ChangedRequest } from '../../live/exchange/contract.ts';
import { namesSubagent } from '../../live/request/conversation-key.ts';
import type { AnswerFacts } from '../answer/answer-facts.ts';
import { credentialsIn } from '../api-login.ts';
import type { ProxiedCall } from '../contract.ts';
import { pricedCall } from '../ledger/priced-call.ts';
import { type Moment, momentNow, usualTimer } from './clocks.ts';
import { HeldBytes } from './held-bytes.ts';
import { type AnsweredCall, KeptPause, type PauseTools, type SentPing } from './kept-pause.ts';
import { forbiddenByHeaders, type NoPing, type SentMessages } from './ping-request.ts';
import { isLimitNear } from './rate-limits.ts';

/** Most conversations whose accounts are remembered. */
const MAX_TALKS = 200;

export interface KeeperOptions
  extends Pick<PauseTools, 'send' | 'days' | 'lengths'>,
    Partial<Omit<PauseTools, 'send' | 'days' | 'lengths'>> {
  /**
   * True if all requests are of one agent whose end is seen. Else a prompt is kept only while a tool runs: its agent will ask again.
   */
  readonly isOneAgent: boolean;
  readonly held?: HeldBytes;
  /** Called with each ping that was sent. */
  readonly onPing: (call: ProxiedCall) => void;
  /** Called with why no ping can be sent. */
  readonly onTrouble: (what: string) => void;
}

/** The answer to a request, read to its end. */
export interface EndedAnswer {
  readonly status: number;
  /** Names and values, one after the other. */
  readonly headers: readonly string[];
  readonly facts: AnswerFacts;
}

/** A request that is on its way. */
export interface KeptRequest {
  /** It was sent like this, at last. */
  sent(request: SentMessages, at: Moment, keepWarm: ChangedRequest['keepWarm']): void;
  /** Call it once; undefined: no answer came, or it broke off. */
  ended(answer: EndedAnswer | undefined): void;
}

/** A conversation whose requests went through. */
interface Talk {
  readonly key: string;
  readonly isSubagent: boolean;
  account: WarmAccount;
  inFlight: number;
  /** The number of its newest call. */
  newest: number;
  /** The last call that was answered, and what it waits for. */
  last: { readonly wait: WaitKind; readonly at: Moment } | undefined;
  pause: KeptPause | undefined;
  /** True if its agent keeps it warm itself. */
  isKeptByAgent: boolean;
}

/** What to say of a request for which no ping can be sent, whatever it asks. */
const WORDS: Partial<Readonly<Record<NoPing, string>>> = {
  plan: 'keep-warm sends nothing: the agent uses the login of a plan, and pings are sent only with a key of the API',
  'no-key': 'keep-warm sends nothing: no key of the API is seen in the requests of the agent',
  elsewhere: 'keep-warm sends nothing: pings are sent only to the Messages API at https://api.anthropic.com',
};

/**
 * Keeps the prompts of conversations in their provider's cache while nobody asks for anything, by sending the last request again
 * for no answer. Source: docs/proxy.md, "Keep warm".
 */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #tools: PauseTools;
  readonly #held: HeldBytes;
  /** The last used one is at the end. */
  readonly #talks = new Map<string, Talk>();
  #isClosed = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    const { send, days, lengths } = options;
    const { isAllowed = async () => true } = options;
    const { now = momentNow, timer = usualTimer, vendor, pace = 1 } = options;
    this.#tools = { send, days, lengths, isAllowed, now, timer, vendor, pace };
    this.#held = options.held ?? new HeldBytes();
  }

  /** Ends all pauses for good: the agent has ended, or it was turned off. */
  close(): void {
    this.#isClosed = true;
    this.#endAll();
  }

  /** A request of the Messages API is about to be sent; `changed` is undefined if it could not be looked at. */
  begin(changed: Pick<ChangedRequest, 'report' | 'keepWarm'> | undefined, headers: Headers): KeptRequest | undefined {
    if (this.#isClosed) return undefined;
    // It may be of any conversation.
    if (changed === undefined) return void this.#endAll();
    const { report } = changed;
    const key = report?.conversation;
    if (report === undefined || key === undefined) return undefined;
    const isCall = changed.keepWarm !== undefined;
    const talk = this.#talks.get(key) ?? (isCall ? this.#newTalk(key, headers) : undefined);
    if (talk === undefined) return undefined;
    this.#talks.delete(key);
    this.#talks.set(key, talk);
    talk.inFlight++;
    if (!isCall) {
      if (report.isPing) talk.isKeptByAgent = true;
      if (report.isPing || talk.pause?.isSending) talk.pause?.end();
      return { sent: () => {}, ended: () => void talk.inFlight-- };
    }
    return this.#call(talk, report);
  }

  #call(talk: Talk, report: PruneReport): KeptRequest {
    const { now, lengths, pace } = this.#tools;
    const begunAt = now();
    const { pause, last } = talk;
    const kept = pause?.isKeptAt(begunAt) ? { lifetimeMs: pause.lifetimeMs, coldGain: pause.coldGain } : undefined;
    pause?.end();
    if (last) lengths.add({ wait: last.wait, idleMs: (begunAt.monotonicMs - last.at.monotonicMs) * pace });
    talk.last = undefined;
    const number = ++talk.newest;
    let sent: Sent | undefined;
    return {
      sent: (request, at, keepWarm) => {
        sent = { at, keepWarm, ...this.#hold(request) };
      },
      ended: (answer) => {
        talk.inFlight--;
        const call = answer && this.#answered(talk, { answer, sent, report, kept });
        if (call === undefined || number !== talk.newest || this.#isClosed) return sent?.giveBack?.();
        this.#pause(talk, call, sent!.giveBack!);
      },
    };
  }

  /** Holds a request, if a ping may follow it and there is room. */
  #hold(request: SentMessages): Pick<Sent, 'request' | 'giveBack'> {
    const forbidden = forbiddenByHeaders(request, this.#tools.vendor);
    if (forbidden !== undefined) {
      const words = WORDS[forbidden];
      if (words !== undefined) this.#options.onTrouble(words);
      return {};
    }
    const giveBack = this.#held.take(request.body.length);
    return giveBack ? { request, giveBack } : {};
  }

  /** The call whose pause may be kept; undefined if it may not. */
  #answered(talk: Talk, { answer, sent, report, kept }: Answered): AnsweredCall | undefined {
    const { facts, status, headers } = answer;
    const { usage, model = report.model, isToolWait = false } = facts;
    if (status >= 300 || usage === undefined || model === undefined || sent === undefined) return undefined;
    const wait: WaitKind = isToolWait ? 'toolWait' : 'pause';
    talk.last = { wait, at: sent.at };
    const priced = pricedCall({ model, usage, at: sent.at.wallMs });
    if (priced === undefined) return undefined;
    const { price, dollars } = priced;
    const repaid = kept ? warmGain({ ...kept, cachedTokens: usage.cachedTokens, price }) : 0;
    const { billDollars, pingDollars, repaidDollars } = talk.account;
    talk.account = { billDollars: billDollars + dollars, pingDollars, repaidDollars: repaidDollars + repaid };
    const { keepWarm, request } = sent;
    const isEnd = wait === 'pause' && (!this.#options.isOneAgent || talk.isSubagent);
    const isForbidden = isEnd || talk.isKeptByAgent || facts.isRefusal || report.isOff || usage.service !== undefined;
    if (isForbidden || keepWarm === undefined || request === undefined || isLimitNear(headers)) return undefined;
    const cachedTokens = usage.cachedTokens + usage.writtenTokens + usage.writtenHourTokens;
    if (cachedTokens < cacheRuleOf(model).leastTokens) return undefined;
    const of = pingsOf(request, model);
    return { wait, model, price, cachedTokens, startedAt: sent.at, sent: request, keepWarm, of };
  }

  #pause(talk: Talk, call: AnsweredCall, giveBack: () => void): void {
    const isIdle = (): boolean => talk.inFlight === 0;
    const note = async (): Promise<boolean> => isIdle() && (await call.keepWarm.note()) && isIdle();
    const pause = new KeptPause({ ...call, keepWarm: { ...call.keepWarm, note } }, this.#tools, {
      account: () => talk.account,
      onPing: (ping) => this.#pinged(talk, call, ping),
      onEnd: (why) => {
        giveBack();
        if (talk.pause === pause) talk.pause = undefined;
        const words = why && WORDS[why];
        if (words !== undefined) this.#options.onTrouble(words);
      },
    });
    talk.pause = pause;
  }

  #pinged(talk: Talk, { model }: AnsweredCall, { status, usage, dollars, lifetimeMs, tookMs }: SentPing): void {
    const { billDollars, pingDollars, repaidDollars } = talk.account;
    talk.account = { billDollars: billDollars + dollars, pingDollars: pingDollars + dollars, repaidDollars };
    this.#options.onPing({
      api: 'anthropic-messages',
      isCount: false,
      model,
      status,
      isResent: false,
      usage,
      ownPing: { lifetimeMs },
      report: { ...NOTHING_CHANGED, conversation: talk.key, model },
      addedMs: 0,
      tookMs,
    });
  }

  #newTalk(key: string, headers: Headers): Talk {
    const isSubagent = namesSubagent(headers) ?? this.#waitsForTool();
    // The agent began something new: what it left is not used again.
    if (this.#options.isOneAgent && !isSubagent) this.#endAll();
    const [oldest] = this.#talks.values();
    if (this.#talks.size >= MAX_TALKS && oldest) {
      oldest.pause?.end();
      this.#talks.delete(oldest.key);
    }
    const nothing = { inFlight: 0, newest: 0, last: undefined, pause: undefined };
    return { key, isSubagent, account: NO_PINGS, isKeptByAgent: false, ...nothing };
  }

  /** Then a new conversation is perhaps that of a sub-agent, which the tool started. */
  #waitsForTool(): boolean {
    return [...this.#talks.values()].some(({ last }) => last?.wait === 'toolWait');
  }

  #endAll(): void {
    for (const { pause } of this.#talks.values()) pause?.end();
  }
}

type Headers = Parameters<typeof namesSubagent>[0];

interface Sent {
  readonly at: Moment;
  readonly keepWarm: ChangedRequest['keepWarm'];
  /** Absent if no ping may follow it. */
  readonly request?: SentMessages;
  /** Gives back its room. */
  readonly giveBack?: () => void;
}

interface Answered {
  readonly answer: EndedAnswer;
  readonly sent: Sent | undefined;
  readonly report: PruneReport;
  /** Present if the request finds its prompt only because of a ping. */
  readonly kept: Pick<IdlePrompt, 'lifetimeMs' | 'coldGain'> | undefined;
}

const NOTHING_CHANGED: PruneReport = {
  changed: [],
  projected: 0,
  savedTokens: 0,
  sentTokens: 0,
  unchangedTokens: 0,
  isEpoch: false,
  isPing: true,
  neededAgain: [],
  unknownTools: [],
  sentWhole: [],
};

/** The model, the API and the account of a request, without the credential. */
function pingsOf({ target, headers }: SentMessages, model: string): string {
  return createHash('sha256')
    .update(JSON.stringify([target.origin, model, credentialsIn(headers)]))
    .digest('hex')
    .slice(0, 16);
}
