/**
 * What keeping the prompt cache warm does to bills, in two ways that share only the decision: recorded sessions as requests through
 * `createPruner()` and the provider that enforces the rules, and as events with the profile `recommended`, as `compare` plays them.
 * Both have the same calls, system prompt and answers. The changes of the bills must agree within half a percentage point, no session
 * may become over 3.5% more expensive by pings, each ping must find its prompt in the cache, and the bills must reach the bounds below.
 * The shares of pauses are learned on the other set, of other repositories.
 *
 * `npm run proof -- keep-warm [--part 1/4] [part of a path …] [part of a model …]`.
 */
import type { IContent } from '../../src/content/content.ts';
import { MINUTE_MS } from '../../src/durations.ts';
import { priceOf } from '../../src/economics/prices.ts';
import { pingAfterMs } from '../../src/economics/warm/keep-warm.ts';
import { type EndedPause, PauseLengths, type PauseTable, pauseTable } from '../../src/economics/warm/pause-lengths.ts';
import { PlayedPings } from '../../src/economics/warm/played-pings.ts';
import type { Session } from '../../src/formats/contract.ts';
import { entryTokens } from '../../src/lab/entry-tokens.ts';
import { modelCalls } from '../../src/lab/played-events.ts';
import { recommendedBill } from '../../src/lab/recommended-bill.ts';
import type { KeepWarm } from '../../src/live/exchange/contract.ts';
import { LivePruner } from '../../src/live/live-pruner.ts';
import type { Accepted, MeteredTokens, Refused } from '../../src/strict-provider/contract.ts';
import { blockCounter } from '../../src/tokens/entries/block-counter.ts';
import { promptCounter } from '../../src/tokens/entries/prompt-counter.ts';
import { eachSession, type PlayedSession } from './live/each-session.ts';
import { playOptions } from './live/play-options.ts';
import { claude, configOf, type PlayedModel, playedProvider } from './live/played-models.ts';
import { Agent, type RecordedCall } from './live/recorded-calls.ts';
import { sendPruned } from './live/send-pruned.ts';
import { type RecordedSet, recordedSession, recordedSessions } from './recorded-sessions.ts';

const MODELS: readonly PlayedModel[] = [claude('claude-opus-5-5', '5m', 'new'), claude('claude-opus-5', '5m', 'new')];
const LIFETIME_MS = 5 * MINUTE_MS;
const SYSTEM = 'You are an agent that reads and changes files. '.repeat(2_000);
const MAX_POINTS = 0.5;
const MAX_MORE = 0.035;
const MIN_READ = 0.9;

type SetName = 'published' | 'modern';
const SETS: Readonly<Record<SetName, readonly RecordedSet[]>> = {
  published: ['data', 'more-data'],
  modern: ['modern-data'],
};

/** Repositories with sessions in both sets: those of the published ones do not count, neither for shares nor for bills. */
const IN_BOTH = /oh-my-posh|agentv/i;
const isInBoth = (file: string): boolean => !file.includes('modern-data') && IN_BOTH.test(file);

/** Pauses of all sessions of these sets. */
function* pausesIn(sets: readonly RecordedSet[]): Generator<EndedPause> {
  for (const file of recordedSessions(sets).filter((one) => !isInBoth(one))) {
    let last: { readonly answer: IContent; readonly atMs: number | undefined } | undefined;
    for (const { atMs, answer, isCopied } of modelCalls(recordedSession(file))) {
      if (last?.atMs !== undefined && atMs !== undefined && !isCopied)
        yield { wait: waitAfter(last.answer), idleMs: atMs - last.atMs };
      last = { answer, atMs };
    }
  }
}

const waitAfter = ({ blocks }: Pick<IContent, 'blocks'>): EndedPause['wait'] =>
  blocks.some(({ type }) => type === 'tool_call') ? 'toolWait' : 'pause';

/** US dollars of one session. */
interface Bills {
  readonly without: number;
  readonly off: number;
  readonly on: number;
  readonly leftOpen: number;
}

/** The session as the requests have it: its answers think, and what no request has as a call is no call. */
function asPlayed(session: Session, calls: readonly RecordedCall[]): Session {
  const answers = new Map(calls.map((call) => [call.answerId, call]));
  const copied: [number, number][] = [];
  const events = session.events.map((event, at) => {
    if (event.kind === 'replace' || event.content.speaker !== 'ai') return event;
    const { content } = event;
    const call = answers.get(content.metadata?.id ?? '');
    if (call === undefined) copied.push([at, at + 1]);
    const thought = { type: 'thinking', thought: call?.says.thinking ?? '', signature: 'bound' } as const;
    const { usage: _, ...metadata } = content.metadata ?? {};
    const blocks = [thought, ...content.blocks.filter(({ type }) => type !== 'thinking')];
    return { ...event, content: { ...content, blocks, metadata } };
  });
  return { ...session, events, copied };
}

interface Playing {
  readonly played: PlayedModel;
  readonly table: PauseTable;
}

