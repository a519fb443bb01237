import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EngineName } from '../src/history/engine.ts';
import { askChild } from './child.ts';
import type { ColdStartSample } from './cold-start.ts';
import type { SnapshotSamples } from './full-snapshot.ts';
import { type Limits, printLimits } from './limits.ts';
import type { MemoryFigures } from './memory.ts';
import { percentile, type Row, rowOf } from './row.ts';
import type { FairnessSamples, PoolSamples } from './shared-pool.ts';
import type { SliceSample } from './slice.ts';
import type { Contender } from './stall.ts';
import { resumeRows, stallRows } from './stall-rows.ts';
import type { ThroughputSamples, ThroughputSetting } from './throughput.ts';
import type { TurnCosts } from './turn.ts';

const COLD_STARTS = 7;
const COLD_ROUNDS = 3;
const SLICE_ROUNDS = 3;
const MEGABYTE = 1_000_000;

const LIMITS: Limits = {
  'stall.offloaded.1M': ['<=', 5],
  'stall.offloaded.10M': ['<=', 10],
  'resume.stall.1M': ['<=', 5],
  'resume.stall.10M': ['<=', 10],
  'slice.max.10M': ['<=', 4],
  'stall.ratio.1M': ['>=', 50],
  'gate.p50.offloaded.1M': ['<=', 2],
  'gate.p50.offloaded.10M': ['<=', 4],
  'turn.growth.sent': ['<=', 1.5],
  'turn.growth.counted': ['<=', 1.5],
  'memory.200x100K': ['<=', 2.5],
  'memory.200x100K.resyncs': ['<=', 0],
  'pool.fair': ['<=', 2],
};

async function sliceRows(): Promise<Row[]> {
  const samples: SliceSample[] = [];
  for (let round = 0; round < SLICE_ROUNDS; round++) {
    samples.push(await askChild<SliceSample>('slice', 'longest', { tokens: 10 * MEGABYTE }));
  }
  const row = (id: string, pick: (sample: SliceSample) => number): Row => rowOf(id, 'ms', samples.map(pick));
  return [
    row('slice.max.10M', ({ resumeMs, turnMs }) => Math.max(resumeMs, turnMs)),
    row('slice.resume.10M', ({ resumeMs }) => resumeMs),
    row('slice.turn.10M', ({ turnMs }) => turnMs),
    row('slice.add-all.10M', ({ addAllMs }) => addAllMs),
  ];
}

async function turnRows(): Promise<Row[]> {
  const rows: Row[] = [];
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  for (const contender of ['naive', 'inline', 'offloaded'] as const satisfies readonly Contender[]) {
    const costs = await askChild<TurnCosts>('turn', 'grow', { contender });
    for (const [turn, { turnMs, sentBytes, countedBytes }] of Object.entries(costs)) {
      rows.push(rowOf(`turn.${turn}.${contender}`, 'ms', turnMs));
      if (contender === 'inline') rows.push(rowOf(`turn.${turn}.inline.counted`, 'bytes', countedBytes));
      if (contender !== 'offloaded') continue;
      const both = sentBytes.map((bytes, index) => bytes + countedBytes[index]!);
      rows.push(
        rowOf(`turn.${turn}`, 'bytes', both),
        rowOf(`turn.${turn}.sent`, 'bytes', sentBytes),
        rowOf(`turn.${turn}.counted`, 'bytes', countedBytes),
      );
    }
    if (contender !== 'offloaded') continue;
    const [early, late] = [costs[10]!, costs[3_000]!];
    rows.push(
      rowOf('turn.growth.sent', 'ratio', [mean(late.sentBytes) / mean(early.sentBytes)]),
      rowOf('turn.growth.counted', 'ratio', [mean(late.countedBytes) / mean(early.countedBytes)]),
    );
  }
  return rows;
}

async function memoryRows(): Promise<Row[]> {
  const figures = await askChild<MemoryFigures>('memory', 'manyHistories');
  const { aloneBytes, mainBytes, threadBytes } = figures;
  const row = (name: string, unit: Row['unit'], value: number): Row => rowOf(`memory.200x100K${name}`, unit, [value]);
  return [
    row('', 'ratio', (mainBytes + threadBytes) / aloneBytes),
    row('.main', 'ratio', mainBytes / aloneBytes),
    row('.threads', 'ratio', threadBytes / aloneBytes),
    row('.alone', 'MB', aloneBytes / MEGABYTE),
    row('.rss', 'MB', figures.rssBytes / MEGABYTE),
    row('.replicas', 'count', figures.replicas),
    row('.replica-bytes', 'MB', figures.replicaBytes / MEGABYTE),
    row('.resyncs', 'count', figures.resyncs),
  ];
}

