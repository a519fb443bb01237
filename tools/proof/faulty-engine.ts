/** The engine's thread, but one request in so many meets a fault: it crashes, hangs, runs out of memory, or lies. */
import { threadId } from 'node:worker_threads';
import { seededRandom } from '../../bench/random.ts';
import type { Outcome, Reply, Request } from '../../src/offload/protocol.ts';
import perform from '../../workers/engine.ts';

const FAULTS = ['exit', 'throw', 'throw later', 'hang', 'never answer', 'out of memory', 'garbage', 'lie'] as const;
type Fault = (typeof FAULTS)[number];

const ONE_IN = 12;
const random = seededRandom(Number(process.env['PROOF_SEED']) * 1_000 + threadId);
let earlier: Reply | undefined;

/** An answer of the right form that cannot be true. */
function lie(outcome: Outcome): Outcome {
  const far = 1_000_000_000;
  if (outcome.kind === 'counts')
    return { ...outcome, counts: outcome.counts.map(() => random.pick([-7, 0.5, Number.NaN])) };
  if (outcome.kind === 'optimized') {
    return random.pick<Outcome>([
      { ...outcome, removals: [0, 0], hasMore: false },
      { ...outcome, removals: [far] },
      { ...outcome, parts: [{ from: far, tokens: 3, blocks: [] }] },
      { ...outcome, parts: [{ from: 0, tokens: -3, blocks: [{ block: far, becomes: 'nothing' }] }] },
      { ...outcome, parts: [null as never] },
      { ...outcome, metadata: undefined as never },
    ]);
  }
  if (outcome.kind === 'compressed') return { ...outcome, parts: [{ keepFrom: 0, keepTo: far }] };
  return { kind: 'counts', counts: [1, 2, 3] };
}

async function misbehave(fault: Fault, request: Request): Promise<{ value: unknown }> {
  switch (fault) {
    case 'exit':
      process.exit(3);
      break;
    case 'throw':
      throw new Error('a thread that throws');
    case 'throw later':
      setImmediate(() => {
        throw new Error('a thread that throws later');
      });
      return new Promise(() => {});
    case 'hang':
      for (;;);
    case 'never answer':
      return new Promise(() => {});
    case 'out of memory': {
      const kept: unknown[] = [];
      for (;;) kept.push(new Array(100_000).fill(kept.length));
    }
    case 'garbage':
      return { value: random.pick([undefined, 7, 'text', {}, earlier, { version: 1 }]) };
    case 'lie': {
      const { value } = await perform(request);
      return { value: { ...value, outcome: lie(value.outcome) } };
    }
  }
}

export default async function performOrNot(request: Request): Promise<{ value: unknown }> {
  const isToMisbehave = request.task.kind !== 'release' && random.integer(ONE_IN) === 0;
  if (isToMisbehave) return misbehave(random.pick(FAULTS), request);
  const answer = await perform(request);
  earlier = answer.value;
  return answer;
}
