import { readFileSync } from 'node:fs';
import { CompressionStrategyError } from '../errors.ts';
import { type Encoding, indexVocabulary, type Vocabulary } from './vocabulary.ts';

const loaded = new Map<Encoding, Vocabulary>();

/**
 * The vocabulary of an encoding, read and indexed once in a thread (about 30 ms); pass it on as `workerData`
 * and to `adoptVocabulary` there, and the other thread reads nothing.
 * @throws CompressionStrategyError `VOCABULARY_UNREADABLE` when the packed file is missing or cut short.
 */
export function sharedVocabulary(encoding: Encoding): Vocabulary {
  const known = loaded.get(encoding);
  if (known) return known;
  const file = new URL(`./packed/${encoding}.bin`, import.meta.url);
  let vocabulary: Vocabulary;
  try {
    vocabulary = indexVocabulary(encoding, readFileSync(file));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CompressionStrategyError(
      `Expected the packed vocabulary at ${file.pathname}, got: ${reason}. Run \`npm run build\`, or install the package again.`,
      'VOCABULARY_UNREADABLE',
      { cause },
    );
  }
  loaded.set(encoding, vocabulary);
  return vocabulary;
}

/** Makes `sharedVocabulary` of this thread return a vocabulary that another thread has loaded. */
export function adoptVocabulary(vocabulary: Vocabulary): void {
  loaded.set(vocabulary.encoding, vocabulary);
}
