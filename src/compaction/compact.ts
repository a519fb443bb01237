import { counted } from '../content/counted.ts';
import { deadlineSignal, raced } from '../deadline.ts';
import { assembleMessages } from './assemble.ts';
import type { CompactOptions, CompactResult, MessageLike } from './contract.ts';
import { assertMessages } from './message.ts';
import { partitionMessages } from './partition.ts';
import { type PersistedMessages, persistMessages } from './persist.ts';
import { filesToRestore } from './restore/restore.ts';
import { type CompactSettings, compactSettings } from './settings.ts';
import { environmentSummarizer, type Summarizer } from './summarizer.ts';
import { answerTokens, promptFor } from './summary/prompt-input.ts';
import { summarize } from './summary/summarize.ts';
import { countedTokens, reachesThreshold } from './threshold.ts';

/** A running compaction. The caller or the deadline aborts `signal`. */
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

/** The list that replaces `messages`; `undefined` if there is no summary. */
async function compactedList<M extends MessageLike>(
  messages: M[],
  { client, originalTokens, path }: { client: Summarizer; originalTokens: number; path: string | null },
  run: Run,
): Promise<CompactResult<M> | undefined> {
  const { options, settings, signal } = run;
  const { logger } = options;
  const { summaryModel: model, summaryMaxWords: maxWords, maxRetries, callDeadlineMs } = settings;
  const { head, rest } = partitionMessages(messages);
  const restoring = filesToRestore(messages, { settings, options: { ...options, signal } });
  restoring.catch(() => {});
  const summary = await summarize({
    client,
    promptOf: (share) => promptFor(rest, { model, maxWords, logger, signal, share }),
    model,
    maxRetries,
    callDeadlineMs,
    maxOutputTokens: answerTokens(maxWords),
    logger,
    signal,
  });
  if (summary === undefined) return undefined;
  const restored = await raced(restoring, signal);
  const list = assembleMessages(head, summary, restored.messages, logger);
  const compactedTokens = await countedTokens(list, model, { ...options, signal });
  if (compactedTokens >= settings.contextTokenLimit * settings.compactThresholdRatio) {
    logger?.warn(
      `The compacted messages still have ${counted(compactedTokens, 'token')} and will be compacted again by the next call. Restore fewer files, or set a larger window.`,
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
  // Before anything is written: a missing key is a mistake of the caller, not a failed call.
  const client = options.llmClient ?? environmentSummarizer(settings.summaryModel);
  let persisted: PersistedMessages | undefined;
  let result: CompactResult<M> | undefined;
  try {
    const { fileWriter, logger } = options;
    persisted = await persistMessages(rest, { ...settings, fileWriter, logger, signal, now: new Date() });
    result = await compactedList(messages, { client, originalTokens, path: persisted?.path ?? null }, run);
  } finally {
    // Without a compaction, no file is left.
    if (result === undefined) await persisted?.discard();
  }
  return result ?? unchanged(messages);
}

/**
 * Messages that fit the window. Below the threshold: the same array, after one count. Otherwise everything after the system
 * prompt is replaced by a summary of a model, followed by the most recently read files with their current content. The
 * original messages are written to a file before the model is called. If the model fails or the deadline passes, the
 * result is the unchanged array. Between calls, only counts of live messages are cached.
 * @throws CompressionStrategyError `SETTING_INVALID`, `SETTING_UNKNOWN`, `HISTORY_INVALID`; `PROVIDER_NOT_CONFIGURED` if the
 * threshold is reached without `llmClient` and without a key in the environment; the reason of `options.signal` if it is
 * aborted.
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
