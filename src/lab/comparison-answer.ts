import { toErrorData } from '../offload/error-data.ts';
import { compareFile } from './compared-file.ts';
import type { ComparisonReply, ComparisonRequest } from './comparison-protocol.ts';

/** What a comparing thread answers to `request`; an error is an answer too. */
export async function answerComparison({ path, policies }: ComparisonRequest): Promise<ComparisonReply> {
  try {
    return { kind: 'compared', file: await compareFile(path, policies) };
  } catch (error) {
    return { kind: 'failed', error: toErrorData(error) };
  }
}
