import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineName } from '../src/offload/create-history-service.ts';
import { StallProbe } from '../src/replay/stall-probe.ts';
import { serve } from './child.ts';
import { checkTotal, type GatedHistory, gatedHistory, type OwnSession, ownSession } from './gated-history.ts';
import { NaiveHistory } from './naive-history.ts';
import { OrdinaryTurns } from './ordinary-turns.ts';

/** A gate run starts every 100 ms, and its window lasts until the next one. */
const WINDOW_MS = 100;
const RESUMES = 5;

export type Contender = EngineName | 'naive';

export interface StallSetting {
  readonly contender: Contender;
  readonly tokens: number;
}

/** One sample of each kind per gate run; idle windows alternate with those of the runs. */
export interface StallSamples {
  readonly idleMs: number[];
  readonly stallMs: number[];
  /** From the first `add` of a turn until the gate lets the send pass. */
  readonly gateMs: number[];
}

/** What it takes to go on with a session: from the first `add` of all its entries until the first gate run is over. */
export interface ResumeSamples {
  readonly idleMs: number[];
  readonly stallMs: number[];
  readonly wholeMs: number[];
}

interface Standing {
  readonly turns: OrdinaryTurns;
  /** Adds a turn and runs the gate. */
  readonly play: (entries: ReturnType<OrdinaryTurns['next']>) => Promise<void>;
  readonly check: () => void;
}

let standing: Standing | undefined;

/** The largest drift of a 5 ms timer while `work` runs, for the length of a window at least. */
async function stallOf(work: () => Promise<void>): Promise<number> {
  const probe = new StallProbe(() => performance.now());
  const endsAt = performance.now() + WINDOW_MS;
  probe.resume();
  await work();
  const restMs = endsAt - performance.now();
  if (restMs > 0) await sleep(restMs);
  probe.pause();
  return probe.stallMs.max();
}

const idle = async (): Promise<void> => {};

function resumed(engine: EngineName, session: OwnSession): GatedHistory {
  const gated = gatedHistory(engine, session);
  gated.history.addAll(session.entries);
  return gated;
}

/** Several resumes of the same session, each by a new history; the last one stays for the gate runs. */
async function prepare({ contender, tokens }: StallSetting): Promise<ResumeSamples> {
  const session = ownSession(tokens);
  const turns = new OrdinaryTurns();
  const samples: ResumeSamples = { idleMs: [], stallMs: [], wholeMs: [] };
  if (contender === 'naive') {
    const naive = new NaiveHistory(session.entries);
    const play = async (entries: ReturnType<OrdinaryTurns['next']>): Promise<void> => {
      for (const entry of entries) naive.add(entry);
      naive.recount();
    };
    standing = { turns, play, check: () => {} };
    return samples;
  }
  let last: GatedHistory | undefined;
  for (let round = 0; round < RESUMES; round++) {
    last?.history.dispose();
    await sleep(WINDOW_MS);
    globalThis.gc?.();
    samples.idleMs.push(await stallOf(idle));
    samples.stallMs.push(
      await stallOf(async () => {
        const startedAt = performance.now();
        last = resumed(contender, session);
        await last.gate.ensureCompressionBeforeSend('resume');
        samples.wholeMs.push(performance.now() - startedAt);
      }),
    );
  }
  const { history, gate } = last!;
  checkTotal(history);
  standing = {
    turns,
    play: async (entries) => {
      for (const entry of entries) history.add(entry);
      await gate.ensureCompressionBeforeSend('turn');
    },
    check: () => checkTotal(history),
  };
  globalThis.gc?.();
  return samples;
}

async function runs(count: number): Promise<StallSamples> {
  const samples: StallSamples = { idleMs: [], stallMs: [], gateMs: [] };
  const { turns, play, check } = standing!;
  for (let run = 0; run < count; run++) {
    samples.idleMs.push(await stallOf(idle));
    const entries = turns.next();
    samples.stallMs.push(
      await stallOf(async () => {
        const startedAt = performance.now();
        await play(entries);
        samples.gateMs.push(performance.now() - startedAt);
      }),
    );
  }
  check();
  return samples;
}

serve<never>(import.meta.filename, { prepare, runs });
