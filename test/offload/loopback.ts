import { setImmediate as nextTurn } from 'node:timers/promises';
import { receivedVocabulary } from '../../src/content/tools/sent-vocabulary.ts';
import type { Reply, Request } from '../../src/offload/protocol.ts';
import type { ReplicaServices } from '../../src/offload/replica/replica.ts';
import { ReplicaStore } from '../../src/offload/replica/replica-store.ts';
import type { RequestRunner } from '../../src/offload/replica-link.ts';
import { isReplyTo } from '../../src/offload/reply-check.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { progressReporter } from '../../src/threads/progress.ts';
import { countEntry } from '../../src/tokens/entries/entry.ts';
import { createTokenizer, type FamilyName } from '../../src/tokens/index.ts';

const tokenizers = new Map<FamilyName, ReturnType<typeof createTokenizer>>();

/** What the product's own worker works with. */
export const REAL_SERVICES = {
  strategy: (name, vocabulary, logger) =>
    getCompressionStrategy(name, { vocabulary: receivedVocabulary(vocabulary), logger }),
  countEntry: (entry, family) => {
    const tokenizer = tokenizers.get(family) ?? createTokenizer(family);
    tokenizers.set(family, tokenizer);
    return countEntry(entry, tokenizer);
  },
} satisfies ReplicaServices;

export function replicaStore(services: ReplicaServices = REAL_SERVICES, budgetBytes = 1 << 30): ReplicaStore {
  return new ReplicaStore({
    services,
    threadId: 1,
    budgetBytes,
    openProgress: (port) => progressReporter(port, () => performance.now()),
  });
}

/** The other side of the protocol on this very thread: everything that crosses is cloned as for a real one. */
export class Loopback implements RequestRunner {
  readonly requests: Request[] = [];
  /** Replaced to lose replicas, or to answer otherwise. */
  store: ReplicaStore;
  /** Called before each request is performed; what it throws is what the pool throws. */
  before: (request: Request) => void | Promise<void> = () => {};

  constructor(store: ReplicaStore = replicaStore()) {
    this.store = store;
  }

  settle(): { lane: number } {
    return { lane: 0 };
  }

  leave(): void {}

  start(): void {}

  isAlone(): boolean {
    return true;
  }

  async run(_home: unknown, build: () => Request | Promise<Request>): Promise<Reply> {
    await nextTurn();
    const request = await build();
    const received = structuredClone(request, { transfer: request.progress ? [request.progress] : [] });
    this.requests.push(received);
    await this.before(received);
    const reply: unknown = structuredClone(await this.store.receive(received));
    if (!isReplyTo(request, reply)) throw new Error(`Not a reply to ${request.task.kind}: ${JSON.stringify(reply)}`);
    return reply;
  }
}
