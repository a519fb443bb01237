/**
 * Faults injected into a proxy that prunes: in pruning, in the provider, in the client, in bodies, in the files that it keeps.
 * Requests that are hard to look at: long, wide, deep, of many parts. Calls that name a pipe or a device. Two proxies on one folder.
 * Between them the provider makes summaries or may clear results, the agent goes back or clears results, also as its provider hints, messages of
 * the system come in the middle, and tools print markers and lines that look alike by their sum.
 * After each: the answer is the provider's, the provider saw the agent's bytes or a splice of them, whose notes name only what
 * its model sees, no result has a line that its tool did not print, nothing hangs, and the proxy serves. At the end nothing of it is left.
 *
 * `npm run proof -- proxy-faults [count] [seed]`: at least that many faults; default 2,000. It took twelve minutes on two busy cores.
 */
import { Agent } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Random, seededRandom } from '../../bench/random.ts';
import { type RunningProxy, startProxy } from '../../src/proxy/proxy.ts';
import { answerEvents } from './proxy-faults/answer-events.ts';
import { exchange, type Got } from './proxy-faults/exchange.ts';
import { CHANGE_HEADER, FaultyState, isHanging, STATE_FAULTS, type StateFault } from './proxy-faults/faulty-state.ts';
import { expected, FaultyUpstream, isWhole, PLAN_HEADER, type Plan } from './proxy-faults/faulty-upstream.ts';
import { sendHardBodies } from './proxy-faults/hard-requests.ts';
import { strangeLine } from './proxy-faults/hostile-texts.ts';
import { InventedSession, PATHS } from './proxy-faults/invented-requests.ts';
import { nameDevices } from './proxy-faults/named-devices.ts';
import { playNextRequests } from './proxy-faults/next-requests.ts';
import { type Faults, pickedFaults } from './proxy-faults/picked-faults.ts';
import { splicedTexts } from './proxy-faults/spliced.ts';
import { LONGEST_MS, stopwatch } from './proxy-faults/stopwatch.ts';
import { unseenNote } from './proxy-faults/unseen-notes.ts';

const TURNS = 8;
const ROUNDS_AT_ONCE = 4;
const DEADLINE_MS = 2_000;
const DAY_MS = 24 * 60 * 60_000;
const TOKEN = 'token';
const APIS = Object.keys(PATHS) as (keyof typeof PATHS)[];

/** What happened. `slowestMs`: of a request, without the deadline where pruning was made to hang. */
export interface FaultCounts {
  faults: number;
  requests: number;
  spliced: number;
  unhandled: number;
  slowestMs: number;
  /** The longest that a request waited because the machine had no processor for this process; not in `slowestMs`. */
  starvedMs: number;
  readonly problems: string[];
}

/** What is played, by name; returns what is wrong. */
type Part = () => Promise<readonly string[]>;

/**
 * Plays requests with at least that many faults, after the hard ones if they are wanted. Rejects never; what is wrong is in `problems`.
 * `say` gets a part's name before it starts, and a line with its time when it ends.
 */
export async function injectFaults(
  count: number,
  seed: number,
  { areHard = false, say = () => {} }: { readonly areHard?: boolean; readonly say?: (text: string) => void } = {},
): Promise<FaultCounts> {
  const counts: FaultCounts = {
    faults: 0,
    requests: 0,
    spliced: 0,
    unhandled: 0,
    slowestMs: 0,
    starvedMs: 0,
    problems: [],
  };
  const onUnhandled = (error: unknown): void => {
    counts.unhandled++;
    counts.problems.push(`not caught: ${thrown(error)}`);
  };
  process.on('unhandledRejection', onUnhandled).on('uncaughtException', onUnhandled);
  const upstream = new FaultyUpstream();
  const base = await upstream.start();
  const parts: Readonly<Record<string, Part>> = {
    ...(areHard && { 'hard bodies': () => sendHardBodies(upstream, base) }),
    'named devices': () => nameDevices(upstream, base),
    'next requests': () => playNextRequests(upstream, base),
    'random faults': () => playRounds({ upstream, base, counts }, { least: count, seed }),
  };
  for (const [name, play] of Object.entries(parts)) {
    say(`${name} … `);
    const startedAt = performance.now();
    const before = counts.problems.length;
    counts.problems.push(...(await play().catch((error: unknown) => [thrown(error)])));
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    say(`${seconds} s, problems ${counts.problems.length - before}\n`);
  }
  await upstream.stop();
  // The latest of the late answers.
  await delay(DEADLINE_MS + LONGEST_MS);
  process.off('unhandledRejection', onUnhandled).off('uncaughtException', onUnhandled);
  return counts;
}

