import { textLength } from '../../content/block-text.ts';
import { createExactCounter } from '../../history/counter.ts';
import type { Engine } from '../../history/engine.ts';
import { InlineEngine } from '../../history/inline-engine.ts';
import { presentEngine } from '../../history/present-engine.ts';
import { TimeSlice } from '../../time-slice.ts';
import { familyOfModel } from '../../tokens/models.ts';
import type { Logger, MessageLike } from '../contract.ts';
import { type Countable, countableOf, leavesOf, sameLeaves } from './countable.ts';

/** A count and the counted content: a caller may change a message in place. */
interface CachedCount {
  readonly leaves: readonly unknown[];
  readonly family: string;
  readonly tokens: number;
}

const cache = new WeakMap<MessageLike, CachedCount>();
let inline: InlineEngine | undefined;

/** Less text than this is counted here faster than a thread replies. */
const MIN_OFFLOADED_UNITS = 64 * 1024;

/**
 * The engine for this much text: on the process's own threads if a history started them, otherwise on this thread, in slices. The first count here
 * loads its vocabulary.
 */
function engineFor(units: number): Engine {
  inline ??= new InlineEngine(createExactCounter());
  return (units < MIN_OFFLOADED_UNITS ? undefined : presentEngine()) ?? inline;
}

export interface CountOptions {
  readonly logger?: Logger | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The tokens of each message, counted by the tokenizer of the model's family. Unchanged messages are not counted again. Long
 * lists are counted on the process's own threads if they run, otherwise in slices that block the event loop for a few milliseconds. Blocks of
 * unknown types are not counted; there is one warning per type.
 */
export async function messageTokens(
  messages: readonly MessageLike[],
  model: string,
  { logger, signal }: CountOptions = {},
): Promise<number[]> {
  const family = familyOfModel(model);
  const slice = new TimeSlice();
  const tokens = new Array<number>(messages.length).fill(0);
  const fresh: { readonly index: number; readonly leaves: readonly unknown[]; readonly countable: Countable }[] = [];
  for (const [index, message] of messages.entries()) {
    const leaves = leavesOf(message.content);
    const cached = cache.get(message);
    if (cached?.family === family && sameLeaves(cached.leaves, leaves)) tokens[index] = cached.tokens;
    else fresh.push({ index, leaves, countable: countableOf(message) });
    if (slice.isOver()) await slice.next();
  }
  for (const type of new Set(fresh.flatMap(({ countable }) => countable.unknownTypes)))
    logger?.warn(`Blocks of the unknown type ${JSON.stringify(type)} are not counted.`);
  const entries = fresh.map(({ countable }) => countable.entry);
  const units = entries.reduce((sum, entry) => sum + textLength(entry), 0);
  let next = 0;
  for await (const batch of engineFor(units).countEntries(entries, { model, fresh: false, signal: signal ?? NEVER })) {
    for (const count of batch) {
      if ('error' in count) throw count.error;
      const { index, leaves } = fresh[next++]!;
      tokens[index] = count.tokens;
      cache.set(messages[index]!, { leaves, family, tokens: count.tokens });
    }
  }
  signal?.throwIfAborted();
  return tokens;
}

const NEVER = new AbortController().signal;

/** Tokens of all messages together. */
export async function totalTokens(
  messages: readonly MessageLike[],
  model: string,
  options: CountOptions = {},
): Promise<number> {
  return (await messageTokens(messages, model, options)).reduce((sum, tokens) => sum + tokens, 0);
}

/** The tokens of a text, counted like a message. */
export async function textTokens(text: string, model: string, options: CountOptions = {}): Promise<number> {
  return totalTokens([{ role: 'user', content: text }], model, options);
}
