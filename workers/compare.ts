import { parentPort } from 'node:worker_threads';
import { toErrorData } from '../src/offload/error-data.ts';
import { compareFile } from '../src/replay/fidelity/compared-file.ts';
import type { ComparisonReply, ComparisonRequest } from '../src/replay/fidelity/comparison-protocol.ts';

const tell = (reply: ComparisonReply): void => parentPort?.postMessage(reply);

parentPort?.on('message', ({ path, policies }: ComparisonRequest) => {
  compareFile(path, policies).then(
    (file) => tell({ kind: 'compared', file }),
    (error: unknown) => tell({ kind: 'failed', error: toErrorData(error) }),
  );
});
