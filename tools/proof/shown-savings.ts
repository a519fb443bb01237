/**
 * Whether the page says what was saved: every recorded session, played through the strict provider as the agent sends it
 * and pruned, against what the ledger shows of the pruned calls. Per session with at least 10,000 tokens saved: the tokens
 * and dollars that are shown, over what the bills differ by. It holds if the sums of each model are within 5%.
 *
 * `npm run proof -- shown-savings [--part 1/4] [--outcomes file] [part of a path …] [part of a model …]`, as of `live`.
 */

import { createPruner } from '../../src/live/pruner.ts';
import { loggedCall } from '../../src/proxy/call-log.ts';
import type { ProxiedCall } from '../../src/proxy/contract.ts';
import { Ledger } from '../../src/proxy/ledger/ledger.ts';
import type { Accepted, MeteredTokens } from '../../src/strict-provider/contract.ts';
import { eachSession, type PlayedSession, playName } from './live/each-session.ts';
import { playOptions } from './live/play-options.ts';
import { configOf, PLAYED_MODELS, type PlayedModel, playedProvider } from './live/played-models.ts';
import { Agent } from './live/recorded-calls.ts';

const NAMES = [
  'claude-sonnet-4-5 5m, old account',
  'claude-sonnet-4-5 1h, old account',
  'claude-opus-5 5m, new account',
  'claude-opus-5-5 5m, new account',
  'claude-opus-5-5 5m, new account, drop',
  'claude-opus-5-5 1h, new account, drop',
  'gpt-5.5',
  'gpt-5.6-sol',
  'gpt-5.6-sol chat',
  'gemini-3.1-pro-preview',
];
const MODELS = PLAYED_MODELS.filter(({ name }) => NAMES.includes(name));
/** The provider bills at the prices of this day. */
const TODAY = Date.UTC(2026, 10, 22);
const MIN_TOKENS = 10_000;
const MARGIN = 0.05;

interface Saving {
  tokens: number;
  dollars: number;
}

const promptTokens = ({ uncached, read, written, writtenForAnHour }: MeteredTokens): number =>
  uncached + read + written + writtenForAnHour;

interface Outcome {
  readonly play: string;
  readonly model: string;
  /** Absent where a request was refused. */
  readonly saving?: { readonly billed: Saving; readonly shown: Saving } | undefined;
}

/** What two runs of a session are billed apart, and what the ledger shows of the pruned one; undefined after a refusal. */
async function savings(
  { calls, vocabulary, workspaceRoot }: PlayedSession<PlayedModel>,
  played: PlayedModel,
): Promise<Outcome['saving']> {
  const { api, model } = played;
  const provider = playedProvider();
  const [plain, agent] = [new Agent(api), new Agent(api)];
  const firstMs = calls[0]?.atMs ?? 0;
  let nowMs = firstMs;
  const pruner = createPruner({
    ...{ api, vocabulary, workspaceRoot, config: configOf(played) },
    archive: async () => {},
    now: () => nowMs,
  });
  const ledger = new Ledger();
  const billed: Saving = { tokens: 0, dollars: 0 };
  for (const call of calls) {
    nowMs = call.atMs;
    const request = { api, model, says: call.says };
    const ask = (body: object, account: string) =>
      provider.receive({ ...request, body, account: `${account} ${played.account}` }, nowMs);
    const without = ask(plain.body(plain.list(call.entries), played), 'plain');
    const body = agent.body(agent.list(call.entries), played);
    const { body: sent, report } = await pruner.prune({ body, model, conversation: 'played' });
    const pruned = ask(sent, 'pruned');
    if (without.status !== 200 || pruned.status !== 200) return undefined;
    plain.hear(call.answerId, without.answer);
    agent.hear(call.answerId, pruned.answer);
    billed.tokens += promptTokens(without.tokens) - promptTokens(pruned.tokens);
    billed.dollars += (without.dollars ?? 0) - (pruned.dollars ?? 0);
    ledger.add(
      loggedCall(proxied(pruned, { api, model, report }), { agent: '', isShadow: false, at: TODAY + nowMs - firstMs }),
    );
  }
  const { savedTokens, netDollars } = ledger.numbers();
  return { billed, shown: { tokens: savedTokens, dollars: netDollars } };
}

const proxied = ({ tokens }: Accepted, facts: Pick<ProxiedCall, 'api' | 'model' | 'report'>): ProxiedCall => ({
  ...facts,
  ...{ isCount: false, status: 200, isResent: false, addedMs: 0, tookMs: 0 },
  usage: {
    promptTokens: promptTokens(tokens),
    cachedTokens: tokens.read,
    writtenTokens: tokens.written,
    writtenHourTokens: tokens.writtenForAnHour,
    outputTokens: tokens.output,
  },
});

const percent = (value: number): string => `${(100 * value).toFixed(1)}%`;

function rowOf(name: string, ratios: readonly number[], sum: number): string {
  const sorted = ratios.toSorted((one, other) => one - other);
  const at = (ratio: number): string => percent(sorted[Math.floor(ratio * (sorted.length - 1))] ?? Number.NaN);
  return `  ${name}: ${percent(sum)} in all; p10 ${at(0.1)}, median ${at(0.5)}, p90 ${at(0.9)} of ${sorted.length}`;
}

export async function prove(parameters: readonly string[]): Promise<boolean> {
  const { outcomes, chosen } = playOptions<Outcome>(parameters);
  for (const session of eachSession({ ...chosen, models: MODELS, sets: ['data', 'more-data', 'modern-data'] }))
    for (const played of session.models) {
      const saving = await savings(session, played);
      outcomes.add({ play: playName(session.name, played), model: played.name, saving });
    }
  return report([...outcomes.all().values()]);
}

function report(outcomes: readonly Outcome[]): boolean {
  let isRight = outcomes.length > 0;
  for (const model of MODELS.map(({ name }) => name)) {
    const list = outcomes.flatMap(({ model: own, saving }) =>
      own === model && saving !== undefined && saving.billed.tokens >= MIN_TOKENS ? saving : [],
    );
    if (list.length === 0) continue;
    const sum = (pick: (one: (typeof list)[number]) => number): number =>
      list.reduce((total, one) => total + pick(one), 0);
    const tokens = sum(({ shown }) => shown.tokens) / sum(({ billed }) => billed.tokens);
    const dollars = sum(({ shown }) => shown.dollars) / sum(({ billed }) => billed.dollars);
    const each = (name: keyof Saving): number[] => list.map(({ shown, billed }) => shown[name] / billed[name]);
    console.log(`${model}\n${rowOf('tokens', each('tokens'), tokens)}\n${rowOf('dollars', each('dollars'), dollars)}`);
    if (Math.abs(tokens - 1) > MARGIN || Math.abs(dollars - 1) > MARGIN) isRight = false;
  }
  return isRight;
}
