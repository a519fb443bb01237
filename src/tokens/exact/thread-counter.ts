import { sharedVocabulary } from '../vocabulary/load-vocabulary.ts';
import type { Encoding } from '../vocabulary/vocabulary.ts';
import { createExactCounter, type ExactCounter } from './exact-counter.ts';

const counters = new Map<Encoding, ExactCounter>();

/**
 * The one counter of an encoding in this thread: tokenizers of several families share its word cache and its memory.
 * The first call takes about 4 ms, less where `adoptVocabulary` was given the vocabulary.
 * @throws CompressionStrategyError `VOCABULARY_UNREADABLE` when the packed vocabulary is missing or cut short.
 */
export function threadCounter(encoding: Encoding): ExactCounter {
  const known = counters.get(encoding);
  if (known) return known;
  const counter = createExactCounter(sharedVocabulary(encoding));
  counters.set(encoding, counter);
  return counter;
}
