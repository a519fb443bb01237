import type { EngineName } from '../src/history/engine.ts';
import { askChild } from './child.ts';
import type { ColdStartSample } from './cold-start.ts';
import { type Limits, printLimits } from './limits.ts';
import type { MemoryFigures } from './memory.ts';
import { type Row, rowOf } from './row.ts';
import type { SliceSample } from './slice.ts';
import { resumeRows, stallRows } from './stall-rows.ts';

const COLD_STARTS = 7;
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
  'memory.200x100K': ['<=', 2.5],
  'memory.200x100K.resyncs': ['<=', 0],
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
  memoryRows,
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
