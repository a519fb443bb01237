import path from 'node:path';
import { createPruner } from '../src/live/pruner.ts';
import { Agent, recordedCalls } from '../tools/proof/live/recorded-calls.ts';
import { recordedSession, recordedSessions } from '../tools/proof/recorded-sessions.ts';
import { serve } from './child.ts';
import { percentile, type Row, rowOf } from './row.ts';

/** Bodies of 150,000 to 250,000 tokens. */
const MIN_BYTES = 600_000;
const MAX_BYTES = 1_000_000;
/** Before them the code is cold. */
const WARM_TURNS = 3;

/** Turns of recorded sessions as requests of the Messages API, at the times that were recorded. None without recordings. */
async function turns(): Promise<Row[]> {
  const turnsMs: number[] = [];
  for (const file of recordedSessions()) turnsMs.push(...(await longTurnsMs(file)));
  if (turnsMs.length === 0) return [];
  const name = 'live.recorded.200k';
  return [rowOf(`${name}.turn-cpu`, 'ms', turnsMs), rowOf(`${name}.turn-cpu.p99`, 'ms', [percentile(turnsMs, 0.99)])];
}

async function longTurnsMs(file: string): Promise<number[]> {
  const { vocabulary, workspaceRoot = '/', ...session } = recordedSession(file);
  const agent = new Agent('anthropic-messages');
  let nowMs = 0;
  const facts = { vocabulary, workspaceRoot, agent: path.basename(path.dirname(file)) };
  const pruner = createPruner({ api: 'anthropic-messages', ...facts, now: () => nowMs });
  const found: number[] = [];
  for (const [at, { entries, atMs }] of recordedCalls(session).entries()) {
    nowMs = atMs;
    const body = Buffer.from(
      JSON.stringify(agent.body(agent.list(entries), { model: 'claude-sonnet-4-5', ttl: '5m' })),
    );
    const before = process.cpuUsage();
    await pruner.prune({ body, conversation: 'named by its agent' });
    const { user, system } = process.cpuUsage(before);
    if (at >= WARM_TURNS && body.length >= MIN_BYTES && body.length < MAX_BYTES) found.push((user + system) / 1000);
  }
  return found;
}

serve(import.meta.filename, { turns });
