import { askChild, Child } from './child.ts';
import type { LongSessionPlan, PlayedSession } from './long-session.ts';
import { type Row, rowOf } from './row.ts';

/** Each in a process of its own. */
const PASSES = 3;
/** The longest time that a compression may block the thread. */
const MAX_STALL_MS = 10;

function rowsOf({ strategy, engine }: LongSessionPlan, passes: readonly PlayedSession[]): Row[] {
  const problems = passes.flatMap((pass) => pass.problems);
  if (problems.length > 0) throw new Error(`Expected ${strategy} to keep its promises: ${problems.join('; ')}`);
  const id = `summaries.${strategy}.${engine}`;
  return [
    rowOf(
      `${id}.compressions`,
      'count',
      passes.map(({ compressions }) => compressions),
    ),
    rowOf(
      `${id}.gate`,
      'ms',
      passes.flatMap(({ gateMs }) => gateMs),
    ),
    rowOf(
      `${id}.stall`,
      'ms',
      passes.flatMap(({ stallMs }) => stallMs),
    ),
  ];
}

/**
 * A million tokens chained from recordings through each strategy that asks a model: one that listens on this computer,
 * speaks Anthropic's protocol and answers at once.
 */
export async function run(): Promise<readonly Row[]> {
  const server = new Child('model-server');
  const rows: Row[] = [];
  const clientStallMs: number[] = [];
  try {
    const baseUrl = await server.ask<string>('start');
    for (const strategy of ['middle-out', 'one-shot']) {
      for (const engine of ['inline', 'offloaded'] as const) {
        const plan: LongSessionPlan = { strategy, engine, baseUrl };
        const passes: PlayedSession[] = [];
        for (let pass = 0; pass < PASSES; pass++) passes.push(await askChild('long-session', 'play', plan));
        if (rows.length === 0) console.log(passes[0]!.source);
        clientStallMs.push(...passes.map((pass) => pass.clientStallMs));
        rows.push(...rowsOf(plan, passes));
      }
    }
  } finally {
    await server.end();
  }
  const all = [rowOf('summaries.client.stall', 'ms', clientStallMs), ...rows];
  for (const { id, max } of all) {
    if (id.endsWith('.stall') && max > MAX_STALL_MS) console.log(`over its bound of ${MAX_STALL_MS}: ${id} ${max}`);
  }
  return all;
}
