import { MINUTE_MS } from '../../../src/durations.ts';
import { PauseLengths, type PauseTable } from '../../../src/economics/warm/pause-lengths.ts';
import type { PruneReport, PrunerStore } from '../../../src/live/contract.ts';
import type { KeepWarm } from '../../../src/live/exchange/contract.ts';
import { livePruners } from '../../../src/live/exchange/live-changes.ts';
import { memoryStore } from '../../../src/live/memory-store.ts';
import { factsWith } from '../../../src/proxy/answer/answer-facts.ts';
import type { ProxiedCall } from '../../../src/proxy/contract.ts';
import type { Moment, Timer } from '../../../src/proxy/warm/clocks.ts';
import { HeldBytes } from '../../../src/proxy/warm/held-bytes.ts';
import { Keeper, type KeeperOptions } from '../../../src/proxy/warm/keeper.ts';
import { PingDays } from '../../../src/proxy/warm/ping-days.ts';
import type { PingRequest } from '../../../src/proxy/warm/ping-request.ts';
import type { PingAnswer } from '../../../src/proxy/warm/send-ping.ts';
import { type Load, limitHeaders, refusedByLoad } from '../../../src/strict-provider/rate-limits.ts';
import { StrictProvider } from '../../../src/strict-provider/strict-provider.ts';

export const LIFETIME_MS = 5 * MINUTE_MS;
const START = Date.UTC(2026, 10, 29, 12);
const API = 'anthropic-messages';
const TARGET = new URL('https://api.anthropic.com/v1/messages');
/** Most pauses that last five minutes end in the next ones: a ping pays. */
const RETURNING: PauseTable = {
  toolWait: Array.from({ length: 20 }, (_, at) => 1000 * 0.7 ** at),
  pause: Array.from({ length: 20 }, (_, at) => 1000 * 0.7 ** at),
};

/** Lets what waits for nothing but promises run. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Time that passes as a test says, and the clocks of a computer that may be wrong. */
export class TrialTime {
  trueMs = 0;
  /** What the wall clock is ahead, as after it was set. */
  wallAheadMs = 0;
  /** Time in which the computer slept: its monotonic clock stood still. */
  sleptMs = 0;
  #timers: { readonly atMs: number; readonly work: () => void }[] = [];

  readonly now = (): Moment => ({
    wallMs: START + this.trueMs + this.wallAheadMs,
    monotonicMs: this.trueMs - this.sleptMs,
  });

  readonly timer: Timer = (waitMs, work) => {
    const one = { atMs: this.now().monotonicMs + waitMs, work };
    this.#timers.push(one);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== one);
    };
  };

  async pass(ms: number): Promise<void> {
    const end = this.now().monotonicMs + ms;
    for (;;) {
      const [next] = this.#timers.filter(({ atMs }) => atMs <= end).sort((one, other) => one.atMs - other.atMs);
      if (next === undefined) break;
      this.trueMs += Math.max(0, next.atMs - this.now().monotonicMs);
      this.#timers = this.#timers.filter((one) => one !== next);
      next.work();
      await settled();
    }
    this.trueMs += end - this.now().monotonicMs;
  }

  sleep(ms: number): void {
    this.trueMs += ms;
    this.sleptMs += ms;
  }

  /** Sets the wall clock forward, or back. */
  set(ms: number): void {
    this.wallAheadMs += ms;
  }
}

export interface ArrivedPing {
  readonly conversation: string;
  /** By true time. */
  readonly atMs: number;
  /** Since a request or ping of the conversation arrived. */
  readonly idleMs: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: readonly string[];
}

export interface Ended {
  readonly status: number;
  readonly cachedTokens: number;
  readonly report: PruneReport | undefined;
}

interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly fields?: object;
  /** What the answer calls; absent: it ends the turn. */
  readonly calls?: string;
  readonly stopReason?: string;
  readonly ttl?: '1h';
  /** True: the last request for the smallest answer, with which an agent keeps its own cache. */
  readonly isPing?: boolean;
  readonly load?: Load;
  readonly isBrokenOff?: boolean;
  readonly tookMs?: number;
}

