/**
 * The proxy of a team: processes over one Redis in front of the strict provider, that get the requests of many conversations at random.
 * First one replica alone, whose bytes count. Then two: what they add; one of them killed every five seconds, requests being sent
 * again until they are answered; and Redis gone for ten seconds.
 *
 * `npm run proof -- team-proxy [conversations] [seconds of kills] [seed]`: default 1,000 and 120, below six minutes. Needs redis-server.
 */
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Random, seededRandom } from '../../bench/random.ts';
import { openRedis } from '../../src/fleet/redis.ts';
import { addToken } from '../../src/fleet/team/team-tokens.ts';
import { haveRedis, RedisServer } from '../../test/fleet/redis-server.ts';
import { InventedSession } from './proxy-faults/invented-requests.ts';
import { Replica } from './team-proxy/replica.ts';
import { REQUEST_HEADER, SeenRequests } from './team-proxy/seen-requests.ts';

const TURNS = 4;
const USERS = 20;
const AT_ONCE = 8;
const KILL_MS = 5_000;
const GONE_MS = 10_000;
const PAIRS = 600;
const ANSWER_MS = 20_000;
const NO_LIMIT = { perMinute: 1_000_000, atOnce: 10_000 };

interface Played {
  readonly name: string;
  readonly token: string;
  /** The body of each turn. */
  readonly bodies: readonly Buffer[];
}

class Client {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #random: Random;
  again = 0;
  constructor(random: Random) {
    this.#random = random;
  }

  /** Milliseconds until the whole answer. @throws if it is not 200, or breaks off. */
  send(replica: Replica, { name, token, bodies }: Played, turn: number): Promise<number> {
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'x-session-id': name, [REQUEST_HEADER]: `${name} ${turn}` };
      const url = `${replica.origin}/${token}${replica.mount}/v1/messages`;
      const sent = httpRequest(url, { method: 'POST', agent: this.#agent, headers, timeout: ANSWER_MS }, (answer) => {
        answer.on('error', reject);
        answer.on('aborted', () => reject(new Error('The answer broke off.')));
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(performance.now() - startedAt);
          else reject(new Error(`Status ${answer.statusCode}.`));
        });
        answer.resume();
      });
      sent.on('timeout', () => sent.destroy(new Error('No answer.')));
      sent.on('error', reject);
      sent.end(bodies[turn]);
    });
  }

  /** Sends it until it is answered, as an agent does behind a balancer. */
  async sendAgain(replicas: readonly Replica[], played: Played, turn: number): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.send(this.#random.pick([...replicas]), played, turn);
        return;
      } catch (error) {
        if (attempt > 200) throw error;
        this.again++;
        await wait(50);
      }
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

interface Shape {
  readonly kind: string;
  readonly tokens: readonly string[];
  readonly seed: number;
  readonly turns?: number;
}

/** Conversations that any run of the proof with this seed has too. */
function conversations(count: number, { kind, tokens, seed, turns = TURNS }: Shape): Played[] {
  return Array.from({ length: count }, (_, at) => {
    const random = seededRandom(seed * 100_003 + at);
    const session = new InventedSession(`${kind}-${at}`, 'anthropic-messages', random);
    const bodies = Array.from({ length: turns }, () => {
      session.goOn();
      return session.body(undefined).plain;
    });
    return { name: `${kind}-${at}`, token: tokens[at % tokens.length]!, bodies };
  });
}

