import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Encoding, PACK_FORMAT } from '../../src/tokens/vocabulary/vocabulary.ts';
import { packVocabulary } from './pack-vocabulary.ts';

const ENCODINGS: readonly Encoding[] = ['o200k_base', 'cl100k_base'];
const require = createRequire(import.meta.url);

/** Packs the encodings of the `tiktoken` package into `folder`, with a note on their source. */
export function buildVocabulary(folder: string): void {
  const manifest = path.join(path.dirname(require.resolve('tiktoken')), 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  mkdirSync(folder, { recursive: true });
  for (const encoding of ENCODINGS) {
    const { bpe_ranks } = require(`tiktoken/encoders/${encoding}.json`) as { bpe_ranks: string };
    writeFileSync(path.join(folder, `${encoding}.bin`), new Uint8Array(packVocabulary(encoding, bpe_ranks)));
  }
  writeFileSync(
    path.join(folder, 'SOURCE'),
    `Token tables of tiktoken ${version} (MIT), pack format ${PACK_FORMAT}.\n`,
  );
}
