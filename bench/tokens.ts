import { Tokenizer } from 'ai-tokenizer';
import * as aiEncoding from 'ai-tokenizer/encoding/o200k_base';
import { clearMergeCache, countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { get_encoding } from 'tiktoken';
import { createExactCounter } from '../src/tokens/exact/exact-counter.ts';
import { sharedVocabulary } from '../src/tokens/vocabulary/load-vocabulary.ts';
import { CORPORA } from './corpora.ts';
import { median, type Row, rowOf } from './row.ts';

const ROUNDS = 15;
/** Beside no others. */
const ROUNDS_ALONE = 5;

interface Contender {
  readonly name: string;
  /** Units it is given: what takes minutes for a megabyte gets less. */
  readonly units: number;
  /** Empties its caches, so that the next text is new to it. */
  forget(): void;
  count(text: string): number;
}

function contenders(): readonly [Contender, ...Contender[]] {
  const counter = createExactCounter(sharedVocabulary('o200k_base'));
  const none = new Set<string>();
  let ai = new Tokenizer(aiEncoding);
  const wasm = get_encoding('o200k_base');
  return [
    { name: 'ours', units: Infinity, forget: () => counter.clearCache(), count: (text) => counter.count(text) },
    {
      name: 'gpt-tokenizer',
      units: Infinity,
      forget: clearMergeCache,
      count: (text) => countTokens(text, { disallowedSpecial: none }),
    },
    {
      name: 'ai-tokenizer',
      units: Infinity,
      forget: () => {
        ai = new Tokenizer(aiEncoding);
      },
      count: (text) => ai.count(text),
    },
    { name: 'tiktoken', units: 200_000, forget: () => {}, count: (text) => wasm.encode_ordinary(text).length },
  ];
}

/** Ours must equal tiktoken; the others may differ where they differ from it (byte order marks, newer characters). */
function checkWork(corpus: string, text: string, all: readonly Contender[]): void {
  const oracle = all.find(({ name }) => name === 'tiktoken') as Contender;
  const expected = oracle.count(text);
  for (const contender of all) {
    const part = text.slice(0, contender.units);
    const want = part.length === text.length ? expected : oracle.count(part);
    const got = contender.count(part);
    if (contender.name === 'ours' ? got !== want : Math.abs(got - want) > want / 1000) {
      throw new Error(`${contender.name} counts ${got} tokens of ${corpus} where tiktoken counts ${want}`);
    }
  }
}

function megabytesPerSecond(contender: Contender, text: string, sizeMb: number): number {
  const start = performance.now();
  contender.count(text);
  return (sizeMb / (performance.now() - start)) * 1000;
}

/** Speed on text that is new, every contender in every round, starting with another each time. */
function compare(corpus: string, text: string, all: readonly [Contender, ...Contender[]]): Row[] {
  checkWork(corpus, text, all);
  const parts = all.map(({ units }) => text.slice(0, units));
  const sizesMb = parts.map((part) => Buffer.byteLength(part) / 1e6);
  const speeds = all.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < all.length; turn++) {
      const at = (round + turn) % all.length;
      const contender = all[at]!;
      contender.forget();
      speeds[at]!.push(megabytesPerSecond(contender, parts[at]!, sizesMb[at]!));
    }
  }
  const fastestPeer = speeds.slice(1).reduce((best, peer) => (median(peer) > median(best) ? peer : best));
  const ratios = speeds[0]!.map((speed, round) => speed / fastestPeer[round]!);
  return [
    ...all.map(({ name }, at) => rowOf(`tokens.${corpus}.${name}`, 'MB/s', speeds[at]!)),
    rowOf(`tokens.${corpus}.ratio`, 'ratio', ratios),
  ];
}

/** The speed of our counter alone, in processor time, so that two builds can be measured in turn. */
function alone(corpus: string, text: string, [ours, ...others]: readonly [Contender, ...Contender[]]): Row {
  const oracle = others.filter(({ name }) => name === 'tiktoken');
  checkWork(corpus, text.slice(0, oracle[0]!.units), [ours, ...oracle]);
  const sizeMb = Buffer.byteLength(text) / 1e6;
  const speeds = Array.from({ length: ROUNDS_ALONE }, () => {
    ours.forget();
    const started = process.cpuUsage();
    ours.count(text);
    const { user, system } = process.cpuUsage(started);
    return (sizeMb / (user + system)) * 1e6;
  });
  return rowOf(`tokens.${corpus}.alone`, 'MB/s', speeds);
}

/**
 * Our counter beside others of npm, on text that it has not seen. `isAlone` leaves the others out, but for checking some of
 * the counts.
 */
export async function run({ isAlone }: { readonly isAlone: boolean }): Promise<Row[]> {
  const all = contenders();
  return Object.entries(CORPORA).flatMap(([name, textOf]) =>
    isAlone ? alone(name, textOf(), all) : compare(name, textOf(), all),
  );
}
