import { parentPort } from 'node:worker_threads';
import type { ComparisonRequest } from '../src/lab/comparison-protocol.ts';
import { loadBundle } from '../src/offload/bundle.ts';

const bundle = new URL('./compare.cjs', import.meta.url);
const { answerComparison } = loadBundle<typeof import('../src/lab/comparison-answer.ts')>(bundle).exports;

parentPort?.on('message', async (request: ComparisonRequest) => {
  parentPort?.postMessage(await answerComparison(request));
});
