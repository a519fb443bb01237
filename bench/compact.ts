import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Tokenizer } from 'ai-tokenizer';
import * as aiEncoding from 'ai-tokenizer/encoding/o200k_base';
import { clearMergeCache, countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { compactMessages } from '../src/compaction/compact.ts';
import type { LlmClient, Message } from '../src/compaction/contract.ts';
import { countableOf } from '../src/compaction/counting/countable.ts';
import { messageTokens } from '../src/compaction/counting/message-counter.ts';
import { restoreRecentFiles } from '../src/compaction/restore/restore.ts';
import { workspaceReader } from '../src/compaction/restore/workspace-reader.ts';
import { messagesOf } from '../src/compaction/session-messages.ts';
import { jsonText } from '../src/content/json-text.ts';
import { createExactCounter } from '../src/tokens/exact/exact-counter.ts';
import { sharedVocabulary } from '../src/tokens/vocabulary/load-vocabulary.ts';
import { longestBusyMs } from './busy-stretch.ts';
import { askChild } from './child.ts';
import type { FirstInput, FirstWork } from './first-compaction.ts';
import { type Row, rowOf } from './row.ts';
import { chainedHistory } from './sessions.ts';

/** Tokens by o200k_base; the same list has a quarter more by the model that counts here. */
const TOKENS = 200_000;
const MODEL = 'claude-haiku-4-5-20251001';
const ROUNDS = 21;
const PROCESSES = 7;
const FILES = 5;
const READ_TOOLS = { Read: 'file_path' };

const now = (): number => performance.now();

/** A fresh copy, as after reading a session from disk: nothing in it was counted before. */
const fresh = (json: string): Message[] => JSON.parse(json) as Message[];

async function timed<Value>(work: () => Promise<Value>): Promise<{ value: Value; elapsedMs: number }> {
  const startedMs = now();
  const value = await work();
  return { value, elapsedMs: now() - startedMs };
}

/** The time of `messageTokens`, cold and with three new messages, and how long it blocked the thread. */
async function counting(json: string): Promise<Row[]> {
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = -3; round < ROUNDS; round++) {
    const messages = fresh(json);
    const first = await timed(() => messageTokens(messages, MODEL));
    const added = fresh(json).slice(-3);
    const second = await timed(() => messageTokens([...messages, ...added], MODEL));
    const again = await messageTokens(fresh(json), MODEL);
    if (second.value.length !== messages.length + 3 || again.join() !== first.value.join()) {
      throw new Error('Expected the same counts for the same messages.');
    }
    if (round < 0) continue;
    cold.push(first.elapsedMs);
    warm.push(second.elapsedMs);
  }
  return [rowOf('compact.count.cold', 'ms', cold), rowOf('compact.count.three-new', 'ms', warm)];
}

