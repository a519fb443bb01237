import { compactMessages } from '../src/compaction/compact.ts';
import type { Message } from '../src/compaction/contract.ts';
import { messageTokens } from '../src/compaction/counting/message-counter.ts';
import { longestBusyMs } from './busy-stretch.ts';
import { serve } from './child.ts';

/** What the first work of a process takes: nothing is compiled, no vocabulary is loaded. */
export interface FirstWork {
  readonly elapsedMs: number;
  readonly stallMs: number;
}

/** The list as JSON, the model that counts, a folder for what is kept. */
export interface FirstInput {
  readonly json: string;
  readonly model: string;
  readonly folder: string;
}

async function measured(work: () => Promise<unknown>): Promise<FirstWork> {
  const startedMs = performance.now();
  const stallMs = await longestBusyMs(work);
  return { elapsedMs: performance.now() - startedMs, stallMs };
}

const listOf = (json: string): Message[] => JSON.parse(json) as Message[];

function count({ json, model }: FirstInput): Promise<FirstWork> {
  const messages = listOf(json);
  return measured(() => messageTokens(messages, model));
}

function compact({ json, folder }: FirstInput): Promise<FirstWork> {
  const messages = listOf(json);
  const options = {
    compactThresholdRatio: 0.5,
    outputDir: folder,
    llmClient: { countTokens: () => Number.NaN, summarize: async () => 'The summary.' },
  };
  return measured(() => compactMessages(messages, options));
}

serve<FirstInput>(import.meta.filename, { count, compact });
