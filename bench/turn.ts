import { serve } from './child.ts';
import { checkTotal, gatedHistory } from './gated-history.ts';
import { NaiveHistory } from './naive-history.ts';
import { OrdinaryTurns } from './ordinary-turns.ts';
import { chainedHistory } from './sessions.ts';
import type { Contender } from './stall.ts';

const TURNS = 3_000;
/** Turns around an interesting one that are shown with it: two rounds of five. In each round four turns read and one writes. */
const AROUND = 10;
/** A naive turn is measured only a few times, because it is slow. */
const NAIVE_AROUND = 3;

export interface TurnSamples {
  readonly turnMs: number[];
  readonly sentBytes: number[];
  readonly countedBytes: number[];
}

/** The turns of interest, by their number. */
export type TurnCosts = Readonly<Record<number, TurnSamples>>;

const INTEREST = [10, 100, 1_000, TURNS] as const;

const isNear = (turn: number, interest: number, around: number): boolean =>
  turn > interest - around && turn <= interest;

/** A session that grows from nothing, turn by turn. */
async function grow({ contender }: { readonly contender: Contender }): Promise<TurnCosts> {
  const costs: TurnCosts = Object.fromEntries(
    INTEREST.map((turn) => [turn, { turnMs: [], sentBytes: [], countedBytes: [] }]),
  );
  const turns = new OrdinaryTurns();
  return contender === 'naive' ? growNaive(turns, costs) : growGated(turns, costs, contender);
}

function growNaive(turns: OrdinaryTurns, costs: TurnCosts): TurnCosts {
  const naive = new NaiveHistory(turns.next());
  for (let turn = 2; turn <= TURNS; turn++) {
    for (const entry of turns.next()) naive.add(entry);
    for (const interest of INTEREST) {
      if (!isNear(turn, interest, NAIVE_AROUND)) continue;
      const startedAt = performance.now();
      naive.recount();
      costs[interest]!.turnMs.push(performance.now() - startedAt);
    }
  }
  return costs;
}

async function growGated(
  turns: OrdinaryTurns,
  costs: TurnCosts,
  engine: Exclude<Contender, 'naive'>,
): Promise<TurnCosts> {
  const { history, gate } = gatedHistory(engine, chainedHistory({ tokens: 1_000, seed: 1 }));
  for (let turn = 1; turn <= TURNS; turn++) {
    const entries = turns.next();
    const before = history.engine.stats();
    const startedAt = performance.now();
    for (const entry of entries) history.add(entry);
    await gate.ensureCompressionBeforeSend('turn');
    const turnMs = performance.now() - startedAt;
    const after = history.engine.stats();
    for (const interest of INTEREST) {
      if (!isNear(turn, interest, AROUND)) continue;
      const { turnMs: times, sentBytes, countedBytes } = costs[interest]!;
      times.push(turnMs);
      sentBytes.push(after.sentBytes - before.sentBytes);
      countedBytes.push(
        after.bytesCountedByCaller -
          before.bytesCountedByCaller +
          after.bytesCountedOnThreads -
          before.bytesCountedOnThreads,
      );
    }
  }
  checkTotal(history);
  return costs;
}

serve<never>(import.meta.filename, { grow });
