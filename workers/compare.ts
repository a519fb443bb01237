import { parentPort } from 'node:worker_threads';
import { answerComparison } from '../src/lab/comparison-answer.ts';
import type { ComparisonRequest } from '../src/lab/comparison-protocol.ts';

parentPort?.on('message', async (request: ComparisonRequest) => {
  parentPort?.postMessage(await answerComparison(request));
});