/** All turns of all conversations, some conversations at once, each in its order; not faster than `atLeastMs` for all. */
async function playAll(
  all: readonly Played[],
  turns: readonly number[],
  send: (played: Played, turn: number) => Promise<void>,
  atLeastMs = 0,
): Promise<void> {
  const works = turns.flatMap((turn) => all.map((played) => ({ played, turn })));
  const startedAt = performance.now();
  let next = 0;
  // A turn of a conversation begins after all conversations had the one before, nearly: at most a few overlap.
  const done = new Map<string, Promise<void>>();
  const worker = async (): Promise<void> => {
    for (let at = next++; at < works.length; at = next++) {
      const { played, turn } = works[at]!;
      await wait(Math.max(0, (at / works.length) * atLeastMs - (performance.now() - startedAt)));
      const before = done.get(played.name) ?? Promise.resolve();
      const now = before.then(() => send(played, turn));
      done.set(played.name, now);
      await now;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const quantile = (values: readonly number[], ratio: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * ratio))] ?? 0;

/** The texts of results, by their call. */
function resultTexts(body: string): Map<string, string> {
  const { messages } = JSON.parse(body) as { messages: { content: unknown }[] };
  const results = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return new Map(results.flatMap((one) => (one.type === 'tool_result' ? [[one.tool_use_id, one.content]] : [])));
}

class TeamProof {
  readonly #client: Client;
  readonly #random: Random;
  readonly #seen: SeenRequests;
  readonly #alone: Team;
  readonly #team: Team;
  readonly #seed: number;
  readonly problems: string[] = [];

  constructor({ alone, team, seen, seed }: { alone: Team; team: Team; seen: SeenRequests; seed: number }) {
    this.#random = seededRandom(seed);
    this.#client = new Client(this.#random);
    this.#seen = seen;
    this.#alone = alone;
    this.#team = team;
    this.#seed = seed;
  }

  async prove(count: number, seconds: number): Promise<void> {
    const turns = Array.from({ length: TURNS }, (_, turn) => turn);
    const options = { kind: 'alone', tokens: this.#alone.tokens, seed: this.#seed };
    const alone = conversations(count, options);
    const { replicas } = this.#alone;
    await replicas[0]!.start();
    await this.#timed(`${count} conversations by one replica`, () =>
      playAll(alone, turns, (played, turn) => this.#client.sendAgain(replicas, played, turn)),
    );
    await replicas[0]!.kill();
    await Promise.all(this.#team.replicas.map((replica) => replica.start()));
    await this.#timed('what two replicas add', () => this.#added());
    const killed = conversations(count, { ...options, tokens: this.#team.tokens }).map((played) => ({
      ...played,
      name: played.name.replace('alone', 'killed'),
    }));
    await this.#timed(`a replica killed every ${KILL_MS / 1_000} s`, () => this.#kills(killed, turns, seconds));
    this.#compare(alone, killed);
    await this.#timed('Redis gone', () => this.#gone(Math.min(count, 200)));
    if (this.#seen.refused > 0) this.problems.push(`the provider refused ${this.#seen.refused} requests`);
    this.#client.close();
  }

  async #timed(what: string, work: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    await work();
    console.log(`(${what}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s)`);
  }

  /** The same conversations, one request after the other, by one replica and by two in turns. */
  async #added(): Promise<void> {
    this.#seen.isStrict = false;
    const options = { tokens: this.#team.tokens, seed: this.#seed + 1, turns: 6 };
    const [alone, both] = ['pair-a', 'pair-b'].map((kind) => conversations(PAIRS / 6, { ...options, kind })) as [
      Played[],
      Played[],
    ];
    const { replicas } = this.#team;
    const times: [number[], number[]] = [[], []];
    for (let turn = 0; turn < 6; turn++) {
      for (const [at, played] of alone.entries()) {
        const first = (): Promise<number> => this.#client.send(replicas[0]!, played, turn);
        const second = (): Promise<number> => this.#client.send(this.#random.pick([...replicas]), both[at]!, turn);
        if (at % 2 === 0) times[0].push(await first());
        times[1].push(await second());
        if (at % 2 === 1) times[0].push(await first());
      }
    }
    this.#seen.isStrict = true;
    const [p50, p99] = [0.5, 0.99].map((ratio) => times.map((all) => quantile(all, ratio)));
    const added = p99![1]! - p99![0]!;
    const words = (all: readonly number[]): string => all.map((ms) => `${ms.toFixed(1)} ms`).join(' and ');
    console.log(
      `one replica and two, ${PAIRS} requests each: p50 ${words(p50!)}, p99 ${words(p99!)}: ${added.toFixed(1)} ms added (at most 15)`,
    );
    if (added > 15) this.problems.push(`two replicas add ${added.toFixed(1)} ms at p99`);
  }

  async #kills(all: readonly Played[], turns: readonly number[], seconds: number): Promise<void> {
    let isOver = false;
    let kills = 0;
    const killing = (async () => {
      for (let at = 0; ; at++) {
        for (let left = KILL_MS; left > 0 && !isOver; left -= 100) await wait(100);
        if (isOver) return;
        const replica = this.#team.replicas[at % 2]!;
        await replica.kill();
        kills++;
        await replica.start();
      }
    })();
    await playAll(
      all,
      turns,
      (played, turn) => this.#client.sendAgain(this.#team.replicas, played, turn),
      seconds * 1_000,
    );
    isOver = true;
    await killing;
    console.log(`${kills} kills, ${this.#client.again} requests sent again`);
    for (const { troubles } of this.#team.replicas)
      for (const one of troubles.splice(0)) console.log(`a replica said: ${one}`);
  }

  #compare(alone: readonly Played[], killed: readonly Played[]): void {
    const { bodies } = this.#seen;
    let [different, changed, twice] = [0, 0, 0];
    for (const [at, played] of killed.entries()) {
      const isOther = played.bodies.some((_, turn) => {
        const wanted = bodies.get(`${alone[at]!.name} ${turn}`)!;
        const got = bodies.get(`${played.name} ${turn}`) ?? new Set();
        if (got.size > 1) twice++;
        return wanted.size !== 1 || got.size !== 1 || !got.has([...wanted][0]!);
      });
      if (isOther) different++;
      changed += played.bodies.length;
    }
    console.log(
      `${different} of ${killed.length} conversations in other bytes than by one replica (${changed} requests, ${twice} of them in two forms)`,
    );
    if (different > 0) this.problems.push(`${different} conversations differ`);
  }

  /** Turns before, while and after Redis is gone. */
  async #gone(count: number): Promise<void> {
    const seen = this.#seen;
    seen.keepsTexts = true;
    const all = conversations(count, { kind: 'gone', tokens: this.#team.tokens, seed: this.#seed + 2, turns: 9 });
    const failed: string[] = [];
    const slow: number[] = [];
    const send = async (played: Played, turn: number): Promise<void> => {
      try {
        slow.push(await this.#client.send(this.#random.pick([...this.#team.replicas]), played, turn));
      } catch (error) {
        failed.push(String(error));
      }
    };
    await playAll(all, [0, 1, 2], send);
    await this.#team.server.kill();
    slow.length = 0;
    await playAll(all, [3, 4], send, GONE_MS);
    const whileGone = quantile(slow, 1);
    await this.#team.server.start();
    await wait(2_000);
    await playAll(all, [5, 6, 7, 8], send);
    const textsOf = (played: Played, turn: number) =>
      resultTexts(seen.texts.get(`${played.name} ${turn}`) ?? '{"messages":[]}');
    let [frozen, kept, known, lost, shortened] = [0, 0, 0, 0, 0];
    for (const played of all) {
      const whole = resultTexts(played.bodies.at(-1)!.toString());
      const [before, during, after] = [2, 4, 8].map((turn) => textsOf(played, turn));
      for (const [id, text] of before!) {
        if (text === whole.get(id)) continue;
        frozen++;
        if (during!.get(id) === text) known++;
        if (after!.get(id) === text) kept++;
        else lost++;
      }
      for (const [id, text] of after!) if (!textsOf(played, 4).has(id) && text !== whole.get(id)) shortened++;
    }
    console.log(
      `Redis gone for ${GONE_MS / 1_000} s: ${failed.length} requests failed, the slowest took ${whileGone.toFixed(0)} ms; of ${frozen} frozen results ${known} were sent frozen meanwhile and ${kept} afterwards; ${shortened} new ones were shortened after it`,
    );
    for (const one of new Set(failed)) this.problems.push(`while Redis was gone: ${one}`);
    if (lost > 0) this.problems.push(`${lost} frozen results were sent in another form after Redis was back`);
    if (frozen === 0 || shortened === 0) this.problems.push('nothing was shortened before or after Redis was gone');
  }
}

/** A Redis with users, and replicas on it that are not started yet. */
interface Team {
  readonly server: RedisServer;
  readonly tokens: readonly string[];
  readonly replicas: readonly Replica[];
}

async function teamOf(count: number, upstream: string): Promise<Team> {
  const server = new RedisServer();
  await server.start();
  const redis = await openRedis(server.url);
  const tokens = await Promise.all(Array.from({ length: USERS }, (_, at) => addToken(redis, `user${at}`, NO_LIMIT)));
  redis.disconnect();
  return { server, tokens, replicas: Array.from({ length: count }, () => new Replica(server.url, upstream)) };
}

export async function prove([count = '1000', seconds = '120', seed = '1']: readonly string[]): Promise<boolean> {
  if (!haveRedis) return true;
  const seen = new SeenRequests();
  const upstream = await seen.start();
  const [alone, team] = [await teamOf(1, upstream), await teamOf(2, upstream)];
  try {
    const proof = new TeamProof({ alone, team, seen, seed: Number(seed) });
    await proof.prove(Number(count), Number(seconds));
    for (const problem of proof.problems) console.log(`PROBLEM: ${problem}`);
    return proof.problems.length === 0;
  } finally {
    for (const { replicas, server } of [alone, team]) {
      await Promise.all(replicas.map((replica) => replica.kill()));
      await server.remove();
    }
    seen.stop();
  }
}
