import { Worker } from 'node:worker_threads';
import { Tokenizer } from 'ai-tokenizer';
import * as aiEncoding from 'ai-tokenizer/encoding/o200k_base';
import { clearMergeCache, countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import { get_encoding } from 'tiktoken';
import { createExactCounter, type ExactCounter } from '../src/tokens/exact/exact-counter.ts';
import { sharedVocabulary } from '../src/tokens/vocabulary/load-vocabulary.ts';
import { CORPORA, randomFrom } from './corpora.ts';
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
  const js = new Tiktoken(ranks);
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
    { name: 'js-tiktoken', units: 60_000, forget: () => {}, count: (text) => js.encode(text, [], []).length },
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

/** Speed on text that is new and on the same text again, every contender in every round, starting with another each time. */
function compare(corpus: string, text: string, all: readonly [Contender, ...Contender[]]): Row[] {
  checkWork(corpus, text, all);
  const parts = all.map(({ units }) => text.slice(0, units));
  const sizesMb = parts.map((part) => Buffer.byteLength(part) / 1e6);
  const speeds = { new: all.map((): number[] => []), warm: all.map((): number[] => []) };
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < all.length; turn++) {
      const at = (round + turn) % all.length;
      const contender = all[at]!;
      contender.forget();
      speeds.new[at]!.push(megabytesPerSecond(contender, parts[at]!, sizesMb[at]!));
      speeds.warm[at]!.push(megabytesPerSecond(contender, parts[at]!, sizesMb[at]!));
    }
  }
  const rows: Row[] = [];
  for (const [mode, suffix] of [
    ['new', ''],
    ['warm', '-warm'],
  ] as const) {
    const samples = speeds[mode];
    all.forEach(({ name }, at) => {
      rows.push(rowOf(`tokens.${corpus}.${name}${suffix}`, 'MB/s', samples[at]!));
    });
    const fastestPeer = samples.slice(1).reduce((best, peer) => (median(peer) > median(best) ? peer : best));
    const ratios = samples[0]!.map((speed, round) => speed / fastestPeer[round]!);
    rows.push(rowOf(`tokens.${corpus}.ratio${suffix}`, 'ratio', ratios));
  }
  return rows;
}

/** Texts without a place to cut: `unit` as often as makes a megabyte of UTF-8. */
function pathologicalTexts(): Record<string, (megabytes: number) => string> {
  const repeated = (unit: string) => (megabytes: number) =>
    unit.repeat(Math.ceil((megabytes * 1e6) / Buffer.byteLength(unit)));
  const letters = (megabytes: number): string => {
    const random = randomFrom(5);
    return Array.from({ length: megabytes * 1e6 }, () => String.fromCharCode(97 + random(26))).join('');
  };
  return {
    letter: repeated('a'),
    spaces: repeated(' '),
    newlines: repeated('\n'),
    ab: repeated('ab'),
    cjk: repeated('中'),
    emoji: repeated('👍🏽'),
    'random-letters': letters,
  };
}

function pathological(counter: ExactCounter): Row[] {
  const elapsedMs = (text: string): number => {
    counter.clearCache();
    const start = performance.now();
    counter.count(text);
    return performance.now() - start;
  };
  return Object.entries(pathologicalTexts()).flatMap(([name, textOf]) => {
    const one = textOf(1);
    const two = textOf(2);
    const samples = Array.from({ length: 5 }, () => [elapsedMs(one), elapsedMs(two)] as const);
    return [
      rowOf(
        `tokens.pathological.${name}.1MB`,
        'ms',
        samples.map(([first]) => first),
      ),
      rowOf(
        `tokens.pathological.${name}.growth`,
        'ratio',
        samples.map(([first, second]) => second / first),
      ),
    ];
  });
}

/** Milliseconds from `new Worker` to its first message. */
async function startMs(source: string, workerData: unknown): Promise<number> {
  const start = performance.now();
  const worker = new Worker(source, { eval: true, workerData, execArgv: [] });
  await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const elapsed = performance.now() - start;
  await worker.terminate();
  return elapsed;
}

/** A thread that counts its first text with the vocabulary it was handed, in turns with one that does nothing. */
async function threadStart(): Promise<Row[]> {
  const room = new URL('../src/tokens/', import.meta.url).href;
  const counting = `
    const { parentPort, workerData } = require('node:worker_threads');
    Promise.all([import('${room}vocabulary/load-vocabulary.js'), import('${room}index.js')]).then(([load, tokens]) => {
      load.adoptVocabulary(workerData);
      const count = tokens.createTokenizer('o200k').count('The first text that this thread counts.');
      if (count !== 8) throw new Error('The thread counted ' + count + ' tokens, not 8');
      parentPort.postMessage(count);
    });`;
  const idle = `require('node:worker_threads').parentPort.postMessage(0);`;
  const vocabulary = sharedVocabulary('o200k_base');
  const samples: (readonly [number, number])[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    samples.push([await startMs(counting, vocabulary), await startMs(idle, undefined)]);
  }
  return [
    rowOf(
      'tokens.thread-start',
      'ms',
      samples.map(([counter]) => counter),
    ),
    rowOf(
      'tokens.thread-start.idle',
      'ms',
      samples.map(([, nothing]) => nothing),
    ),
  ];
}

/** The speed of our counter alone, in processor time, so that two builds can be measured in turn. */
function alone(corpus: string, text: string, [ours, ...others]: readonly [Contender, ...Contender[]]): Row[] {
  const oracle = others.filter(({ name }) => name === 'tiktoken');
  checkWork(corpus, text.slice(0, oracle[0]!.units), [ours, ...oracle]);
  const sizeMb = Buffer.byteLength(text) / 1e6;
  const speed = (): number => {
    const started = process.cpuUsage();
    ours.count(text);
    const { user, system } = process.cpuUsage(started);
    return (sizeMb / (user + system)) * 1e6;
  };
  const samples: (readonly [number, number])[] = [];
  for (let round = 0; round < ROUNDS_ALONE; round++) {
    ours.forget();
    samples.push([speed(), speed()]);
  }
  return ['', '-warm'].map((mode, at) =>
    rowOf(
      `tokens.${corpus}.alone${mode}`,
      'MB/s',
      samples.map((pair) => pair[at]!),
    ),
  );
}

/**
 * Our counter beside others of npm, on text it has not seen and again; texts that others take minutes for; a thread's
 * start. `isAlone` leaves the others out, but for checking some of the counts.
 */
export async function run({ isAlone }: { readonly isAlone: boolean }): Promise<Row[]> {
  const all = contenders();
  const rows: Row[] = [];
  for (const [name, textOf] of Object.entries(CORPORA)) {
    const text = textOf();
    if (isAlone) rows.push(...alone(name, text, all));
    else rows.push(...compare(name, text, all));
  }
  rows.push(...pathological(createExactCounter(sharedVocabulary('o200k_base'))), ...(await threadStart()));
  return rows;
}
