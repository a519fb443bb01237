import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { IContent } from '../src/content/content.ts';
import { HOUR_MS, MINUTE_MS } from '../src/durations.ts';
import { type ModelPrice, priceOf, ratesFor } from '../src/economics/prices.ts';
import { PromptCache } from '../src/economics/prompt-cache.ts';
import { type CacheLifetime, chooseLifetime } from '../src/economics/warm/choose-lifetime.ts';
import { type EndedPause, pauseTable } from '../src/economics/warm/pause-lengths.ts';
import { modelCalls } from '../src/lab/played-events.ts';
import { blockCounter } from '../src/tokens/entries/block-counter.ts';
import { readSessions } from './recordings.ts';
import { type Row, rowOf } from './row.ts';
import { sum } from './simulated-call.ts';

/** Folders with recorded sessions beside the checkout, by the words for them in docs/economics.md. */
const SETS = { published: 'data', modern: 'modern-data' } as const;
const MODELS = ['claude-opus-5-5', 'claude-opus-5'] as const;
/** The system prompt and the tools, which no recording has. */
const CONSTANT_TOKENS = 20_000;

interface Call {
  readonly promptTokens: number;
  readonly sharedTokens: number;
  readonly idleMs: number;
  readonly outputTokens: number;
  readonly wait: EndedPause['wait'];
}
type Calls = readonly Call[];

function sessionsIn(folder: string): readonly Calls[] {
  const root = path.resolve(import.meta.dirname, '../../../shared', folder);
  if (!existsSync(root)) {
    console.log(`No recorded sessions at ${root}.`);
    return [];
  }
  const count = blockCounter(MODELS[0]);
  const known = new WeakMap<IContent, number>();
  const tokensOf = (entry: IContent): number => {
    const tokens = known.get(entry) ?? sum(entry.blocks.map(count));
    known.set(entry, tokens);
    return tokens;
  };
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.jsonl?$/.test(file));
  return readSessions(files.sort().map((file) => path.join(root, file))).flatMap(({ session }) => {
    const cache = new PromptCache({ tokensOf, thinkingTokensOf: () => 0, constantTokens: CONSTANT_TOKENS });
    const calls: Call[] = [];
    for (const { recorded, atMs, answer, isCopied } of modelCalls(session)) {
      const { promptTokens, sharedTokens, idleMs } = cache.call(recorded, atMs);
      if (isCopied) continue;
      if (atMs === undefined) return [];
      const outputTokens = answer.metadata?.usage?.completionTokens ?? tokensOf(answer);
      const wait = answer.blocks.some(({ type }) => type === 'tool_call') ? 'toolWait' : 'pause';
      calls.push({ promptTokens, sharedTokens, idleMs, outputTokens, wait });
    }
    return calls.length < 2 ? [] : [calls];
  });
}

const pausesOf = (calls: Calls): EndedPause[] =>
  calls.slice(1).map(({ idleMs }, at) => ({ wait: calls[at]!.wait, idleMs }));

/** The bill of a session, if this is asked each time its whole prompt is written. */
function billWith(calls: Calls, price: ModelPrice, lifetimeAt: (at: number) => CacheLifetime): number {
  let lifetime: CacheLifetime = '5m';
  return sum(
    calls.map(({ promptTokens, sharedTokens, idleMs, outputTokens }, at) => {
      const isWarm = at > 0 && idleMs < (lifetime === '1h' ? HOUR_MS : 5 * MINUTE_MS);
      if (!isWarm) lifetime = lifetimeAt(at);
      const cached = isWarm ? sharedTokens : 0;
      const { write, writeHour, cachedRead, output } = ratesFor(price, promptTokens);
      const written = (promptTokens - cached) * (lifetime === '1h' ? writeHour : write);
      return (written + cached * cachedRead + outputTokens * output) / 1e6;
    }),
  );
}

/** The bill where only the system prompt and the tools are marked, with a mark at the end from this call on. */
function billMarked(
  calls: Calls,
  price: ModelPrice,
  { from, marksStart }: { from: number; marksStart: boolean },
): number {
  let marked = 0;
  return sum(
    calls.map(({ promptTokens, sharedTokens, idleMs, outputTokens }, at) => {
      const { input, write, cachedRead, output } = ratesFor(price, promptTokens);
      const isWarm = at > 0 && idleMs < 5 * MINUTE_MS;
      const start = marksStart ? Math.min(CONSTANT_TOKENS, promptTokens) : 0;
      const cached = isWarm ? Math.max(start, Math.min(marked, sharedTokens)) : 0;
      const last = at >= from ? promptTokens : start;
      marked = last;
      const written = Math.max(0, last - cached);
      const plain = promptTokens - cached - written;
      return (cached * cachedRead + written * write + plain * input + outputTokens * output) / 1e6;
    }),
  );
}

