import type { IContent } from '../src/content/content.ts';
import { llxprt } from '../src/content/vocabularies/llxprt.ts';
import { ThreadPool } from '../src/offload/thread-pool.ts';
import { countEntry } from '../src/tokens/entries/entry.ts';
import { createTokenizer } from '../src/tokens/index.ts';
import { serve } from './child.ts';
import { checkTotal, type GatedHistory, gatedHistory, type OwnSession, ownSession } from './gated-history.ts';
import { memoryOfOthers, memoryOfThread } from './thread-memory.ts';

const HISTORIES = 200;
const TOKENS_EACH = 100_000;
/** A history ends with the turn that reaches its size. */
const SPARE = 1.5;
/** It knows none of the tools of these sessions: nothing is pruned, so replicas are as large as their histories. */
const VOCABULARY = llxprt;

export interface MemoryFigures {
  /** The histories as lists on the main thread, and nothing else. */
  readonly aloneBytes: number;
  /** Memory of services, gates and threads, histories included, minus an empty service. */
  readonly mainBytes: number;
  readonly threadBytes: number;
  readonly rssBytes: number;
  /** By the pool's own reckoning. */
  readonly replicaBytes: number;
  readonly replicas: number;
  /** Snapshots beyond the first of each history. */
  readonly resyncs: number;
}

/** `entries` in lists of `tokens` each, cut before human entries; the rest is left out. */
function cut(entries: readonly IContent[], tokens: number): IContent[][] {
  const tokenizer = createTokenizer('o200k');
  const lists: IContent[][] = [];
  let list: IContent[] = [];
  let total = 0;
  for (const entry of entries) {
    if (total >= tokens && entry.speaker === 'human') {
      lists.push(list);
      list = [];
      total = 0;
    }
    list.push(entry);
    total += countEntry(entry, tokenizer);
  }
  return lists;
}

/** The histories as text, so that parsing makes new objects. */
function writtenHistories(): { json: string; session: Omit<OwnSession, 'entries'> } {
  const { entries, workspaceRoot } = ownSession(HISTORIES * TOKENS_EACH * SPARE);
  const lists = cut(entries, TOKENS_EACH);
  if (lists.length < HISTORIES) throw new Error(`Expected ${HISTORIES} histories, got ${lists.length}.`);
  return { json: JSON.stringify(lists.slice(0, HISTORIES)), session: { vocabulary: VOCABULARY, workspaceRoot } };
}

async function manyHistories(): Promise<MemoryFigures> {
  const { json, session } = writtenHistories();
  const pool = new ThreadPool({ workerFile: new URL('./measured-thread.js', import.meta.url), minBytes: 0 });
  const { threads } = pool.stats();
  const empty = gatedHistory('offloaded', { ...session, pool });
  empty.history.add({ speaker: 'human', blocks: [{ type: 'text', text: 'Is the thread there?' }] });
  await empty.gate.ensureCompressionBeforeSend('empty');
  const emptyMain = await memoryOfThread();
  const emptyThreads = await memoryOfOthers(threads);
  const lists = JSON.parse(json) as (IContent[] | undefined)[];
  const alone = (await memoryOfThread()) - emptyMain;
  const gated: GatedHistory[] = [];
  for (const [index, list] of lists.entries()) {
    const one = gatedHistory('offloaded', { ...session, pool });
    gated.push(one);
    await one.history.addInSlices(list!);
    lists[index] = undefined;
    await one.gate.ensureCompressionBeforeSend('first');
  }
  // Every history once more: one that lost its replica meanwhile needs another snapshot.
  for (const { history, gate } of gated) {
    history.add({ speaker: 'human', blocks: [{ type: 'text', text: 'And now?' }] });
    await gate.ensureCompressionBeforeSend('second');
  }
  const { replicas, replicaBytes } = pool.stats();
  const figures = {
    aloneBytes: alone,
    mainBytes: (await memoryOfThread()) - emptyMain,
    threadBytes: (await memoryOfOthers(threads)) - emptyThreads,
    rssBytes: process.memoryUsage().rss,
    replicas,
    replicaBytes,
    resyncs: gated.reduce((sum, { history }) => sum + history.engine.stats().resyncs, 0),
  };
  for (const { history } of gated) checkTotal(history);
  await pool.close();
  return figures;
}

serve<never>(import.meta.filename, { manyHistories });
