import { threadId, workerData } from 'node:worker_threads';
import { madeOnce } from '../src/content/group-by.ts';
import { receivedVocabulary } from '../src/content/tools/sent-vocabulary.ts';
import type { Reply, Request } from '../src/offload/protocol.ts';
import { ReplicaStore } from '../src/offload/replica/replica-store.ts';
import { progressReporter } from '../src/threads/progress.ts';
import { countEntry } from '../src/tokens/entries/entry.ts';
import { createTokenizer, type FamilyName, type FamilyTokenizer } from '../src/tokens/index.ts';

const tokenizers = new Map<FamilyName, FamilyTokenizer>();

/** Loaded when the thread has nothing else to do yet: the first count does not need them. */
const strategies = (): Promise<typeof import('../src/strategies/index.ts')> => import('../src/strategies/index.ts');
// What fails is thrown to the request that needs them.
setImmediate(() => void strategies().catch(() => {}));

const store = new ReplicaStore({
  threadId,
  budgetBytes: (workerData as { replicaBudgetBytes: number }).replicaBudgetBytes,
  services: {
    strategy: async (name, vocabulary, logger) => {
      const { getCompressionStrategy } = await strategies();
      return getCompressionStrategy(name, { vocabulary: receivedVocabulary(vocabulary), logger });
    },
    countEntry: (entry, family) =>
      countEntry(
        entry,
        madeOnce(tokenizers, family, () => createTokenizer(family)),
      ),
  },
  openProgress: (port) => progressReporter(port, () => performance.now()),
});

/** One reply for each request; what a task throws is in it. */
export default async function perform(request: Request): Promise<{ value: Reply }> {
  return { value: await store.receive(request) };
}