/** The texts that are counted of a list, by the libraries that count fastest on npm, round by round beside ours. */
function peers(json: string): Row[] {
  const texts = fresh(json).flatMap((message) =>
    countableOf(message).entry.blocks.map((block) =>
      block.type === 'tool_call'
        ? block.name + [...jsonText(block.parameters)].join('')
        : 'text' in block
          ? block.text
          : '',
    ),
  );
  const none = new Set<string>();
  const samples = { ours: [] as number[], 'gpt-tokenizer': [] as number[], 'ai-tokenizer': [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const counter = createExactCounter(sharedVocabulary('o200k_base'));
    const ai = new Tokenizer(aiEncoding);
    clearMergeCache();
    const contenders = {
      ours: (text: string) => counter.count(text),
      'gpt-tokenizer': (text: string) => countTokens(text, { disallowedSpecial: none }),
      'ai-tokenizer': (text: string) => ai.count(text),
    };
    for (const [name, count] of Object.entries(contenders)) {
      const startedMs = now();
      for (const text of texts) count(text);
      samples[name as keyof typeof samples].push(now() - startedMs);
    }
  }
  return Object.entries(samples).map(([name, ms]) => rowOf(`compact.texts.${name}`, 'ms', ms));
}

/** The first count and the first compaction of a process. */
async function firstWork(json: string, folder: string): Promise<Row[]> {
  const input: FirstInput = { json, model: MODEL, folder: path.join(folder, 'first') };
  const rows: Row[] = [];
  for (const method of ['count', 'compact']) {
    const samples: FirstWork[] = [];
    for (let pass = 0; pass < PROCESSES; pass++) samples.push(await askChild('first-compaction', method, input));
    const [elapsed, stalls] = [samples.map(({ elapsedMs }) => elapsedMs), samples.map(({ stallMs }) => stallMs)];
    rows.push(rowOf(`compact.first.${method}`, 'ms', elapsed), rowOf(`compact.first.${method}.stall`, 'ms', stalls));
  }
  return rows;
}

/** Five files of about 4,000 tokens each in a new folder, and a conversation that reads them. */
function plantedFiles(folder: string): Message[] {
  return Array.from({ length: FILES }, (_, index): Message => {
    const file = `file-${index}.ts`;
    const lines = Array.from({ length: 350 }, (_line, line) => `export const value${line} = compute(${line * index});`);
    writeFileSync(path.join(folder, file), `${lines.join('\n')}\n`);
    const call = { type: 'tool_use' as const, id: `toolu_${index}`, name: 'Read', input: { file_path: file } };
    return { role: 'assistant', content: [call] };
  });
}

async function restoring(folder: string, reads: readonly Message[]): Promise<Row> {
  const samples: number[] = [];
  const limits = { maxRestoreFiles: FILES, maxRestoreTokensPerFile: 10_000, maxRestoreTokensTotal: 50_000 };
  for (let round = -3; round < ROUNDS; round++) {
    const { value, elapsedMs } = await timed(() =>
      restoreRecentFiles(reads, { ...limits, workDir: folder, fileReader: workspaceReader, readTools: READ_TOOLS }),
    );
    if (value.messages.length !== FILES) throw new Error(`Expected ${FILES} files, got ${value.messages.length}.`);
    if (round >= 0) samples.push(elapsedMs);
  }
  return rowOf('compact.restore.5-files', 'ms', samples);
}

/** Whole compactions with a model that answers at once: everything but its own time, and the longest stall in each. */
async function compacting(json: string, folder: string, reads: readonly Message[]): Promise<Row[]> {
  const llmClient: LlmClient = {
    countTokens: async (messages, model) => (await messageTokens(messages, model)).reduce((sum, each) => sum + each, 0),
    summarize: async () => 'The summary.',
  };
  const all: number[] = [];
  const stalls: number[] = [];
  for (let round = -3; round < ROUNDS; round++) {
    const messages = [...fresh(json), ...reads];
    const compaction = () =>
      compactMessages(messages, {
        contextTokenLimit: TOKENS,
        llmClient,
        workDir: folder,
        outputDir: path.join(folder, 'kept'),
        readTools: READ_TOOLS,
        maxRestoreTokensPerFile: 10_000,
      });
    const { value, elapsedMs } = await timed(compaction);
    const copy = [...fresh(json), ...reads];
    messages.splice(0, messages.length, ...copy);
    const stallMs = await longestBusyMs(compaction);
    if (!value.compacted || value.stats?.restoredFileCount !== FILES) throw new Error('Expected a compaction.');
    if (round < 0) continue;
    all.push(elapsedMs);
    stalls.push(stallMs);
  }
  return [rowOf('compact.all-but-model', 'ms', all), rowOf('compact.stall', 'ms', stalls)];
}

/**
 * Memory in a process of its own: the list, and the most that a compaction adds to it, sampled with the garbage
 * collected, at every turn of the event loop that a timer gets and when the model is asked.
 */
const MEMORY = `
const [, library, file] = process.argv;
const { compactMessages } = await import(library);
const { readFileSync } = await import('node:fs');
const used = () => { gc(); gc(); gc(); const { heapUsed, external } = process.memoryUsage(); return heapUsed + external; };
let before = 0;
let peak = 0;
const sample = () => { peak = Math.max(peak, used() - before); };
const llmClient = { countTokens: () => 1e9, summarize: async (prompt) => { sample(); return 'Summary ' + prompt.length; } };
const fileReader = { exists: async () => true, read: async () => { sample(); return 'content'; } };
const options = { llmClient, fileReader, outputDir: file + '.kept', workDir: '/nowhere', readTools: { Read: 'file_path' } };
// Code is loaded and compiled before anything is measured.
const load = () => JSON.parse(readFileSync(file, 'utf8'));
await compactMessages(load().slice(0, 40), options);
await new Promise((resolve) => setImmediate(resolve));
before = used();
const messages = load();
await new Promise((resolve) => setImmediate(resolve));
const list = used() - before;
peak = 0;
const sampler = setInterval(sample, 1);
await compactMessages(messages, options);
clearInterval(sampler);
sample();
console.log(JSON.stringify({ list, peak, messages: messages.length }));`;

function memory(json: string, folder: string): Row[] {
  const file = path.join(folder, 'messages.json');
  writeFileSync(file, json);
  const library = new URL('../src/entries/compact.js', import.meta.url).href;
  const samples = Array.from({ length: 5 }, () => {
    const child = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', MEMORY, library, file], {
      encoding: 'utf8',
    });
    if (child.status !== 0) throw new Error(child.stderr);
    return JSON.parse(child.stdout) as { list: number; peak: number };
  });
  return [
    rowOf(
      'compact.memory.list',
      'MB',
      samples.map(({ list }) => list / 1e6),
    ),
    rowOf(
      'compact.memory.peak-to-list',
      'ratio',
      samples.map(({ list, peak }) => peak / list),
    ),
  ];
}

/** Compacting a list of 200,000 tokens, chained from recordings, with everything but the model's own time. */
export async function run(): Promise<readonly Row[]> {
  const { entries, tokens, source } = chainedHistory({ tokens: TOKENS, seed: 1 });
  const json = JSON.stringify(messagesOf(entries));
  console.log(`${tokens} tokens, ${(json.length / 1e6).toFixed(1)} MB chained from ${source}, seed 1`);
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'density-bench-')));
  try {
    const reads = plantedFiles(folder);
    const rows = [
      ...(await counting(json)),
      ...peers(json),
      ...(await firstWork(json, folder)),
      await restoring(folder, reads),
      ...(await compacting(json, folder, reads)),
      ...memory(json, folder),
    ];
    const over = rows.filter(({ id, median: middle }) => middle > (BOUNDS[id] ?? Number.POSITIVE_INFINITY));
    for (const { id, median: middle } of over) console.log(`over its bound of ${BOUNDS[id]}: ${id} ${middle}`);
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the figures should be at most. Source: PRD 4.1, tightened by the project. */
const BOUNDS: Readonly<Record<string, number>> = {
  'compact.count.cold': 100,
  'compact.count.three-new': 5,
  'compact.restore.5-files': 50,
  'compact.all-but-model': 250,
  'compact.memory.peak-to-list': 2,
  'compact.stall': 10,
  'compact.first.count': 100,
  'compact.first.count.stall': 10,
  'compact.first.compact.stall': 10,
};
