import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PACKAGES = path.join(ROOT, 'node_modules');
const SESSIONS = path.resolve(ROOT, '../shared/data');
const CORPUS_UNITS = 1_000_000;
/** Larger files are bundles and tables: one of them would be most of a corpus. */
const LONGEST_FILE_UNITS = 100_000;

/** A repeatable stream of whole numbers below the bound it is asked for. */
function randomFrom(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

function shuffled<T>(items: readonly T[]): T[] {
  const random = randomFrom(1);
  const result = [...items];
  for (let at = result.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [result[at], result[other]] = [result[other] as T, result[at] as T];
  }
  return result;
}

function filesUnder(folder: string, name: RegExp): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .sort()
    .map((file) => path.join(folder, file));
}

/** Texts one after the other up to the size of a corpus; peers throw on special tokens, so these are broken up. */
function corpusOf(texts: Iterable<string>): string {
  let corpus = '';
  for (const text of texts) {
    if (text.length > LONGEST_FILE_UNITS) continue;
    corpus += `${text.replaceAll('<|', '< |')}\n`;
    if (corpus.length >= CORPUS_UNITS) break;
  }
  return corpus.slice(0, CORPUS_UNITS);
}

function* contentsOf(files: readonly string[]): Generator<string> {
  for (const file of shuffled(files)) yield readFileSync(file, 'utf8');
}

const CODE_PACKAGES = [
  'zod/src',
  'commander',
  'vitest',
  'piscina',
  'p-queue',
  'vite',
  'fast-check',
  '@types/node',
  'yaml',
  'knip',
];

const code = (): string =>
  corpusOf(contentsOf(CODE_PACKAGES.flatMap((name) => filesUnder(path.join(PACKAGES, name), /\.(?:ts|js|mjs)$/))));

/** Lines of recorded sessions and package manifests; manifests and invented tool calls where there are no sessions. */
function json(): string {
  const lines = sessionLines();
  const manifests = [...contentsOf(filesUnder(PACKAGES, /(?:^|\/)package\.json$/))].slice(0, 150);
  return corpusOf(shuffled([...manifests, ...(lines.length > 0 ? lines : inventedCalls())]));
}

function sessionLines(): string[] {
  const files = filesUnder(SESSIONS, /\.jsonl$/);
  return shuffled(files.flatMap((file) => readFileSync(file, 'utf8').split('\n'))).slice(0, 1500);
}

function inventedCalls(): string[] {
  const random = randomFrom(2);
  const sources = code().split('\n');
  return Array.from({ length: 3000 }, (_, turn) => {
    const from = random(sources.length - 20);
    const result = sources.slice(from, from + random(20)).join('\n');
    const id = `toolu_${random(2 ** 31).toString(36)}${random(2 ** 31).toString(36)}`;
    return JSON.stringify({ type: 'tool_result', turn, tool_use_id: id, is_error: false, content: result });
  });
}

/** The texts that counters are compared on, about a million characters each, by the name in row ids. */
export const CORPORA: Readonly<Record<string, () => string>> = { code, json };
