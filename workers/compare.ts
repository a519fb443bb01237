import { parentPort } from 'node:worker_threads';
import { loadBundle } from '../src/offload/bundle.ts';
import type { ComparisonRequest } from '../src/replay/fidelity/comparison-protocol.ts';

const bundle = new URL('./compare.cjs', import.meta.url);
const { answerComparison } = loadBundle<typeof import('../src/replay/fidelity/comparison-answer.ts')>(bundle).exports;

parentPort?.on('message', async (request: ComparisonRequest) => {
  parentPort?.postMessage(await answerComparison(request));
});
