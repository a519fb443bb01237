import { addTo } from '../src/content/group-by.ts';
import { askChild, Child } from './child.ts';
import type { ResumeSample, ResumeSetting } from './resume.ts';
import { median, percentile, type Row, rowOf } from './row.ts';
import type { Contender, StallSamples, StallSetting } from './stall.ts';

/** What is played in one child: `passes` of `runs` gate runs each. A figure is the median of its passes. */
interface Plan extends StallSetting {
  readonly size: string;
  readonly passes: number;
  readonly runs: number;
}

/** Figures with a limit are measured in three passes of 100 runs; the others are for comparison. */
const PLANS: readonly Plan[] = [
  { contender: 'offloaded', size: '1M', tokens: 1_000_000, passes: 3, runs: 100 },
  { contender: 'offloaded', size: '10M', tokens: 10_000_000, passes: 3, runs: 100 },
  { contender: 'inline', size: '1M', tokens: 1_000_000, passes: 1, runs: 50 },
  { contender: 'naive', size: '1M', tokens: 1_000_000, passes: 1, runs: 25 },
  { contender: 'inline', size: '10M', tokens: 10_000_000, passes: 1, runs: 50 },
  { contender: 'inline', size: '100K', tokens: 100_000, passes: 1, runs: 50 },
  { contender: 'offloaded', size: '100K', tokens: 100_000, passes: 1, runs: 50 },
];
/** Gate runs of one child before it is another one's turn. */
const BLOCK_RUNS = 25;
const MIN_RATIO_MS = 1;
const RESUMES = 3;
const RESUME_SETTINGS: Readonly<Record<string, ResumeSetting>> = {
  '1M': { engine: 'offloaded', tokens: 1_000_000 },
  '10M': { engine: 'offloaded', tokens: 10_000_000 },
  'inline.1M': { engine: 'inline', tokens: 1_000_000 },
  'inline.10M': { engine: 'inline', tokens: 10_000_000 },
};

interface Played {
  readonly plan: Plan;
  readonly passes: StallSamples[];
}

/** All contenders are prepared in one process each, and run in turns, block by block. */
async function playAll(): Promise<Played[]> {
  const prepared: (Played & { child: Child })[] = [];
  try {
    for (const plan of PLANS) {
      const child = new Child('stall');
      prepared.push({ plan, child, passes: [] });
      await child.ask('prepare', plan);
    }
    const mostRuns = Math.max(...PLANS.map(({ passes, runs }) => passes * runs));
    for (let from = 0; from < mostRuns; from += BLOCK_RUNS) {
      console.log(`  gate runs ${from} of ${mostRuns}`);
      for (const { plan, child, passes } of prepared) {
        if (from >= plan.passes * plan.runs) continue;
        const block = await child.ask<StallSamples>('runs', BLOCK_RUNS);
        if (from % plan.runs === 0) passes.push({ idleMs: [], stallMs: [], gateMs: [] });
        const pass = passes.at(-1)!;
        pass.idleMs.push(...block.idleMs);
        pass.stallMs.push(...block.stallMs);
        pass.gateMs.push(...block.gateMs);
      }
    }
  } finally {
    await Promise.all(prepared.map(({ child }) => child.end()));
  }
  return prepared;
}

/** p99 of a pass minus that of its idle windows. */
const netMs = ({ stallMs, idleMs }: StallSamples): number =>
  Math.max(0, percentile(stallMs, 0.99) - percentile(idleMs, 0.99));

function rowsOf({ plan: { contender, size }, passes }: Played): Row[] {
  const name = `${contender}.${size}`;
  const ofPasses = (id: string, pick: (pass: StallSamples) => number): Row =>
    rowOf(`${id}.${name}`, 'ms', passes.map(pick));
  return [
    ofPasses('stall', netMs),
    ofPasses('stall.p99', ({ stallMs }) => percentile(stallMs, 0.99)),
    ofPasses('stall.max', ({ stallMs }) => Math.max(...stallMs)),
    ofPasses('stall.idle-p99', ({ idleMs }) => percentile(idleMs, 0.99)),
    ofPasses('gate.p50', ({ gateMs }) => percentile(gateMs, 0.5)),
    ofPasses('gate.p99', ({ gateMs }) => percentile(gateMs, 0.99)),
    rowOf(
      `stall.each.${name}`,
      'ms',
      passes.flatMap(({ stallMs }) => stallMs),
    ),
  ];
}

/** Resumed sessions, each in its own process. */
export async function resumeRows(): Promise<Row[]> {
  const samples = new Map<string, ResumeSample[]>();
  for (let round = 0; round < RESUMES; round++) {
    for (const [id, setting] of Object.entries(RESUME_SETTINGS)) {
      const sample = await askChild<ResumeSample>('resume', 'resume', setting);
      addTo(samples, id, sample);
    }
  }
  return [...samples].flatMap(([id, rounds]) => [
    rowOf(
      `resume.stall.${id}`,
      'ms',
      rounds.map(({ stallMs, idleMs }) => Math.max(0, stallMs - idleMs)),
    ),
    rowOf(
      `resume.idle.${id}`,
      'ms',
      rounds.map(({ idleMs }) => idleMs),
    ),
    rowOf(
      `resume.whole.${id}`,
      'ms',
      rounds.map(({ wholeMs }) => wholeMs),
    ),
  ]);
}

/** Stalls of the main thread and gate latencies: the naive reading, the inline engine and the offloaded one, each with its own idle windows. */
export async function stallRows(): Promise<Row[]> {
  const played = await playAll();
  const rows = played.flatMap(rowsOf);
  const idle = rowOf(
    'stall.idle',
    'ms',
    played.flatMap(({ passes }) => passes.map(({ idleMs }) => percentile(idleMs, 0.99))),
  );
  const netOf = (contender: Contender): number =>
    median(played.find(({ plan }) => plan.contender === contender && plan.size === '1M')!.passes.map(netMs));
  const ratio = rowOf('stall.ratio.1M', 'ratio', [netOf('naive') / Math.max(MIN_RATIO_MS, netOf('offloaded'))]);
  return [idle, ratio, ...rows];
}
