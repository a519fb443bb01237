import { threadId, workerData } from 'node:worker_threads';
import { VOCABULARIES } from '../src/content/vocabularies/index.ts';
import { progressReporter } from '../src/offload/progress.ts';
import type { Reply, Request } from '../src/offload/protocol.ts';
import { ReplicaStore } from '../src/offload/replica-store.ts';
import { getCompressionStrategy } from '../src/strategies/index.ts';
import { countEntry } from '../src/tokens/entry.ts';
import { createTokenizer, type FamilyName, type FamilyTokenizer } from '../src/tokens/index.ts';

function remembered<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>();
  return (key) => made.get(key) ?? made.set(key, make(key)).get(key)!;
}

const tokenizer = remembered<FamilyTokenizer>((family) => createTokenizer(family as FamilyName));
const strategiesOf = remembered((vocabulary) =>
  remembered((name) => getCompressionStrategy(name, { vocabulary: VOCABULARIES.get(vocabulary)! })),
);

const store = new ReplicaStore({
  threadId,
  budgetBytes: (workerData as { replicaBudgetBytes: number }).replicaBudgetBytes,
  services: {
    strategy: (name, vocabulary) => strategiesOf(vocabulary)(name),
    countEntry: (entry, family) => countEntry(entry, tokenizer(family)),
  },
  openProgress: (port) => progressReporter(port, () => performance.now()),
});

/** What Piscina calls: one reply for each request. */
export default function perform(request: Request): Promise<Reply> {
  return store.receive(request);
}
