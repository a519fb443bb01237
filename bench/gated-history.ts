import type { IContent } from '../src/content/content.ts';
import type { ToolVocabulary } from '../src/content/vocabularies/vocabulary.ts';
import { PreSendGate } from '../src/gate/pre-send-gate.ts';
import { createExactCounter } from '../src/history/counter.ts';
import type { EngineName } from '../src/history/engine.ts';
import type { HistoryService } from '../src/history/history-service.ts';
import { createHistoryService } from '../src/offload/create-history-service.ts';
import type { ThreadPool } from '../src/offload/thread-pool.ts';
import { createEphemerals } from '../src/settings/resolve.ts';
import { getCompressionStrategy } from '../src/strategies/index.ts';
import { chainedHistory } from './sessions.ts';

const MODEL = 'gpt-4o';
/** Nothing is compressed: only the work before every send is measured. */
const ENDLESS_WINDOW = 1_000_000_000;

/** A session that shares no object with anything else. */
export interface OwnSession {
  readonly entries: readonly IContent[];
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
}

/** A chained session of about that many tokens; its strings are flat and its own, as those of a parsed file are. */
export function ownSession(tokens: number, seed = 1): OwnSession {
  const { entries, vocabulary, workspaceRoot } = chainedHistory({ tokens, seed });
  return { entries: JSON.parse(JSON.stringify(entries)) as IContent[], vocabulary, workspaceRoot };
}

export interface GatedHistory {
  readonly history: HistoryService;
  readonly gate: PreSendGate;
}

/** An empty history and the gate before its sends; it throws at the next turn of the event loop when work falls back from a thread. */
export function gatedHistory(
  engine: EngineName,
  {
    vocabulary,
    workspaceRoot,
    pool,
    expectedBytes = 0,
  }: Omit<OwnSession, 'entries'> & { readonly pool?: ThreadPool; readonly expectedBytes?: number },
): GatedHistory {
  const history = createHistoryService({ engine, model: MODEL, expectedBytes, ...(pool && { pool }) });
  history.on('engineDegraded', ({ reason }) => {
    setImmediate(() => {
      throw reason;
    });
  });
  const ephemerals = createEphemerals([{ 'context-limit': ENDLESS_WINDOW }], { model: MODEL });
  const gate = new PreSendGate(history, {
    runtimeContext: { ephemerals, workspaceRoot },
    runtimeState: { model: MODEL },
    createStrategy: (name) => getCompressionStrategy(name, { vocabulary }),
  });
  return { history, gate };
}

/** @throws when the total is not that of a count from scratch, on this thread. */
export function checkTotal(history: HistoryService): void {
  const counter = createExactCounter();
  const expected = history.getRawHistory().reduce((sum, entry) => sum + counter.countEntry(entry, MODEL), 0);
  const total = history.getTotalTokens();
  if (total !== expected) throw new Error(`Expected a total of ${expected} tokens, got ${total}.`);
}
