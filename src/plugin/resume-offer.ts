import { isRecord } from '../content/foreign-value.ts';
import { HOUR_MS } from '../durations.ts';
import { recordsOf } from '../formats/lines/record-lines.ts';
import { compact, compactTokens, percent } from '../report/figures.ts';
import type { HookEvent } from './hook-event.ts';
import { linesFromEnd } from './lines-from-end.ts';

/** A smaller conversation, or a smaller saving, is not worth a sentence. */
const MIN_TOKENS = 20_000;
const MIN_SHARE = 0.1;
/** The longest that providers keep a prompt by default. */
const COLD_MS = HOUR_MS;

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The last prompt of a session of Codex, by its own count, and its time. */
function lastPrompt(transcript: string): { readonly tokens: number; readonly atMs: number } | undefined {
  let lines = 0;
  for (const bytes of linesFromEnd(transcript)) {
    if (++lines > 200) return undefined;
    if (!bytes.includes('"token_count"')) continue;
    for (const { payload, timestamp } of recordsOf(bytes).toReversed()) {
      const info = isRecord(payload) ? payload['info'] : undefined;
      const last = isRecord(info) ? info['last_token_usage'] : undefined;
      const tokens = isRecord(last) ? numberOf(last['input_tokens']) : undefined;
      if (tokens !== undefined) return { tokens, atMs: Date.parse(String(timestamp)) };
    }
  }
  return undefined;
}

/** The context of a session that is resumed after its prompt cache expired; undefined if the cache did not expire, or if that is not known. */
function coldContext(
  { fields, transcript }: HookEvent,
  now: number,
): { readonly tokens: number; readonly dollars?: number } | undefined {
  const { context_tokens: told, prompt_cache_likely_expired: isExpired, estimated_cache_write_usd: dollars } = fields;
  if (typeof told === 'number') {
    if (isExpired !== true) return undefined;
    return typeof dollars === 'number' ? { tokens: told, dollars } : { tokens: told };
  }
  // The time of the file says nothing: Codex writes to it before the hooks run.
  const last = transcript === '' ? undefined : lastPrompt(transcript);
  return last !== undefined && now - last.atMs >= COLD_MS ? last : undefined;
}

export interface ResumeOfferOptions {
  readonly now: number;
  /** What the rules would remove from a session; undefined if that takes too long. */
  readonly countRemovable: (transcript: string) => Promise<number | undefined>;
}

/**
 * What a hook prints when a large session is resumed after its prompt cache expired, the moment when pruning is free. The user reads
 * it, the model does not. @throws the system's error.
 */
export async function resumeOffer(
  event: HookEvent,
  { now, countRemovable }: ResumeOfferOptions,
): Promise<object | undefined> {
  const context = event.fields['source'] === 'resume' ? coldContext(event, now) : undefined;
  if (context === undefined || context.tokens < MIN_TOKENS) return undefined;
  const removable = await countRemovable(event.transcript);
  if (removable === undefined || removable < context.tokens * MIN_SHARE) return undefined;
  const cost = context.dollars === undefined ? '' : `, about $${context.dollars.toFixed(2)}`;
  const systemMessage = `density: the prompt cache of this session has expired, so its next call writes ${compactTokens(context.tokens)} again${cost}. Leave, and \`density optimize ${event.session} --start\` goes on in a copy without ${compact(removable)} of them (${percent(removable, context.tokens)}).`;
  return { systemMessage };
}
