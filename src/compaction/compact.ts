import { assembleMessages } from './assemble.ts';
import { environmentSummarizer, type Summarizer } from './client.ts';
import type { CompactOptions, CompactResult } from './contract.ts';
import { deadlineSignal, raced } from './deadline.ts';
import { assertMessages, type MessageLike } from './message.ts';
import { partitionMessages } from './partition.ts';
import { type Kept, persistMessages } from './persist.ts';
import { filesToRestore } from './restore/restore.ts';
import { type CompactSettings, compactSettings } from './settings.ts';
import { answerTokens, promptFor } from './summary/prompt-input.ts';
import { summarize } from './summary/summarize.ts';
import { countedTokens, reachesThreshold } from './threshold.ts';

/** One compaction under way. `signal` is aborted by the caller or the deadline. */
interface Run {
  readonly options: CompactOptions;
  readonly settings: CompactSettings;
  readonly signal: AbortSignal;
}

const unchanged = <M extends MessageLike>(messages: M[]): CompactResult<M> => ({
  messages,
  compacted: false,
  stats: null,
  originalMessagesPath: null,
});

function summaryOf(rest: readonly MessageLike[], client: Summarizer, run: Run): Promise<string | undefined> {
  const { options, settings, signal } = run;
  const { summaryModel: model, summaryMaxWords: maxWords, maxRetries, callDeadlineMs } = settings;
  const { logger } = options;
  return summarize({
    client,
    promptOf: (share) => promptFor(rest, { model, maxWords, logger, signal, share }),
    model,
    maxRetries,
    callDeadlineMs,
    maxOutputTokens: answerTokens(maxWords),
    logger,
    signal,
  });
}

/** The list that takes the place of `messages`; undefined when there is no summary. */
async function compactedList<M extends MessageLike>(
  messages: M[],
  { client, originalTokens, path }: { client: Summarizer; originalTokens: number; path: string | null },
  run: Run,
): Promise<CompactResult<M> | undefined> {
  const { options, settings, signal } = run;
  const { logger } = options;
  const { head, rest } = partitionMessages(messages);
  const restoring = filesToRestore(messages, { settings, options: { ...options, signal } });
  restoring.catch(() => {});
  const summary = await summaryOf(rest, client, run);
  if (summary === undefined) return undefined;
  const restored = await raced(restoring, signal);
  const list = assembleMessages(head, summary, restored.messages, logger);
  const compactedTokens = await countedTokens(list, settings.summaryModel, { ...options, signal });
  if (compactedTokens >= settings.contextTokenLimit * settings.compactThresholdRatio) {
    logger?.warn(
      `The compacted messages still have ${compactedTokens} tokens and will be compacted again at once: restore fewer files, or choose a larger window.`,
    );
  }
  return {
    messages: list,
    compacted: true,
    stats: {
      originalTokenCount: originalTokens,
      compactedTokenCount: compactedTokens,
      compactionRatio: originalTokens > 0 ? compactedTokens / originalTokens : 0,
      compactedMessageCount: rest.length,
      retainedMessageCount: head.length,
      restoredFileCount: restored.messages.length,
      restoredTokenCount: restored.totalTokens,
    },
    originalMessagesPath: path,
  };
}

async function compactOnce<M extends MessageLike>(messages: M[], run: Run): Promise<CompactResult<M>> {
  const { options, settings, signal } = run;
  const { rest } = partitionMessages(messages);
  if (rest.length === 0) return unchanged(messages);
  const originalTokens = await countedTokens(messages, settings.summaryModel, { ...options, signal });
  if (!reachesThreshold(originalTokens, settings)) return unchanged(messages);
  // Before anything is written: a missing key is the caller's mistake, not a failed call.
  const client = options.llmClient ?? environmentSummarizer(settings.summaryModel);
  let kept: Kept | undefined;
  let result: CompactResult<M> | undefined;
  try {
    const { fileWriter, logger } = options;
    kept = await persistMessages(rest, { ...settings, fileWriter, logger, signal, now: new Date() });
    result = await compactedList(messages, { client, originalTokens, path: kept?.path ?? null }, run);
  } finally {
    // A compaction that did not happen leaves the disk as it was.
    if (result === undefined) await kept?.discard();
  }
  return result ?? unchanged(messages);
}

/**
 * The messages made to fit: when they reach the threshold, everything behind the system prompt gives way to a summary by
 * a model, followed by the files that were read most recently, as they are on disk now; else the very same array, after
 * one count. The original messages are kept in a file before the model is asked. When the model fails, or the deadline
 * passes, the messages are returned as they were. Nothing is kept between calls but counts of messages that still live.
 * @throws CompressionStrategyError `SETTING_INVALID`, `SETTING_UNKNOWN`, `HISTORY_INVALID`; `PROVIDER_NOT_CONFIGURED` when the threshold is
 * reached without `llmClient` and without a key in the environment; the reason of `options.signal` when it is aborted.
 */
export async function compactMessages<M extends MessageLike>(
  messages: M[],
  options: CompactOptions = {},
): Promise<CompactResult<M>> {
  const settings = compactSettings(options);
  assertMessages(messages);
  options.signal?.throwIfAborted();
  const deadline = deadlineSignal(settings.deadlineMs, {
    signals: [options.signal],
    message: `Compacting took longer than ${settings.deadlineMs / 1000} s.`,
  });
  try {
    return await compactOnce(messages, { options, settings, signal: deadline.signal });
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!deadline.expired.aborted) throw error;
    options.logger?.error(`The messages were not compacted within ${settings.deadlineMs / 1000} s.`, error);
    return unchanged(messages);
  } finally {
    deadline.clear();
  }
}
