import { isRecord } from '../content/foreign-value.ts';
import { raced } from '../deadline.ts';
import { CompressionStrategyError } from '../errors.ts';
import type { CompactOptions, LlmClient, MessageLike } from './contract.ts';
import { totalTokens } from './counting/message-counter.ts';
import { seenMessages } from './counting/seen-messages.ts';
import { assertMessages } from './message.ts';
import { type CompactSettings, compactSettings } from './settings.ts';

/** Corrects rounding: 1000 × 0.07 is 70.00000000000001. */
const ROUNDING_TOKENS = 1e-6;

interface CountingOptions extends Pick<CompactOptions, 'llmClient' | 'logger'> {
  readonly signal: AbortSignal;
}

/** The tokens that the model sees of messages, counted by the client; counted here without a client, or if it fails or returns no number. */
export async function countedTokens(
  messages: readonly MessageLike[],
  model: string,
  { llmClient, logger, signal }: CountingOptions,
): Promise<number> {
  const countHere = (): Promise<number> =>
    raced(totalTokens(seenMessages(messages), model, { signal, logger }), signal);
  if (llmClient === undefined) return countHere();
  try {
    const tokens = await raced(llmClient.countTokens(messages, model), signal);
    if (Number.isFinite(tokens) && tokens >= 0) return tokens;
    throw new TypeError(`Expected a number of tokens, got ${tokens}.`);
  } catch (error) {
    signal.throwIfAborted();
    logger?.warn('The client could not count the tokens; they are counted on this computer instead.', error);
    return countHere();
  }
}

/** True if the tokens are at or above the threshold. Source: docs/requirements.md, F-002. */
export function reachesThreshold(
  tokens: number,
  { contextTokenLimit, compactThresholdRatio }: Pick<CompactSettings, 'contextTokenLimit' | 'compactThresholdRatio'>,
): boolean {
  return tokens >= contextTokenLimit * compactThresholdRatio - ROUNDING_TOKENS;
}

/** @throws CompressionStrategyError `SETTING_INVALID` if the value is no client, such as the options. */
function assertClient(client: unknown): void {
  if (client === undefined || (isRecord(client) && typeof client['countTokens'] === 'function')) return;
  const got = isRecord(client) ? `an object with ${JSON.stringify(Object.keys(client))}` : String(client);
  throw new CompressionStrategyError(
    `Expected a client with \`countTokens\` as the second argument of \`shouldCompact\`, got ${got}. Options are the third argument.`,
    'SETTING_INVALID',
  );
}

/**
 * True if `compactMessages` would compact these messages now. Calls no model and changes nothing.
 * @throws CompressionStrategyError `SETTING_INVALID`, `SETTING_UNKNOWN`, `HISTORY_INVALID`; the reason of `options.signal`.
 */
export async function shouldCompact(
  messages: readonly MessageLike[],
  llmClient?: LlmClient,
  options: Omit<CompactOptions, 'llmClient'> = {},
): Promise<boolean> {
  assertClient(llmClient);
  const settings = compactSettings(options);
  assertMessages(messages);
  if (messages.length === 0) return false;
  const signal = options.signal ?? new AbortController().signal;
  const tokens = await countedTokens(messages, settings.summaryModel, {
    signal,
    ...(options.logger && { logger: options.logger }),
    ...(llmClient && { llmClient }),
  });
  return reachesThreshold(tokens, settings);
}
