import type { CompactOptions, RestoredFiles } from './contract.ts';
import { assertMessages, type MessageLike } from './message.ts';
import { messageTokens } from './message-counter.ts';
import { partitionMessages } from './partition.ts';
import { promptFor } from './prompt-input.ts';
import { restoreRecentFiles } from './restore.ts';
import { compactSettings } from './settings.ts';
import { workspaceReader } from './workspace-reader.ts';

/** What a compaction would do. */
export interface CompactPlan {
  readonly tokens: number;
  readonly headMessages: number;
  readonly restMessages: number;
  /** What the model would be asked. */
  readonly prompt: string;
  readonly promptTokens: number;
  readonly restored: RestoredFiles;
}

/** What `compactMessages` would summarise and restore now, without asking a model or writing anything. */
export async function planCompaction(
  messages: readonly MessageLike[],
  options: CompactOptions = {},
): Promise<CompactPlan> {
  const settings = compactSettings(options);
  assertMessages(messages);
  const { fileReader = workspaceReader, logger, readTools, signal } = options;
  const { summaryModel: model, summaryMaxWords: maxWords } = settings;
  const { head, rest } = partitionMessages(messages);
  const total = async (list: readonly MessageLike[]): Promise<number> =>
    (await messageTokens(list, model, { logger, signal })).reduce((sum, tokens) => sum + tokens, 0);
  const prompt = await promptFor(rest, { model, maxWords, logger, signal, share: 1 });
  const restored = await restoreRecentFiles(messages, {
    ...settings,
    fileReader,
    model,
    ...(logger && { logger }),
    ...(readTools && { readTools }),
    ...(signal && { signal }),
  });
  return {
    tokens: await total(messages),
    headMessages: head.length,
    restMessages: rest.length,
    prompt,
    promptTokens: await total([{ role: 'user', content: prompt }]),
    restored,
  };
}
