import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as loader from '../../../src/tokens/vocabulary/load-vocabulary.ts';
import { adoptVocabulary, sharedVocabulary } from '../../../src/tokens/vocabulary/load-vocabulary.ts';
import type { Vocabulary } from '../../../src/tokens/vocabulary/vocabulary.ts';
import { builtFile } from '../../built-file.ts';

const VOCABULARY = path.resolve(import.meta.dirname, '../../../dist/vocabulary');
const built = await builtFile('src/tokens/vocabulary/load-vocabulary.ts');

function hashOf(vocabulary: Vocabulary): string {
  const hash = createHash('sha256');
  for (const value of Object.values(vocabulary)) {
    hash.update(ArrayBuffer.isView(value) ? new Uint8Array(value.buffer) : String(value));
  }
  return hash.digest('hex');
}

describe('sharedVocabulary', () => {
  test('loads once into memory that threads share', () => {
    const vocabulary = sharedVocabulary('cl100k_base');
    expect(sharedVocabulary('cl100k_base')).toBe(vocabulary);
    expect(structuredClone(vocabulary).bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
    for (const array of Object.values(vocabulary)) {
      if (ArrayBuffer.isView(array)) expect(array.buffer).toBeInstanceOf(SharedArrayBuffer);
    }
  });

  test('returns the vocabulary that another thread sent', () => {
    const handed = structuredClone(sharedVocabulary('cl100k_base'));
    adoptVocabulary(handed);
    expect(sharedVocabulary('cl100k_base')).toBe(handed);
  });
});

describe('without a readable vocabulary', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vocabulary-'));
  type Loader = Pick<typeof loader, 'sharedVocabulary' | 'loadVocabulary' | 'hasVocabulary'>;
  const load = async (): Promise<Loader> => import(pathToFileURL(path.join(folder, 'dist/load-vocabulary.js')).href);

  beforeAll(() => {
    mkdirSync(path.join(folder, 'dist/vocabulary'), { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    cpSync(built, path.join(folder, 'dist/load-vocabulary.js'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('names the missing file and what to do', async () => {
    const { sharedVocabulary: loadHere } = await load();
    expect(() => loadHere('o200k_base')).toThrow(
      expect.objectContaining({
        code: 'VOCABULARY_UNREADABLE',
        message: expect.stringMatching(/vocabulary\/o200k_base\.bin, got: ENOENT.*npm run build/),
      }),
    );
  });

  test('reports a truncated file, and loads it after it was repaired', async () => {
    const { sharedVocabulary: loadHere } = await load();
    const file = path.join(folder, 'dist/vocabulary/cl100k_base.bin');
    writeFileSync(file, Buffer.alloc(5));
    expect(() => loadHere('cl100k_base')).toThrow(expect.objectContaining({ code: 'VOCABULARY_UNREADABLE' }));
    cpSync(path.join(VOCABULARY, 'cl100k_base.bin'), file);
    expect(loadHere('cl100k_base').encoding).toBe('cl100k_base');
  });

  test('loads in the background, once for concurrent calls, and again after a failure', async () => {
    const { loadVocabulary, hasVocabulary, sharedVocabulary: loadHere } = await load();
    await expect(loadVocabulary('o200k_base')).rejects.toMatchObject({ code: 'VOCABULARY_UNREADABLE' });
    expect(hasVocabulary('o200k_base')).toBe(false);
    cpSync(path.join(VOCABULARY, 'o200k_base.bin'), path.join(folder, 'dist/vocabulary/o200k_base.bin'));
    const loading = loadVocabulary('o200k_base');
    expect(loadVocabulary('o200k_base')).toBe(loading);
    expect(hasVocabulary('o200k_base')).toBe(false);
    await loading;
    expect(hasVocabulary('o200k_base')).toBe(true);
    expect(hashOf(loadHere('o200k_base'))).toBe(hashOf(sharedVocabulary('o200k_base')));
  });
});