/** A provider on the network. */
export class TrialProvider {
  readonly provider: StrictProvider;
  readonly pings: ArrivedPing[] = [];
  /** When a request or ping of each conversation arrived last, by true time. */
  readonly readAt = new Map<string, number>();
  load: Load = {};
  isGone = false;
  /** How long an answer to a ping takes; `Infinity`: it never comes. */
  pingMs = 0;
  readonly #time: TrialTime;

  constructor(time: TrialTime, options: ConstructorParameters<typeof StrictProvider>[0] = {}) {
    this.#time = time;
    this.provider = new StrictProvider(options);
  }

  readonly send = async (ping: PingRequest, signal: AbortSignal): Promise<PingAnswer> => {
    const { trueMs } = this.#time;
    if (this.isGone) throw new Error('The network is gone.');
    const body = JSON.parse(Buffer.from(ping.body).toString());
    const conversation = ping.headers[ping.headers.indexOf('x-session-id') + 1] ?? '';
    const idleMs = trueMs - (this.readAt.get(conversation) ?? Number.NEGATIVE_INFINITY);
    this.pings.push({ conversation, atMs: trueMs, idleMs, body, headers: ping.headers });
    this.readAt.set(conversation, trueMs);
    const { status } = this.load;
    const outcome = status
      ? refusedByLoad(status, API)
      : this.provider.receive({ api: API, body, account: 'key' }, trueMs);
    if (this.pingMs > 0)
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        if (Number.isFinite(this.pingMs)) this.#time.timer(this.pingMs, resolve);
      });
    return {
      status: outcome.status,
      headers: Object.entries(limitHeaders(this.load, trueMs)).flat(),
      facts: factsWith({}, API, JSON.stringify(outcome.body)),
    };
  };
}

type TrialOptions = Partial<Omit<KeeperOptions, 'send' | 'days'>> & {
  readonly time?: TrialTime;
  readonly provider?: TrialProvider;
  readonly store?: PrunerStore;
  readonly pingStore?: PrunerStore;
  readonly dollarsPerDay?: number;
  /** In place of what the pruner finds. */
  readonly coldGain?: number;
};

/** A process that sends an agent's requests on, with its keeper. */
export class WarmTrial {
  readonly time: TrialTime;
  readonly provider: TrialProvider;
  readonly keeper: Keeper;
  readonly held = new HeldBytes();
  readonly calls: ProxiedCall[] = [];
  readonly troubles: string[] = [];
  #isKilled = false;
  readonly #coldGain: number | undefined;
  readonly #change: ReturnType<typeof livePruners>['change'];

