import { MINUTE_MS } from '../../durations.ts';
import type { WaitKind } from '../../economics/cache-miss.ts';
import type { ModelPrice } from '../../economics/prices.ts';
import { decidePing, pingAfterMs, type WarmAccount } from '../../economics/warm/keep-warm.ts';
import type { PauseLengths } from '../../economics/warm/pause-lengths.ts';
import type { KeepWarm } from '../../live/exchange/contract.ts';
import type { ReportedUsage } from '../contract.ts';
import { pricedCall } from '../ledger/priced-call.ts';
import { isInTime, type Moment, type Timer } from './clocks.ts';
import type { PingDays, SettledPing } from './ping-days.ts';
import { type NoPing, type PingRequest, pingRequest, type SentMessages } from './ping-request.ts';
import { isLimitNear } from './rate-limits.ts';
import type { PingAnswer, SendPing } from './send-ping.ts';

/** A ping that reads less than this part of what the last answer read and wrote did not keep it. */
const LEAST_READ = 0.9;
/** An answer without output takes seconds; what takes longer is given up. */
const LONGEST_PING_MS = 30_000;
/** The shortest lifetime; a pause that lasts half of it is looked at. */
const SHORT_LIFETIME_MS = 5 * MINUTE_MS;

/** What all pauses of a process share. */
export interface PauseTools {
  readonly send: SendPing;
  readonly days: PingDays;
  readonly lengths: PauseLengths;
  /** False: the user turned it off meanwhile. */
  readonly isAllowed: () => Promise<boolean>;
  readonly now: () => Moment;
  readonly timer: Timer;
  readonly vendor: string | undefined;
  /** How often faster than at the vendor prompts expire; 1 but in trials. */
  readonly pace: number;
}

/** A call that was answered, and after which nobody asks for anything. */
export interface AnsweredCall {
  readonly wait: WaitKind;
  readonly model: string;
  readonly price: ModelPrice;
  /** What it read and wrote. */
  readonly cachedTokens: number;
  readonly startedAt: Moment;
  readonly sent: SentMessages;
  readonly keepWarm: KeepWarm;
  /** Names the model and the account for the pings of the day. */
  readonly of: string;
}

/** A ping that was sent. */
export interface SentPing {
  readonly status: number;
  readonly usage: ReportedUsage | undefined;
  readonly dollars: number;
  readonly lifetimeMs: number;
  readonly tookMs: number;
}

interface PauseHooks {
  readonly account: () => WarmAccount;
  readonly onPing: (ping: SentPing) => void;
  /** Called once, when nothing of the request is held any more. */
  readonly onEnd: (why: NoPing | undefined) => void;
}

/** The time after an answer, in which pings keep its prompt in the cache while that is expected to pay. */
export class KeptPause {
  readonly #call: AnsweredCall;
  readonly #tools: PauseTools;
  readonly #hooks: PauseHooks;
  #request: SentMessages | undefined;
  #ping: PingRequest | undefined;
  #cancelTimer = (): void => {};
  #sending: AbortController | undefined;
  #isEnded = false;
  #lastAt: Moment;
  #pings = 0;
  #coldGain: number | undefined;

  constructor(call: AnsweredCall, tools: PauseTools, hooks: PauseHooks) {
    this.#call = call;
    this.#tools = tools;
    this.#hooks = hooks;
    this.#request = call.sent;
    this.#lastAt = call.startedAt;
    // Most pauses are short: nothing is made for them.
    this.#at(SHORT_LIFETIME_MS / 2, () => this.#prepare());
  }

  get isSending(): boolean {
    return this.#sending !== undefined;
  }

  /** True if a request that starts now finds its prompt only because of a ping. */
  isKeptAt(now: Moment): boolean {
    if (this.#ping === undefined || this.#pings === 0) return false;
    const lifetimeMs = this.#ping.lifetimeMs / this.#tools.pace;
    const { startedAt } = this.#call;
    return (
      now.monotonicMs - startedAt.monotonicMs >= lifetimeMs && now.monotonicMs - this.#lastAt.monotonicMs < lifetimeMs
    );
  }

  get coldGain(): number {
    return this.#coldGain ?? 0;
  }

  get lifetimeMs(): number {
    return this.#ping?.lifetimeMs ?? SHORT_LIFETIME_MS;
  }

  /** Lets go of the request and its credential. A ping that is not answered is given up. */
  end(why?: NoPing): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#cancelTimer();
    this.#sending?.abort();
    this.#request = undefined;
    this.#hooks.onEnd(why);
  }

