import type { CompactOptions, MessageLike, RestoredFiles } from './contract.ts';
import { textTokens, totalTokens } from './counting/message-counter.ts';
import { seenMessages } from './counting/seen-messages.ts';
import { assertMessages } from './message.ts';
import { partitionMessages } from './partition.ts';
import { filesToRestore } from './restore/restore.ts';
import { compactSettings } from './settings.ts';
import { promptFor } from './summary/prompt-input.ts';

/** What a compaction would do. */
interface CompactPlan {
  readonly tokens: number;
  readonly headMessages: number;
  readonly restMessages: number;
  /** The prompt for the model. */
  readonly prompt: string;
  readonly promptTokens: number;
  readonly restored: RestoredFiles;
}

/** What `compactMessages` would summarise and restore now, without a model call and without writing files. */
export async function planCompaction(
  messages: readonly MessageLike[],
  options: CompactOptions = {},
): Promise<CompactPlan> {
  const settings = compactSettings(options);
  assertMessages(messages);
  const { logger, signal } = options;
  const { summaryModel: model, summaryMaxWords: maxWords } = settings;
  const { head, rest } = partitionMessages(messages);
  const prompt = await promptFor(rest, { model, maxWords, logger, signal, share: 1 });
  const restored = await filesToRestore(messages, { settings, options });
  return {
    tokens: await totalTokens(seenMessages(messages), model, { logger, signal }),
    headMessages: head.length,
    restMessages: rest.length,
    prompt,
    promptTokens: await textTokens(prompt, model, { logger, signal }),
    restored,
  };
}
