import { sharedVocabulary } from '../vocabulary/load-vocabulary.ts';
import type { Encoding } from '../vocabulary/vocabulary.ts';
import { createExactCounter, type ExactCounter } from './exact-counter.ts';

const counters = new Map<Encoding, ExactCounter>();

/**
 * The only counter of an encoding in this thread: all families share its word cache and its memory. The first call takes
 * about 4 ms, less after `adoptVocabulary`.
 * @throws CompressionStrategyError `VOCABULARY_UNREADABLE` if the packed vocabulary is missing or truncated.
 */
export function threadCounter(encoding: Encoding): ExactCounter {
  const known = counters.get(encoding);
  if (known) return known;
  const counter = createExactCounter(sharedVocabulary(encoding));
  counters.set(encoding, counter);
  return counter;
}