  /** `afterMs`: of the vendor's time, since the last request or ping. */
  #at(afterMs: number, work: () => void): void {
    const { now, timer, pace } = this.#tools;
    const elapsedMs = now().monotonicMs - this.#lastAt.monotonicMs;
    this.#cancelTimer = timer(Math.max(0, afterMs / pace - elapsedMs), work);
  }

  #prepare(): void {
    const made = this.#request && pingRequest(this.#request, this.#tools.vendor);
    this.#request = undefined;
    if (typeof made === 'object') {
      this.#ping = made;
      this.#schedule(made);
    } else this.end(made);
  }

  #schedule(ping: PingRequest): void {
    this.#at(pingAfterMs(ping.lifetimeMs), () => {
      // What fails ends the pause: the prompt expires as without us.
      this.#due(ping).catch(() => this.end());
    });
  }

  #isInTime({ lifetimeMs }: PingRequest): boolean {
    return isInTime(this.#lastAt, this.#tools.now(), lifetimeMs / this.#tools.pace);
  }

  async #due(ping: PingRequest): Promise<void> {
    const { days, lengths, isAllowed, pace, now } = this.#tools;
    const { wait, price, cachedTokens, startedAt, of, keepWarm } = this.#call;
    if (!this.#isInTime(ping)) return this.end();
    this.#coldGain ??= await keepWarm.coldGain();
    const decision = decidePing(
      {
        wait,
        idleMs: (now().monotonicMs - startedAt.monotonicMs) * pace,
        lifetimeMs: ping.lifetimeMs,
        cachedTokens,
        price,
        coldGain: this.#coldGain,
        account: this.#hooks.account(),
      },
      lengths,
    );
    if (!decision.isSent || !(await isAllowed())) return this.end();
    const settle = await days.reserve(of, decision.costDollars);
    if (settle === undefined) return this.end();
    // The last thing before it is sent: nobody else sends one then.
    const isOurs = !this.#isEnded && (await keepWarm.note());
    if (!isOurs || this.#isEnded || !this.#isInTime(ping)) {
      await settle({ dollars: 0 });
      return this.end();
    }
    const isKept = await this.#send(ping, settle);
    if (!isKept) this.end();
    else if (!this.#isEnded) this.#schedule(ping);
  }

  /** True if the prompt is kept, and another ping may follow. */
  async #send(ping: PingRequest, settle: (ping: SettledPing) => Promise<void>): Promise<boolean> {
    const { send, now, timer, pace } = this.#tools;
    const sending = new AbortController();
    const cancel = timer(LONGEST_PING_MS / pace, () => sending.abort());
    this.#sending = sending;
    this.#lastAt = now();
    this.#pings++;
    const answer = await send(ping, sending.signal).catch(() => undefined);
    cancel();
    this.#sending = undefined;
    const { monotonicMs, wallMs } = now();
    const usage = this.#usageOf(answer);
    const dollars = pricedCall({ model: this.#call.model, usage, at: wallMs })?.dollars ?? 0;
    const isHit = this.#isHit(answer);
    const tookMs = monotonicMs - this.#lastAt.monotonicMs;
    const lifetimeMs = ping.lifetimeMs / pace;
    this.#hooks.onPing({ status: answer?.status ?? 0, usage, dollars, lifetimeMs, tookMs });
    await settle({ dollars, ...(isHit !== undefined && { isHit }) });
    return isHit === true && !isLimitNear(answer!.headers);
  }

  /** Nobody knows what a ping without an answer costs: it counts as one that read all. */
  #usageOf(answer: PingAnswer | undefined): ReportedUsage | undefined {
    const isAccepted = answer === undefined || (answer.status >= 200 && answer.status < 300);
    const { cachedTokens } = this.#call;
    const assumed = {
      promptTokens: cachedTokens,
      cachedTokens,
      writtenTokens: 0,
      writtenHourTokens: 0,
      outputTokens: 0,
    };
    return answer?.facts.usage ?? (isAccepted ? assumed : undefined);
  }

  /** Undefined where that is not known: a busy provider says nothing about the cache. */
  #isHit(answer: PingAnswer | undefined): boolean | undefined {
    if (answer === undefined || answer.status === 429 || answer.status >= 500) return undefined;
    return answer.status < 300 && (answer.facts.usage?.cachedTokens ?? 0) >= LEAST_READ * this.#call.cachedTokens;
  }
}