/** By `compare`'s way. */
async function replayed(one: PlayedSession<PlayedModel>, { played, table }: Playing): Promise<Bills> {
  const { model } = played;
  const session = asPlayed(one.session, one.calls);
  const tokensOf = entryTokens({ model, countBlock: blockCounter(model) });
  const { vocabulary } = one;
  const constantTokens = promptCounter(model).ofText(SYSTEM);
  const facts = { session, vocabulary, model, cacheMinutes: LIFETIME_MS / MINUTE_MS, tokensOf, constantTokens };
  const off = await recommendedBill(facts);
  const on = await recommendedBill({ ...facts, keepsWarm: new PauseLengths(table) });
  const { without, recommended } = off;
  return { without, off: recommended, on: on.recommended, leftOpen: on.recommended + on.leftOpenDollars };
}

const dollarsOf = (outcome: Accepted | Refused): number => (outcome.status === 200 ? (outcome.dollars ?? 0) : 0);

const billed = ({ read, written, writtenForAnHour, uncached, output }: MeteredTokens) => ({
  cachedTokens: read,
  writtenTokens: written,
  writtenHourTokens: writtenForAnHour,
  uncachedTokens: uncached,
  outputTokens: output,
});

/** A request that was answered. */
interface Answered {
  readonly body: object;
  readonly tokens: MeteredTokens;
  readonly keepWarm: KeepWarm | undefined;
}

/** One agent's requests through the provider, with a pruner or without. */
class Requests {
  readonly #one: PlayedSession<PlayedModel>;
  readonly #played: PlayedModel;
  readonly #provider = playedProvider();
  readonly #pings: PlayedPings | undefined;
  #nowMs = 0;
  dollars = 0;
  /** Pings that did not find their prompt. */
  lostPings = 0;
  pings = 0;

  constructor(one: PlayedSession<PlayedModel>, { played, lengths }: { played: PlayedModel; lengths?: PauseLengths }) {
    this.#one = one;
    this.#played = played;
    this.#pings = lengths && new PlayedPings(lengths);
  }

  /** Sends all calls; returns the dollars of pings after the last one. */
  async play(isPruned: boolean): Promise<number> {
    const { vocabulary, workspaceRoot, agent: format } = this.#one;
    const played = this.#played;
    const { api, model } = played;
    const agent = new Agent(api);
    const now = (): number => this.#nowMs;
    const archive = async (): Promise<void> => {};
    const config = configOf(played);
    const pruner = new LivePruner({ api, vocabulary, workspaceRoot, agent: format, config, archive, now });
    const cache_control = { type: 'ephemeral' };
    const system = [{ type: 'text', text: SYSTEM, cache_control }];
    let last: Answered | undefined;
    for (const call of this.#one.calls) {
      if (last !== undefined) await this.#pause(call.atMs - this.#nowMs, last);
      this.#nowMs = call.atMs;
      const body = { ...agent.body(agent.list(call.entries), played), system };
      const receive = (sent: object): Accepted | Refused =>
        this.#provider.receive({ api, model, account: 'new', body: sent, says: call.says }, call.atMs);
      const pruned = await pruner.prune({ body, model, conversation: 'played' });
      const sent = isPruned
        ? await sendPruned(pruner, pruned, receive)
        : { body, outcome: receive(body), report: pruned.report };
      const { outcome } = sent;
      this.dollars += dollarsOf(outcome);
      if (outcome.status !== 200) {
        // As Claude Code does: without its earlier thinking the conversation goes on.
        agent.forget();
        continue;
      }
      agent.hear(call.answerId, outcome.answer);
      const { tokens } = outcome;
      const wait = call.says.calls === undefined ? 'pause' : 'toolWait';
      this.#pings?.call({
        tokens: billed(tokens),
        dollars: dollarsOf(outcome),
        price: priceOf(model),
        lifetimeMs: LIFETIME_MS,
        wait,
      });
      last = { body: sent.body, tokens, keepWarm: pruner.keepWarm(sent.report) };
    }
    const gain = (await last?.keepWarm?.coldGain()) ?? 0;
    return this.#pings?.pause(Number.POSITIVE_INFINITY, () => gain).dollars ?? 0;
  }

  async #pause(idleMs: number, { body, tokens, keepWarm }: Answered): Promise<void> {
    const from = this.#nowMs;
    const { api, model } = this.#played;
    const isDue = this.#pings !== undefined && idleMs >= pingAfterMs(LIFETIME_MS);
    const gain = isDue ? ((await keepWarm?.coldGain()) ?? 0) : 0;
    const { count = 0 } = this.#pings?.pause(idleMs, () => gain) ?? {};
    for (let ping = 1; ping <= count; ping++) {
      this.#nowMs = from + ping * pingAfterMs(LIFETIME_MS);
      await keepWarm?.note();
      const again = { api, model, account: 'new', body: { ...body, max_tokens: 0 } };
      const outcome = this.#provider.receive(again, this.#nowMs);
      this.dollars += dollarsOf(outcome);
      this.pings++;
      const isFound = outcome.status === 200 && outcome.tokens.read >= MIN_READ * (tokens.read + tokens.written);
      if (!isFound) this.lostPings++;
    }
  }
}