interface Bills {
  readonly without: readonly number[];
  readonly withIt: readonly number[];
}
const percentOf = ({ without, withIt }: Bills): number => 100 * (sum(withIt) / sum(without) - 1);
const moreExpensive = ({ without, withIt }: Bills): number =>
  withIt.filter((dollars, at) => dollars > 1.01 * without[at]!).length;
const worst = ({ without, withIt }: Bills): number =>
  100 * Math.max(0, ...withIt.map((dollars, at) => dollars / without[at]! - 1));

function print(name: string, bills: Bills): void {
  const { length } = bills.without;
  const words = [`${percentOf(bills).toFixed(1)}%`, `${moreExpensive(bills)} of ${length} over 1% more`];
  console.log(`  ${name.padEnd(46)} ${[...words, `worst +${worst(bills).toFixed(1)}%`].join(', ')}`);
}

const joined = (all: readonly Bills[]): Bills => ({
  without: all.flatMap(({ without }) => without),
  withIt: all.flatMap(({ withIt }) => withIt),
});

/** What the lifetime of a prompt and marks that are missing do to the bills of recorded sessions. Simulated at list prices. */
export async function run(): Promise<readonly Row[]> {
  const sets = Object.entries(SETS).map(([name, folder]) => ({ name, sessions: sessionsIn(folder) }));
  const rows: Row[] = [];
  for (const model of MODELS) {
    const price = priceOf(model);
    const chosen: { readonly auto: Bills; readonly best: Bills }[] = [];
    for (const { name, sessions } of sets) {
      if (sessions.length === 0) continue;
      // The shares are those of the other sets.
      const table = pauseTable(sets.flatMap((set) => (set.name === name ? [] : set.sessions.flatMap(pausesOf))));
      const bill = (calls: Calls, lifetimeAt: (at: number) => CacheLifetime) => billWith(calls, price, lifetimeAt);
      const without = sessions.map((calls) => bill(calls, () => '5m'));
      const hour = sessions.map((calls) => bill(calls, () => '1h'));
      const auto = sessions.map((calls) =>
        bill(calls, (at) => {
          const idleMs = calls.slice(1, at + 1).map((call) => call.idleMs);
          const { promptTokens } = calls[at]!;
          return chooseLifetime({ promptTokens, constantTokens: CONSTANT_TOKENS, idleMs, price }, table);
        }),
      );
      const best = without.map((dollars, at) => Math.min(dollars, hour[at]!));
      console.log(`${model}, ${name}: ${sessions.length} sessions, $${sum(without).toFixed(0)} with five minutes`);
      print('an hour', { without, withIt: hour });
      print('the better of both in hindsight', { without, withIt: best });
      print('auto', { without, withIt: auto });
      chosen.push({ auto: { without, withIt: auto }, best: { without, withIt: best } });
      for (const marksStart of [true, false]) {
        const from = marksStart ? 0 : 1;
        const unmarked = sessions.map((calls) =>
          billMarked(calls, price, { from: Number.POSITIVE_INFINITY, marksStart }),
        );
        const marked = sessions.map((calls) => billMarked(calls, price, { from, marksStart }));
        print(`a mark at the end, ${marksStart ? 'the start is marked' : 'nothing is marked'}`, {
          without: unmarked,
          withIt: marked,
        });
      }
    }
    if (chosen.length === 0) continue;
    const auto = joined(chosen.map((one) => one.auto));
    const best = joined(chosen.map((one) => one.best));
    print('auto, all sets', auto);
    const share = (100 * percentOf(auto)) / percentOf(best);
    console.log(`  auto has ${share.toFixed(0)}% of what the better of both saves`);
    rows.push(rowOf(`cache-choices.${model}.auto-share`, 'percent', [share]));
    rows.push(
      rowOf(`cache-choices.${model}.auto-more-expensive`, 'percent', [
        (100 * moreExpensive(auto)) / auto.without.length,
      ]),
    );
  }
  return rows;
}
