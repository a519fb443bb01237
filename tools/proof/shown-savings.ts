/**
 * Whether the page says what was saved: every recorded session, played through the strict provider as the agent sends it
 * and pruned, against what the ledger shows of the pruned calls. Per session with at least 10,000 tokens saved: the tokens
 * and dollars that are shown, over what the bills differ by. It holds if the sums are within 5 and 10%.
 *
 * `npm run proof -- shown-savings [part of a path …]`, about ten minutes for all.
 */

import { createPruner } from '../../src/live/pruner.ts';
import { loggedCall } from '../../src/proxy/call-log.ts';
import type { ProxiedCall } from '../../src/proxy/contract.ts';
import { Ledger } from '../../src/proxy/ledger/ledger.ts';
import type { Accepted, MeteredTokens } from '../../src/strict-provider/contract.ts';
import { StrictProvider } from '../../src/strict-provider/strict-provider.ts';
import { PLAYED_MODELS, type PlayedModel } from './live/played-models.ts';
import { Agent, type RecordedCall, recordedCalls } from './live/recorded-calls.ts';
import { recordedSession, recordedSessions } from './recorded-sessions.ts';

const MODELS = ['claude-sonnet-4-5', 'gpt-5.5', 'gpt-5.6-sol', 'gemini-3.1-pro-preview'];
/** The provider bills at the prices of this day. */
const TODAY = Date.UTC(2026, 10, 22);
const LEAST_TOKENS = 10_000;
const [TOKENS_MARGIN, DOLLARS_MARGIN] = [0.05, 0.1];

interface Saving {
  tokens: number;
  dollars: number;
}

const promptTokens = ({ uncached, read, written, writtenForAnHour }: MeteredTokens): number =>
  uncached + read + written + writtenForAnHour;

type Facts = Parameters<typeof createPruner>[0] & { readonly workspaceRoot: string };

/** What two runs of a session are billed apart, and what the ledger shows of the pruned one; undefined after a refusal. */
async function savings(calls: readonly RecordedCall[], played: PlayedModel, facts: Omit<Facts, 'api'>) {
  const { api, model } = played;
  const provider = new StrictProvider();
  const [plain, agent] = [new Agent(api), new Agent(api)];
  const firstMs = calls[0]?.atMs ?? 0;
  let nowMs = firstMs;
  const pruner = createPruner({ api, ...facts, now: () => nowMs });
  const ledger = new Ledger();
  const billed: Saving = { tokens: 0, dollars: 0 };
  for (const call of calls) {
    nowMs = call.atMs;
    const request = { api, model, says: call.says };
    const ask = (body: object, account: string) => provider.receive({ ...request, body, account }, nowMs);
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

export async function prove(parts: readonly string[]): Promise<boolean> {
  const found = new Map(MODELS.map((model) => [model, [] as { billed: Saving; shown: Saving }[]]));
  for (const file of recordedSessions()) {
    if (parts.length > 0 && !parts.some((part) => file.includes(part))) continue;
    const session = recordedSession(file);
    const calls = recordedCalls(session);
    if (calls.length < 2) continue;
    const { vocabulary, workspaceRoot = '/' } = session;
    for (const [model, list] of found) {
      const played = PLAYED_MODELS.find((one) => one.model === model)!;
      const saving = await savings(calls, played, { vocabulary, workspaceRoot });
      if (saving && saving.billed.tokens >= LEAST_TOKENS) list.push(saving);
    }
  }
  let isRight = true;
  for (const [model, list] of found) {
    const sum = (pick: (one: (typeof list)[number]) => number): number =>
      list.reduce((total, one) => total + pick(one), 0);
    const tokens = sum(({ shown }) => shown.tokens) / sum(({ billed }) => billed.tokens);
    const dollars = sum(({ shown }) => shown.dollars) / sum(({ billed }) => billed.dollars);
    const each = (name: keyof Saving): number[] => list.map(({ shown, billed }) => shown[name] / billed[name]);
    console.log(`${model}\n${rowOf('tokens', each('tokens'), tokens)}\n${rowOf('dollars', each('dollars'), dollars)}`);
    if (Math.abs(tokens - 1) > TOKENS_MARGIN || Math.abs(dollars - 1) > DOLLARS_MARGIN) isRight = false;
  }
  return isRight;
}
