import { BroadcastChannel } from 'node:worker_threads';

/** What is said on the channel: a question to all threads, and the answer of each. */
type MemoryMessage = { readonly kind: 'ask' } | { readonly kind: 'answer'; readonly bytes: number };

const CHANNEL = 'bench-memory';
const COLLECTIONS = 3;

/** Heap and external memory of the calling thread, in bytes, when the garbage is collected. */
export async function memoryOfThread(): Promise<number> {
  // Weak tables let go of what a first collection found unreachable in a second one.
  for (let round = 0; round < COLLECTIONS; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Lets this thread report its memory whenever it is asked; this keeps no process alive. */
export function answerMemory(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = async (event) => {
    const message = (event as MessageEvent).data as MemoryMessage;
    if (message.kind === 'ask') channel.postMessage({ kind: 'answer', bytes: await memoryOfThread() });
  };
  channel.unref();
}

/** The memory of other threads that answer, `threads` of them, together. */
export async function memoryOfOthers(threads: number): Promise<number> {
  const channel = new BroadcastChannel(CHANNEL);
  let bytes = 0;
  let answers = 0;
  await new Promise<void>((resolve) => {
    channel.onmessage = (event) => {
      const message = (event as MessageEvent).data as MemoryMessage;
      if (message.kind !== 'answer') return;
      bytes += message.bytes;
      if (++answers === threads) resolve();
    };
    channel.postMessage({ kind: 'ask' });
  });
  channel.close();
  return bytes;
}
