import type { EngineName } from '../src/history/engine.ts';
import { serve } from './child.ts';
import { stallOf } from './drift.ts';
import { checkTotal, gatedHistory, ownSession } from './gated-history.ts';
import { NaiveHistory } from './naive-history.ts';
import { OrdinaryTurns } from './ordinary-turns.ts';

/** A gate run starts every 50 ms, or as soon as the one before is over, and its window lasts until the next one. */
const WINDOW_MS = 50;

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

interface Prepared {
  readonly turns: OrdinaryTurns;
  /** Adds a turn and runs the gate. */
  readonly play: (entries: ReturnType<OrdinaryTurns['next']>) => Promise<void>;
  readonly check: () => void;
}

let prepared: Prepared | undefined;

const idle = async (): Promise<void> => {};

/** Prepares everything for gate runs, and collects the garbage of that. */
async function prepare({ contender, tokens }: StallSetting): Promise<void> {
  const session = ownSession(tokens);
  const turns = new OrdinaryTurns();
  if (contender === 'naive') {
    const naive = new NaiveHistory(session.entries);
    const play = async (entries: ReturnType<OrdinaryTurns['next']>): Promise<void> => {
      for (const entry of entries) naive.add(entry);
      naive.recount();
    };
    prepared = { turns, play, check: () => {} };
    return;
  }
  const { history, gate } = gatedHistory(contender, session);
  await history.addInSlices(session.entries);
  await gate.ensureCompressionBeforeSend('resume');
  prepared = {
    turns,
    play: async (entries) => {
      for (const entry of entries) history.add(entry);
      await gate.ensureCompressionBeforeSend('turn');
    },
    check: () => checkTotal(history),
  };
  globalThis.gc?.();
}

async function runs(count: number): Promise<StallSamples> {
  const samples: StallSamples = { idleMs: [], stallMs: [], gateMs: [] };
  const { turns, play, check } = prepared!;
  for (let run = 0; run < count; run++) {
    samples.idleMs.push(await stallOf(idle, WINDOW_MS));
    const entries = turns.next();
    samples.stallMs.push(
      await stallOf(async () => {
        const startedAt = performance.now();
        await play(entries);
        samples.gateMs.push(performance.now() - startedAt);
      }, WINDOW_MS),
    );
  }
  check();
  return samples;
}

serve<never>(import.meta.filename, { prepare, runs });
