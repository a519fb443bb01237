import type { Random } from '../../../bench/random.ts';
import type { InventedSession } from './invented-requests.ts';

/** What a provider may say that is no number of tokens, or not of this request. */
const LIES: readonly unknown[] = [0, -1, 0.5, 2 ** 53, 1e300, '7', '', null, true, [], {}];

/** The events of an answer, its usage among them. `lies`: every number of it is wrong. */
export function answerEvents(api: InventedSession['api'], random: Random, lies: boolean): Buffer {
  const tokens = (): unknown => (lies ? random.pick(LIES) : random.integer(20_000));
  const texts = Array.from({ length: 8 }, (_, at) => ({ n: at, x: random.hex(40) }));
  const events = texts.toSpliced(random.integer(9), 0, usageEvent(api, tokens) as never);
  // JSON has no such number, but writes it.
  const raw = events.map((event) => JSON.stringify(event).replace(/1e\+300/g, '1e999'));
  return Buffer.from(raw.map((event) => `data: ${event}\n\n`).join(''));
}

function usageEvent(api: InventedSession['api'], tokens: () => unknown): object {
  switch (api) {
    case 'anthropic-messages':
      return {
        type: 'message_start',
        message: {
          usage: {
            input_tokens: tokens(),
            output_tokens: tokens(),
            cache_read_input_tokens: tokens(),
            cache_creation_input_tokens: tokens(),
            cache_creation: { ephemeral_1h_input_tokens: tokens() },
          },
          context_management: { applied_edits: tokens() },
        },
      };
    case 'openai-responses':
      return {
        response: {
          usage: {
            input_tokens: tokens(),
            output_tokens: tokens(),
            input_tokens_details: { cached_tokens: tokens() },
          },
        },
      };
    case 'openai-chat':
      return {
        usage: {
          prompt_tokens: tokens(),
          completion_tokens: tokens(),
          prompt_tokens_details: { cached_tokens: tokens() },
        },
      };
    default:
      return {
        usageMetadata: {
          promptTokenCount: tokens(),
          candidatesTokenCount: tokens(),
          cachedContentTokenCount: tokens(),
        },
      };
  }
}