interface Surroundings {
  readonly upstream: FaultyUpstream;
  readonly base: URL;
  readonly counts: FaultCounts;
}

const thrown = (error: unknown): string => (error instanceof Error ? String(error.stack) : String(error));

async function playRounds(
  around: Surroundings,
  { least, seed }: { least: number; seed: number },
): Promise<readonly string[]> {
  const problems: string[] = [];
  let round = 0;
  const rounds = async (): Promise<void> => {
    while (around.counts.faults < least) {
      const fault = STATE_FAULTS[round % STATE_FAULTS.length]!;
      const random = seededRandom(seed * 10_007 + round++);
      await new Round(fault, random, around).play().catch((error: unknown) => void problems.push(thrown(error)));
    }
  };
  await Promise.all(Array.from({ length: ROUNDS_AT_ONCE }, rounds));
  return problems;
}

let planNumber = 0;

/** A few conversations over one state. */
class Round {
  readonly #stateFault: StateFault;
  readonly #random: Random;
  readonly #around: Surroundings;
  readonly #state: FaultyState;
  readonly #agent = new Agent({ keepAlive: true });
  #proxies: RunningProxy[] = [];

  constructor(stateFault: StateFault, random: Random, around: Surroundings) {
    this.#stateFault = stateFault;
    this.#random = random;
    this.#around = around;
    this.#state = new FaultyState(stateFault);
  }

