import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { counted, grouped } from '../../content/counted.ts';
import { madeOnce } from '../../content/group-by.ts';
import { CompressionStrategyError, messageOf } from '../../errors.ts';
import { packageFile } from '../../package-file.ts';
import { type Encoding, readPacked, type Vocabulary } from './vocabulary.ts';

const loaded = new Map<Encoding, Vocabulary>();
const loading = new Map<Encoding, Promise<void>>();

const fileOf = (encoding: Encoding): URL => packageFile(`dist/vocabulary/${encoding}.bin`);

function unreadable(encoding: Encoding, cause: unknown): CompressionStrategyError {
  return new CompressionStrategyError(
    `Expected the packed vocabulary at ${fileURLToPath(fileOf(encoding))}, got: ${messageOf(cause)}. Run \`npm run build\`, or install the package again.`,
    'VOCABULARY_UNREADABLE',
    { cause },
  );
}

/**
 * The vocabulary of an encoding, read once per thread (about 3 ms). A thread that gets it as `workerData` and calls
 * `adoptVocabulary` does not read it.
 * @throws CompressionStrategyError `VOCABULARY_UNREADABLE` if the packed file is missing or truncated.
 */
export function sharedVocabulary(encoding: Encoding): Vocabulary {
  const known = loaded.get(encoding);
  if (known) return known;
  try {
    adoptVocabulary(readPacked(encoding, readShared(fileOf(encoding))));
    return loaded.get(encoding)!;
  } catch (cause) {
    throw unreadable(encoding, cause);
  }
}

/** Throws if the file was truncated while it was read. */
function expectWhole({ byteLength }: SharedArrayBuffer, bytesRead: number): void {
  if (bytesRead !== byteLength)
    throw new RangeError(`${grouped(bytesRead)} of ${counted(byteLength, 'byte')} could be read`);
}

function readShared(file: URL): SharedArrayBuffer {
  const descriptor = openSync(file, 'r');
  try {
    const packed = new SharedArrayBuffer(fstatSync(descriptor).size);
    expectWhole(packed, readSync(descriptor, new Uint8Array(packed)));
    return packed;
  } finally {
    closeSync(descriptor);
  }
}

/** True if `sharedVocabulary` need not read a file. */
export const hasVocabulary = (encoding: Encoding): boolean => loaded.has(encoding);

/**
 * Loads the vocabulary for `sharedVocabulary` without blocking the thread. Concurrent calls share one load.
 * @throws CompressionStrategyError `VOCABULARY_UNREADABLE` if the packed file is missing or truncated.
 */
export const loadVocabulary = (encoding: Encoding): Promise<void> =>
  madeOnce(loading, encoding, () => loadInBackground(encoding).finally(() => loading.delete(encoding)));

async function loadInBackground(encoding: Encoding): Promise<void> {
  try {
    const file = await open(fileOf(encoding));
    try {
      const packed = new SharedArrayBuffer((await file.stat()).size);
      const { bytesRead } = await file.read(new Uint8Array(packed));
      expectWhole(packed, bytesRead);
      if (!hasVocabulary(encoding)) adoptVocabulary(readPacked(encoding, packed));
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw unreadable(encoding, cause);
  }
}

/** Makes `sharedVocabulary` of this thread return a vocabulary that another thread loaded. */
export function adoptVocabulary(vocabulary: Vocabulary): void {
  loaded.set(vocabulary.encoding, vocabulary);
}