/** By the provider. */
async function requested(
  one: PlayedSession<PlayedModel>,
  { played, table }: Playing,
): Promise<Bills & { lost: number; pings: number }> {
  const plain = new Requests(one, { played });
  await plain.play(false);
  const off = new Requests(one, { played });
  await off.play(true);
  const on = new Requests(one, { played, lengths: new PauseLengths(table) });
  const tail = await on.play(true);
  const { lostPings: lost, pings } = on;
  return { without: plain.dollars, off: off.dollars, on: on.dollars, leftOpen: on.dollars + tail, lost, pings };
}

const WAYS = ['replay', 'provider'] as const;
type Way = (typeof WAYS)[number];

/** The bounds of the table: percent against no pruning, with pings, and if the agent is left open. */
const BOUNDS: Readonly<Record<string, readonly [on: number, leftOpen: number]>> = {
  'modern claude-opus-5-5 5m, new account': [-21.5, -18],
  'published claude-opus-5-5 5m, new account': [-19.5, -16.5],
  'modern claude-opus-5 5m, new account': [-26, Number.POSITIVE_INFINITY],
  'published claude-opus-5 5m, new account': [-23.5, Number.POSITIVE_INFINITY],
};

/** The sessions of one set under one model. */
class Outcomes {
  readonly bills: Record<Way, Bills[]> = { replay: [], provider: [] };
  lost = 0;
  pings = 0;

  change(way: Way, of: 'off' | 'on' | 'leftOpen'): number {
    const sum = (key: keyof Bills): number => this.bills[way].reduce((all, one) => all + one[key], 0);
    return 100 * (sum(of) / sum('without') - 1);
  }

  /** How much more each session costs with pings than without, as a share. */
  more(way: Way, of: 'on' | 'leftOpen'): number[] {
    return this.bills[way].map((one) => one[of] / one.off - 1);
  }

  report(name: string): boolean {
    const [most, leftOpen] = BOUNDS[name]!;
    for (const way of WAYS) {
      const changes = (['off', 'on', 'leftOpen'] as const).map((of) => `${of} ${this.change(way, of).toFixed(2)}%`);
      const more = (['on', 'leftOpen'] as const).map((of) => {
        const ratios = this.more(way, of);
        return `${of} ${ratios.filter((ratio) => ratio > 0.01).length} over 1%, worst ${(100 * Math.max(...ratios)).toFixed(2)}%`;
      });
      console.log(`${name}, ${way}: ${this.bills[way].length} sessions; ${changes.join(', ')}; ${more.join('; ')}`);
    }
    console.log(`${name}: ${this.pings} pings, ${this.lost} did not find their prompt`);
    const differs = (['off', 'on', 'leftOpen'] as const).some(
      (of) => Math.abs(this.change('replay', of) - this.change('provider', of)) > MAX_POINTS,
    );
    const isDear = WAYS.some((way) =>
      [...this.more(way, 'on'), ...this.more(way, 'leftOpen')].some((ratio) => ratio > MAX_MORE),
    );
    const isShort = WAYS.some(
      (way) =>
        this.change(way, 'on') > most || this.change(way, 'leftOpen') > Math.min(leftOpen, this.change(way, 'off') + 1),
    );
    if (differs) console.log(`${name}: the ways differ by more than ${MAX_POINTS} points`);
    if (isDear) console.log(`${name}: a session is over ${100 * MAX_MORE}% more expensive`);
    if (isShort) console.log(`${name}: the bounds are not reached (${most}%, left open ${leftOpen}%)`);
    return !differs && !isDear && !isShort && this.lost === 0;
  }
}

export async function prove(parameters: readonly string[]): Promise<boolean> {
  const { chosen } = playOptions(parameters);
  const names = Object.keys(SETS) as SetName[];
  const outcomes = new Map<string, Outcomes>();
  for (const name of names) {
    const others = names.filter((other) => other !== name).flatMap((other) => SETS[other]);
    const table = pauseTable(pausesIn(others));
    for (const one of eachSession({ ...chosen, models: MODELS, sets: SETS[name] })) {
      if (isInBoth(one.name)) continue;
      for (const played of one.models) {
        const key = `${name} ${played.name}`;
        const own = outcomes.get(key) ?? new Outcomes();
        outcomes.set(key, own);
        own.bills.replay.push(await replayed(one, { played, table }));
        const { lost, pings, ...bills } = await requested(one, { played, table });
        own.bills.provider.push(bills);
        own.lost += lost;
        own.pings += pings;
      }
    }
  }
  const held = [...outcomes].map(([name, own]) => own.report(name));
  return held.length > 0 && held.every(Boolean);
}
