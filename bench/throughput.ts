import { readFileSync, writeFileSync } from 'node:fs';
import { ThreadPool } from '../src/offload/thread-pool.ts';
import { packageFile } from '../src/package-file.ts';
import { countEntry } from '../src/tokens/entries/entry.ts';
import { createTokenizer } from '../src/tokens/index.ts';
import { serve } from './child.ts';
import { checkTotal, gatedHistory, type OwnSession, ownSession } from './gated-history.ts';

const TOKENS = 1_000_000;
const HISTORIES = 2;
const WARM_ROUNDS = 3;

export interface ThroughputSetting {
  /** Where `write` put the sessions. */
  readonly file: string;
  /** 0: on the calling thread. `naive`: there too, in one loop without a history. */
  readonly threads: number | 'naive';
}

export interface ThroughputSamples {
  readonly tokens: number;
  /** UTF-8 of all that is counted. */
  readonly megabytes: number;
  /** All histories at once, never seen before, by threads that just started: snapshots are part of it. */
  readonly coldMs: number;
  /** All of them again, by threads that have them. */
  readonly warmMs: number[];
}

/** Two sessions of a million tokens each, which two threads can share. The process that makes them counts them, so it is warm then. */
async function write({ file }: ThroughputSetting): Promise<void> {
  writeFileSync(file, JSON.stringify(Array.from({ length: HISTORIES }, (_, index) => ownSession(TOKENS, index + 1))));
}

async function count({ file, threads }: ThroughputSetting): Promise<ThroughputSamples> {
  const sessions = JSON.parse(readFileSync(file, 'utf8')) as OwnSession[];
  let bytes = 0;
  const collect = (text: string): number => {
    bytes += Buffer.byteLength(text);
    return 0;
  };
  for (const { entries } of sessions)
    for (const entry of entries) countEntry(entry, { family: 'o200k', count: collect });
  globalThis.gc?.();
  if (threads === 'naive') return { ...countNaively(sessions), megabytes: bytes / 1e6 };
  const startedAt = performance.now();
  const pool = threads > 0 ? new ThreadPool({ workerFile: packageFile('dist/workers/engine.js'), threads }) : undefined;
  const histories = sessions.map((session) => {
    const { history } = gatedHistory(pool ? 'offloaded' : 'inline', { ...session, ...(pool && { pool }) });
    history.addAll(session.entries);
    return history;
  });
  await Promise.all(histories.map((history) => history.waitForTokenUpdates()));
  const coldMs = performance.now() - startedAt;
  for (const history of histories) checkTotal(history);
  const warmMs: number[] = [];
  for (let round = 0; round < WARM_ROUNDS; round++) {
    const againAt = performance.now();
    await Promise.all(histories.map((history) => history.recalculateTotalTokens()));
    warmMs.push(performance.now() - againAt);
  }
  for (const history of histories) checkTotal(history);
  const tokens = histories.reduce((sum, history) => sum + history.getTotalTokens(), 0);
  await pool?.close();
  return { tokens, megabytes: bytes / 1e6, coldMs, warmMs };
}

/** What a user would write who needs a number: every entry, one after the other. */
function countNaively(sessions: readonly OwnSession[]): Omit<ThroughputSamples, 'megabytes'> {
  const tookMs: number[] = [];
  let tokens = 0;
  for (let round = 0; round <= WARM_ROUNDS; round++) {
    const startedAt = performance.now();
    const tokenizer = createTokenizer('o200k');
    tokens = 0;
    for (const { entries } of sessions) for (const entry of entries) tokens += countEntry(entry, tokenizer);
    tookMs.push(performance.now() - startedAt);
  }
  const [coldMs, ...warmMs] = tookMs;
  return { tokens, coldMs: coldMs!, warmMs };
}

serve<never>(import.meta.filename, { write, count });
