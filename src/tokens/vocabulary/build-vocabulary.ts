/**
 * Run by `npm run build`: packs the encodings of the `tiktoken` package into `packed/`, beside this file and beside
 * its source, so that the package and the tests both find them. Does nothing when they are up to date.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { packVocabulary } from './pack-vocabulary.ts';
import { type Encoding, PACK_FORMAT } from './vocabulary.ts';

const ENCODINGS: readonly Encoding[] = ['o200k_base', 'cl100k_base'];
const require = createRequire(import.meta.url);
const manifest = path.join(path.dirname(require.resolve('tiktoken')), 'package.json');
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
const source = `Token tables of tiktoken ${version} (MIT), pack format ${PACK_FORMAT}.\n`;
const folders = [
  path.join(import.meta.dirname, 'packed'),
  path.join(import.meta.dirname, '../../../../src/tokens/vocabulary/packed'),
];

/** Other builds may run at the same time: a file appears whole or not at all. */
function writeWhole(file: string, data: string | Uint8Array): void {
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, data);
  renameSync(partial, file);
}

for (const folder of folders) {
  const stamp = path.join(folder, 'SOURCE');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === source) continue;
  mkdirSync(folder, { recursive: true });
  for (const encoding of ENCODINGS) {
    const { bpe_ranks } = require(`tiktoken/encoders/${encoding}.json`) as { bpe_ranks: string };
    writeWhole(path.join(folder, `${encoding}.bin`), new Uint8Array(packVocabulary(encoding, bpe_ranks)));
  }
  writeWhole(stamp, source);
}
