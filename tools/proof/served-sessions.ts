/**
 * Sessions on servers under faults: three `density serve` processes on one Redis, hosts that send every turn until it is
 * answered, now and then twice, to any process. During the turns a process is killed, stopped and continued, or cut off from
 * Redis, or all are killed, or Redis is killed and comes back. In the end each session has each turn once, in order, and every
 * process has the same view of it.
 *
 * `npm run proof -- served-sessions [runs] [seed]`: default 120 runs, 105 of them with a fault. Needs redis-server.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Random, seededRandom } from '../../bench/random.ts';
import type { TurnView } from '../../src/fleet/actors/session-replica.ts';
import { haveRedis, RedisServer } from '../../test/fleet/redis-server.ts';
import { FAULTS } from './served-sessions/faults.ts';
import { ServeProcess } from './served-sessions/serve-process.ts';

const NODES = 3;
const SESSIONS = 4;
const TURNS = 6;
/** A turn that has no answer by then is a hang. */
const HANG_MS = 60_000;

/** What can be wrong with a session in the end. */
const WRONGS = ['lost', 'duplicate', 'disordered', 'wrong'] as const;
type Wrongs = Record<(typeof WRONGS)[number], number>;

/** When a turn was sent first, and when it was answered. */
interface Sent {
  readonly from: number;
  readonly to: number;
}

interface Outcome {
  readonly wrongs: Wrongs;
  /** The longest that a turn waited for its answer. */
  readonly longestMs: number;
  /** From the end of the fault to the answer of the last turn that was sent before. */
  readonly recoveredMs: number;
}

const textOf = (session: number, turn: number): string => `session ${session} turn ${turn}`;

/** Sends a turn until it is answered; sometimes once more. */
async function sent(
  nodes: readonly ServeProcess[],
  random: Random,
  [session, turn]: readonly [number, number],
): Promise<Sent> {
  const from = performance.now();
  const send = (): Promise<TurnView> =>
    random.pick([...nodes]).post(`s${session}`, `t${turn}`, [textOf(session, turn)]);
  for (;;) {
    try {
      await send();
      const to = performance.now();
      // What was answered may be sent again: nothing depends on how that ends.
      if (random.next() < 0.2) await send().catch(() => {});
      return { from, to };
    } catch (error) {
      if (performance.now() > from + HANG_MS) throw error;
      await wait(50);
    }
  }
}

const textsOf = ({ entries }: TurnView): string[] =>
  entries.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])));

/** What is wrong with the sessions, as each process sees them. */
async function wrongsOf(nodes: readonly ServeProcess[]): Promise<Wrongs> {
  const wrongs: Wrongs = { lost: 0, duplicate: 0, disordered: 0, wrong: 0 };
  for (let session = 0; session < SESSIONS; session++) {
    const wanted = Array.from({ length: TURNS }, (_, turn) => textOf(session, turn));
    const views = await Promise.all(nodes.map((node) => node.post(`s${session}`, 'ask', [])));
    const texts = textsOf(views[0]!);
    const once = [...new Set(texts)];
    wrongs.lost += wanted.filter((text) => !once.includes(text)).length;
    wrongs.duplicate += texts.length - once.length;
    if (once.join() !== wanted.filter((text) => once.includes(text)).join()) wrongs.disordered++;
    if (new Set(views.map((view) => JSON.stringify([textsOf(view), view.version, view.tokens]))).size > 1)
      wrongs.wrong++;
  }
  return wrongs;
}

async function run(name: string, random: Random): Promise<Outcome> {
  const server = new RedisServer();
  await server.start();
  const nodes = Array.from({ length: NODES }, () => new ServeProcess(server.url));
  try {
    await Promise.all(nodes.map((node) => node.start()));
    const fault = wait(random.integer(400))
      .then(() => FAULTS[name]!(nodes, server, random))
      .then(() => performance.now());
    const sessions = Array.from({ length: SESSIONS }, async (_, session) => {
      const all: Sent[] = [];
      for (let turn = 0; turn < TURNS; turn++) {
        all.push(await sent(nodes, random, [session, turn]));
        await wait(random.integer(100));
      }
      return all;
    });
    const turns = (await Promise.all(sessions)).flat();
    const over = await fault;
    return {
      wrongs: await wrongsOf(nodes),
      longestMs: Math.max(...turns.map(({ from, to }) => to - from)),
      recoveredMs: Math.max(0, ...turns.filter(({ from }) => from < over).map(({ to }) => to - over)),
    };
  } finally {
    await Promise.all(nodes.map((node) => node.remove()));
    await server.remove();
  }
}

const median = (all: readonly number[]): number =>
  all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

export async function prove([runs = '120', seed = '1']: readonly string[]): Promise<boolean> {
  if (!haveRedis) return true;
  const random = seededRandom(Number(seed));
  const names = Object.keys(FAULTS);
  const outcomes = new Map<string, Outcome[]>(names.map((name) => [name, []]));
  let hung = 0;
  for (let index = 0; index < Number(runs); index++) {
    const name = names[index % names.length]!;
    try {
      outcomes.get(name)!.push(await run(name, random));
    } catch (error) {
      hung++;
      console.log(`${name}: ${String(error)}`);
    }
  }
  const all = [...outcomes.values()].flat();
  const totals = WRONGS.map((wrong) => all.reduce((total, { wrongs }) => total + wrongs[wrong], 0));
  console.log(`| fault | runs | ${WRONGS.join(' | ')} | longest wait of a turn | time to recover: median, longest |`);
  console.log(`|---|---|${'---|'.repeat(WRONGS.length)}---|---|`);
  for (const [name, each] of outcomes) {
    const counts = WRONGS.map((wrong) => each.reduce((total, { wrongs }) => total + wrongs[wrong], 0));
    const recovered = each.map(({ recoveredMs }) => recoveredMs);
    const longest = seconds(Math.max(0, ...each.map(({ longestMs }) => longestMs)));
    const recovery = name === 'none' ? '' : `${seconds(median(recovered))}, ${seconds(Math.max(0, ...recovered))}`;
    console.log(`| ${name} | ${each.length} | ${counts.join(' | ')} | ${longest} | ${recovery} |`);
  }
  const faults = all.length - outcomes.get('none')!.length;
  console.log(
    `${faults} runs with a fault: ${WRONGS.map((wrong, at) => `${totals[at]} ${wrong}`).join(', ')}; ${hung} hung`,
  );
  return hung === 0 && totals.every((total) => total === 0);
}
