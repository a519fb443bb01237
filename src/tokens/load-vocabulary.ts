import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { CompressionStrategyError } from '../errors.ts';
import { type Encoding, indexInSteps, indexVocabulary, type Vocabulary } from './vocabulary.ts';

const loaded = new Map<Encoding, Vocabulary>();
const loading = new Map<Encoding, Promise<void>>();

const fileOf = (encoding: Encoding): URL => new URL(`./packed/${encoding}.bin`, import.meta.url);

function unreadable(encoding: Encoding, cause: unknown): CompressionStrategyError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CompressionStrategyError(
    `Expected the packed vocabulary at ${fileOf(encoding).pathname}, got: ${reason}. Run \`npm run build\`, or install the package again.`,
    'VOCABULARY_UNREADABLE',
    { cause },
  );
}

/**
 * The vocabulary of an encoding, read and indexed once in a thread (about 30 ms); pass it on as `workerData`
 * and to `adoptVocabulary` there, and the other thread reads nothing.
 * @throws CompressionStrategyError `VOCABULARY_UNREADABLE` when the packed file is missing or cut short.
 */
export function sharedVocabulary(encoding: Encoding): Vocabulary {
  const known = loaded.get(encoding);
  if (known) return known;
  try {
    const vocabulary = indexVocabulary(encoding, readFileSync(fileOf(encoding)));
    loaded.set(encoding, vocabulary);
    return vocabulary;
  } catch (cause) {
    throw unreadable(encoding, cause);
  }
}

/** Whether `sharedVocabulary` answers at once. */
export const hasVocabulary = (encoding: Encoding): boolean => loaded.has(encoding);

/**
 * Loads what `sharedVocabulary` gives without holding the thread: `pause` is awaited between steps of about a
 * millisecond. Callers at the same time share one load.
 * @throws CompressionStrategyError `VOCABULARY_UNREADABLE`
 */
export function loadVocabulary(encoding: Encoding, pause: () => Promise<void>): Promise<void> {
  const known = loading.get(encoding);
  if (known) return known;
  const load = loadInSteps(encoding, pause).finally(() => loading.delete(encoding));
  loading.set(encoding, load);
  return load;
}

async function loadInSteps(encoding: Encoding, pause: () => Promise<void>): Promise<void> {
  try {
    const steps = indexInSteps(encoding, await readFile(fileOf(encoding)));
    for (let step = steps.next(); !hasVocabulary(encoding); step = steps.next()) {
      if (step.done) adoptVocabulary(step.value);
      else await pause();
    }
  } catch (cause) {
    throw unreadable(encoding, cause);
  }
}

/** Makes `sharedVocabulary` of this thread return a vocabulary that another thread has loaded. */
export function adoptVocabulary(vocabulary: Vocabulary): void {
  loaded.set(vocabulary.encoding, vocabulary);
}