  async play(): Promise<void> {
    const random = this.#random;
    const sessions = APIS.map((api) => new InventedSession(`${api}-${random.hex(8)}`, api, random));
    await this.#start();
    for (let turn = 0; turn < TURNS; turn++) {
      this.#state.clockMs +=
        this.#stateFault === 'clock jumps' ? (random.next() - 0.5) * 4 * DAY_MS : random.pick([1_000, DAY_MS]);
      if (random.next() < 0.3) {
        this.#state.happen();
        // What is on disk counts only for a proxy that starts.
        if (this.#stateFault === 'corrupt' && random.next() < 0.5) await this.#start();
      }
      await Promise.all(sessions.map((session) => this.#request(session)));
    }
    this.#agent.destroy();
    for (const proxy of this.#proxies) await proxy.close();
    this.#state.remove();
  }

  async #start(): Promise<void> {
    for (const proxy of this.#proxies) await proxy.close();
    const start = () =>
      startProxy({ mounts: [{ path: '', upstream: this.#around.base }], token: TOKEN, change: this.#state.change() });
    this.#proxies = await Promise.all(this.#stateFault === 'two proxies' ? [start(), start()] : [start()]);
  }

  async #request(session: InventedSession): Promise<void> {
    const random = this.#random;
    const { counts, upstream } = this.#around;
    const faults = pickedFaults(random);
    session.goOn();
    const { bytes, plain, encoding } = session.body(faults.body);
    const name = `${++planNumber}`;
    const answer = answerEvents(session.api, random, faults.upstream === 'usage lies');
    const { resultTexts } = session;
    const isNew = (body: Buffer): boolean => {
      const { sentTexts } = session;
      return !body.equals(bytes) && !splicedTexts(plain, body, resultTexts)?.every(({ is }) => sentTexts.has(is));
    };
    const plan: Plan = { fault: faults.upstream, original: bytes, answer, isNew, seen: [] };
    upstream.plans.set(name, plan);
    const { url } = random.pick(this.#proxies);
    const elapsed = stopwatch();
    const got = await exchange({
      url: `${url}${PATHS[session.api]}`,
      agent: this.#agent,
      headers: {
        'x-session-id': session.name,
        [PLAN_HEADER]: name,
        ...(faults.change && { [CHANGE_HEADER]: faults.change }),
        ...(encoding && { 'content-encoding': encoding }),
      },
      body: bytes,
      leaves: faults.client,
      soonMs: random.integer(12),
    });
    const { wallMs, starvedMs } = elapsed();
    const ownMs = Math.max(0, wallMs - starvedMs - (isHanging(faults.change) ? DEADLINE_MS : 0));
    const report = (what: string): void => {
      counts.problems.push(`${what}: state ${this.#stateFault}, ${JSON.stringify(faults)}, ${session.api}`);
    };
    counts.requests++;
    counts.slowestMs = Math.max(counts.slowestMs, ownMs);
    counts.starvedMs = Math.max(counts.starvedMs, starvedMs);
    if (ownMs > LONGEST_MS) report(`took ${Math.round(wallMs)} ms`);
    if (Object.keys(faults).length > 0 || this.#stateFault !== 'none') counts.faults++;
    if (faults.client === undefined || faults.client === 'leaves after') {
      const problem = wrongAnswer(got, plan);
      if (problem) report(problem);
    }
    const problem = this.#wrongBytes(plan, { plain, session, faults });
    if (problem) report(problem);
    if (got?.status === 422 || got?.status === 424) session.takeHint();
    const serving = await exchange({ url: `${url}/models`, agent: this.#agent, headers: {}, body: Buffer.of() });
    if (serving?.body.toString() !== 'serving') report('does not serve any more');
  }

  #wrongBytes(
    { original, isNew, seen }: Plan,
    { plain, session, faults }: { plain: Buffer; session: InventedSession; faults: Faults },
  ): string | undefined {
    for (const [at, sent] of seen.entries()) {
      if (sent.equals(original)) continue;
      if (at === 1 && isNew(sent)) return 'the second attempt had something new';
      if (faults.change === 'returns garbage bytes') continue;
      const texts = splicedTexts(plain, sent, session.resultTexts);
      if (texts === undefined) return 'the provider saw other bytes';
      this.#around.counts.spliced++;
      const note = unseenNote(sent, plain);
      if (note) return `its model does not see what a note names: ${note}`;
      for (const { was, is } of texts) {
        const line = strangeLine(was, is);
        if (line !== undefined) return `a result has a line that its tool did not print: ${line}`;
      }
      const isRemoved = texts.some(({ is }) => /^\[density: .*, removed[;\]]/.test(is));
      if (isRemoved && this.#stateFault.startsWith('archive')) return 'removed what the archive did not keep';
    }
    const { resultTexts } = session;
    session.sent.push(() => (splicedTexts(plain, seen.at(-1) ?? original, resultTexts) ?? []).map(({ is }) => is));
    const most = faults.upstream?.startsWith('400') ? 2 : 1;
    return seen.length > most ? `the provider was asked ${seen.length} times` : undefined;
  }
}

function wrongAnswer(got: Got | undefined, plan: Plan): string | undefined {
  if (got === undefined) return 'no answer';
  const { status, body } = expected(plan);
  if (plan.fault === 'reset before headers')
    return got.status === 502 && got.isWhole ? undefined : 'no error for a reset';
  if (!isWhole(plan)) {
    const isStart = got.body.equals(body.subarray(0, got.body.length));
    return isStart && !got.isWhole ? undefined : 'an answer that broke off looked whole';
  }
  if (got.status !== status) return `status ${got.status} in place of ${status}: ${got.body.toString().slice(0, 200)}`;
  return got.isWhole && got.body.equals(body) ? undefined : 'other bytes of an answer';
}

/** Sockets, timers and files that are still there; output to a terminal or a pipe is none of ours. */
const handles = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((name) => !/^(?:TTYWrap|PipeWrap|FSReqCallback|CloseReq)$/.test(name));

export async function prove([count = '2000', seed = '1']: readonly string[]): Promise<boolean> {
  const { problems, ...counts } = await injectFaults(Number(count), Number(seed), {
    areHard: true,
    say: (text) => process.stdout.write(text),
  });
  await delay(100);
  const left = handles();
  if (left.length > 0) problems.push(`left at the end: ${left.join(', ')}`);
  for (const problem of problems) console.log(problem);
  const rounded = Object.entries(counts).map(([name, value]) => `${name} ${Math.round(value)}`);
  console.log(`${rounded.join(', ')}, problems ${problems.length}`);
  return problems.length === 0 && counts.spliced > 0;
}