  constructor({
    time = new TrialTime(),
    provider = new TrialProvider(time),
    store = memoryStore(),
    pingStore = memoryStore(),
    dollarsPerDay = 100,
    coldGain,
    ...options
  }: TrialOptions = {}) {
    this.time = time;
    this.provider = provider;
    this.#coldGain = coldGain;
    this.#change = livePruners({ store, now: () => time.now().monotonicMs }).change;
    this.keeper = new Keeper({
      isOneAgent: true,
      lengths: new PauseLengths(RETURNING),
      send: (ping, signal) => (this.#isKilled ? new Promise(() => {}) : provider.send(ping, signal)),
      days: new PingDays({ store: pingStore, dollarsPerDay, now: () => time.now().wallMs }),
      now: time.now,
      timer: (waitMs, work) => time.timer(waitMs, () => this.#isKilled || work()),
      held: this.held,
      onPing: (call) => this.calls.push(call),
      onTrouble: (what) => this.troubles.push(what),
      ...options,
    });
  }

  /** Nothing of it runs any more. */
  kill(): void {
    this.#isKilled = true;
  }

  #given(): Partial<KeepWarm> {
    const gain = this.#coldGain;
    return gain === undefined ? {} : { coldGain: async () => gain };
  }

  /** Sends one request of a conversation through the process, and reads its answer. */
  async ask(talk: TrialTalk, options: AskOptions = {}): Promise<Ended> {
    const { load, isBrokenOff = false, tookMs = 0 } = options;
    const { time, provider } = this;
    const headers = { 'x-api-key': 'key', 'x-session-id': talk.name, ...options.headers };
    const plain = options.isPing ? { ...talk.last, max_tokens: 1 } : talk.request(options);
    const changed = await this.#change({
      api: API,
      isCount: false,
      upstream: TARGET.origin,
      headers,
      body: Buffer.from(JSON.stringify(plain)),
    });
    talk.lastBody = Buffer.from(changed.body).toString();
    const kept = this.keeper.begin(changed, headers);
    const at = time.now();
    provider.readAt.set(talk.name, time.trueMs);
    const says = { text: 'word '.repeat(4_000), ...(options.calls && { calls: [{ name: options.calls, input: {} }] }) };
    const outcome = load?.status
      ? refusedByLoad(load.status, API)
      : provider.provider.receive({ api: API, body: JSON.parse(talk.lastBody), account: 'key', says }, time.trueMs);
    kept?.sent(
      { method: 'POST', target: TARGET, headers: Object.entries(headers).flat(), body: changed.body },
      at,
      changed.keepWarm && { ...changed.keepWarm, ...this.#given() },
    );
    if (tookMs > 0) await time.pass(tookMs);
    const stop = options.stopReason && { stop_reason: options.stopReason };
    const facts = factsWith({}, API, JSON.stringify({ ...outcome.body, ...stop }));
    const { status } = outcome;
    const { usage, error } = facts;
    changed.answered({
      status,
      ...(error !== undefined && { error }),
      ...(usage && { cachedTokens: usage.cachedTokens }),
    });
    await settled();
    const limits = Object.entries(limitHeaders(load ?? {}, time.trueMs)).flat();
    kept?.ended(isBrokenOff ? undefined : { status, headers: limits, facts });
    if (outcome.status === 200 && !isBrokenOff && !options.isPing) talk.answered(outcome.answer);
    return { status, cachedTokens: usage?.cachedTokens ?? 0, report: changed.report };
  }

  /** Some calls, so that its bill can carry the risk of pings. */
  async begun(name = 'talk', options: AskOptions = {}): Promise<TrialTalk> {
    const talk = new TrialTalk(name);
    for (let call = 0; call < 3; call++) await this.ask(talk, call === 2 ? options : { ...options, calls: 'Bash' });
    return talk;
  }
}

/** A conversation of an agent. */
export class TrialTalk {
  readonly name: string;
  messages: object[] = [];
  model = 'claude-opus-5-5';
  /** As it was sent. */
  lastBody = '';
  /** As its agent wrote it. */
  last: object = {};

  constructor(name: string) {
    this.name = name;
  }

  request({ fields = {}, ttl }: AskOptions): object {
    const last = this.messages.at(-1) as { content?: readonly { type: string; id?: string }[] } | undefined;
    const results = (Array.isArray(last?.content) ? last.content : [])
      .filter(({ type }) => type === 'tool_use')
      .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'out '.repeat(200) }));
    const asked = { type: 'text', text: `go on ${this.messages.length}` };
    this.messages.push({ role: 'user', content: [...results, asked] });
    const mark = { cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } };
    const marked = this.messages.map((message, at) => {
      const { content, ...rest } = message as { content: readonly object[] };
      const isLast = at === this.messages.length - 1;
      return isLast ? { ...rest, content: [...content.slice(0, -1), { ...content.at(-1), ...mark }] } : message;
    });
    this.last = {
      model: this.model,
      max_tokens: 32_000,
      stream: true,
      system: [{ type: 'text', text: 'You are an agent. '.repeat(800), ...mark }],
      tools: [{ name: 'Bash', description: 'Runs a command.', input_schema: { type: 'object' } }],
      messages: marked,
      ...fields,
    };
    return this.last;
  }

  answered(answer: readonly unknown[]): void {
    this.messages.push(...(answer as object[]));
  }
}