async function throughputRows(): Promise<Row[]> {
  const rows: Row[] = [];
  const settings = [
    { name: 'naive', threads: 'naive' },
    { name: 'inline', threads: 0 },
    { name: 'threads-1', threads: 1 },
    { name: 'threads-2', threads: 2 },
  ] as const satisfies readonly { name: string; threads: ThroughputSetting['threads'] }[];
  const samples = new Map<string, ThroughputSamples[]>(settings.map(({ name }) => [name, []]));
  const folder = mkdtempSync(path.join(tmpdir(), 'high-density-bench-'));
  const file = path.join(folder, 'sessions.json');
  try {
    await askChild('throughput', 'write', { file });
    for (let round = 0; round < COLD_ROUNDS; round++) {
      for (const { name, threads } of settings) {
        samples.get(name)!.push(await askChild<ThroughputSamples>('throughput', 'count', { file, threads }));
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  for (const [name, rounds] of samples) {
    const speeds = (pick: (one: ThroughputSamples) => readonly number[], amount: 'tokens' | 'megabytes'): number[] =>
      rounds.flatMap((one) => pick(one).map((ms) => (1000 * one[amount]) / ms));
    const cold = ({ coldMs }: ThroughputSamples): readonly number[] => [coldMs];
    const warm = ({ warmMs }: ThroughputSamples): readonly number[] => warmMs;
    rows.push(
      rowOf(`throughput.${name}.cold`, 'MB/s', speeds(cold, 'megabytes')),
      rowOf(`throughput.${name}.cold.tokens`, 'tokens/s', speeds(cold, 'tokens')),
      rowOf(`throughput.${name}.warm`, 'MB/s', speeds(warm, 'megabytes')),
      rowOf(`throughput.${name}.warm.tokens`, 'tokens/s', speeds(warm, 'tokens')),
    );
  }
  return rows;
}

async function snapshotRows(): Promise<Row[]> {
  const samples = await askChild<SnapshotSamples>('full-snapshot', 'compare', { tokens: MEGABYTE });
  return [
    rowOf('snapshot.full.1M', 'ms', samples.fullMs),
    rowOf('snapshot.full.1M.sent', 'bytes', samples.fullBytes),
    rowOf('snapshot.delta.1M', 'ms', samples.deltaMs),
    rowOf('snapshot.delta.1M.sent', 'bytes', samples.deltaBytes),
  ];
}

async function poolRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const histories of [1, 10, 100]) {
    const { gateMs, turnsPerS } = await askChild<PoolSamples>('shared-pool', 'crowd', { histories });
    rows.push(
      rowOf(`pool.${histories}.turns`, 'turns/s', [turnsPerS]),
      rowOf(`pool.${histories}.p50`, 'ms', [percentile(gateMs, 0.5)]),
      rowOf(`pool.${histories}.p99`, 'ms', [percentile(gateMs, 0.99)]),
    );
  }
  const { aloneMs, besideMs } = await askChild<FairnessSamples>('shared-pool', 'fairness');
  const p99 = (rounds: number[][]): number[] => rounds.map((gateMs) => percentile(gateMs, 0.99));
  const [alone, beside] = [p99(aloneMs), p99(besideMs)];
  return [
    ...rows,
    rowOf('pool.neighbours.alone', 'ms', alone),
    rowOf('pool.neighbours.beside', 'ms', beside),
    rowOf(
      'pool.fair',
      'ratio',
      beside.map((ms, round) => ms / alone[round]!),
    ),
  ];
}

async function coldStartRows(): Promise<Row[]> {
  const engines: readonly EngineName[] = ['inline', 'offloaded'];
  const samples = new Map<EngineName, ColdStartSample[]>(engines.map((engine) => [engine, []]));
  for (let round = 0; round < COLD_STARTS; round++) {
    for (const engine of engines) {
      samples.get(engine)!.push(await askChild<ColdStartSample>('cold-start', 'first', { engine }));
    }
  }
  return [...samples].flatMap(([engine, rounds]) => {
    const row = (name: string, pick: (sample: ColdStartSample) => number): Row =>
      rowOf(`start.${name}.${engine}`, 'ms', rounds.map(pick));
    return [
      row('create', ({ createMs }) => createMs),
      row('first-add', ({ addMs }) => addMs),
      row('first-count', ({ countedMs }) => countedMs),
      row('stall', ({ stallMs }) => stallMs),
    ];
  });
}

/** The groups of figures, each with processes of its own. */
export const PARTS = {
  stallRows,
  resumeRows,
  sliceRows,
  turnRows,
  memoryRows,
  throughputRows,
  snapshotRows,
  poolRows,
  coldStartRows,
};

/** The goals of offloading: a free main thread, a cost per turn that does not grow, and bounded memory. */
export async function run(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [name, part] of Object.entries(PARTS)) {
    console.log(`${name} …`);
    const startedAt = performance.now();
    rows.push(...(await part()));
    console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  }
  printLimits(rows, LIMITS);
  return rows;
}
