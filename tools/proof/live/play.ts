import type { ToolVocabulary } from '../../../src/content/vocabularies/vocabulary.ts';
import type { PruneReport, PrunerStore } from '../../../src/live/contract.ts';
import { memoryStore } from '../../../src/live/memory-store.ts';
import { createPruner } from '../../../src/live/pruner.ts';
import type { Accepted, Refused } from '../../../src/strict-provider/contract.ts';
import type { StrictProvider } from '../../../src/strict-provider/strict-provider.ts';
import { configOf, type PlayedModel } from './played-models.ts';
import { Agent, type RecordedCall } from './recorded-calls.ts';
import { tell } from './send-pruned.ts';
import { changedPrefix, listOf, type SentList } from './sent-list.ts';

/** What happened to the requests of a session, without and with the pruner. */
export interface Played {
  readonly calls: number;
  /** Refused without the pruner, and only with it. */
  readonly refusedBefore: number;
  readonly refusals: readonly string[];
  readonly droppedThinking: number;
  /** Elements that the agent sent again, and that were changed outside an epoch. */
  readonly changedPrefixes: number;
  /** The number of tenth requests that a newly started pruner sends in other bytes. */
  readonly changedByRestart: number;
  readonly failures: number;
  /** Bills up to the first request that is accepted only with the pruner: from there on nothing is comparable. */
  readonly dollarsBefore: number;
  readonly dollars: number;
  /** Requests that are accepted only with the pruner. */
  readonly onlyPruned: number;
  /** Requests that were smaller by results frozen for a cause; tokens that they did not send, estimated. */
  readonly savedTokens: Readonly<Record<string, number>>;
  readonly epochs: Readonly<Record<string, number>>;
}

export interface PlayOptions {
  readonly provider: StrictProvider;
  readonly played: PlayedModel;
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
  readonly agent: string;
}

/** Keeps everything, as that of `density wrap` until it is full. */
const archive = async (): Promise<void> => {};

const dollarsOf = (outcome: Accepted | Refused): number => (outcome.status === 200 ? (outcome.dollars ?? 0) : 0);

/** Plays the calls of a session through the provider twice: as the agent sends them, and as the pruner does. */
export async function playCalls(
  calls: readonly RecordedCall[],
  { provider, played, ...facts }: PlayOptions,
): Promise<Played> {
  const { api, model, account } = played;
  const plain = new Agent(api);
  const agent = new Agent(api);
  let nowMs = 0;
  const store = memoryStore();
  const start = (kept: PrunerStore) =>
    createPruner({ api, ...facts, config: configOf(played), store: kept, archive, now: () => nowMs });
  const pruner = start(store);
  const totals = {
    refusedBefore: 0,
    droppedThinking: 0,
    changedPrefixes: 0,
    changedByRestart: 0,
    failures: 0,
    onlyPruned: 0,
    dollarsBefore: 0,
    dollars: 0,
  };
  const refusals: string[] = [];
  const saved = new SavedTokens();
  let before: SentList | undefined;
  for (const [at, call] of calls.entries()) {
    nowMs = call.atMs;
    const request = { api, model, says: call.says };
    const expected = provider.receive(
      { ...request, account: `plain ${account}`, body: plain.body(plain.list(call.entries), played) },
      nowMs,
    );
    if (expected.status === 200) plain.hear(call.answerId, expected.answer);
    else {
      totals.refusedBefore++;
      // As Claude Code does: without its earlier thinking the conversation goes on.
      plain.forget();
      agent.forget();
    }
    const droppedBefore = expected.status === 200 ? expected.dropped.length : 0;
    const list = agent.list(call.entries);
    const body = agent.body(list, played);
    const { body: sent, report } = await pruner.prune({ body, model, conversation: 'played' });
    if (report.untouched !== undefined) totals.failures++;
    if (at % 10 === 9) {
      const again = await start({ ...store, append: async (_key, _lines, expected = 0) => expected }).prune({
        body,
        model,
        conversation: 'played',
      });
      if (JSON.stringify(again.body) !== JSON.stringify(sent)) totals.changedByRestart++;
    }
    const outcome = provider.receive({ ...request, account: `pruned ${account}`, body: sent }, nowMs);
    await tell(pruner, { report }, outcome);
    if (outcome.status === 200) {
      agent.hear(call.answerId, outcome.answer);
      totals.droppedThinking += Math.max(0, outcome.dropped.length - droppedBefore);
    } else if (expected.status === 200) refusals.push(outcome.message);
    if (expected.status !== 200 && outcome.status === 200) totals.onlyPruned++;
    if (totals.onlyPruned === 0) {
      totals.dollarsBefore += dollarsOf(expected);
      totals.dollars += dollarsOf(outcome);
    }
    const now = { list: listOf(body), sent: listOf(sent) };
    if (before && !report.isEpoch) totals.changedPrefixes += changedPrefix(before, now);
    before = now;
    saved.add(report);
  }
  return { calls: calls.length, refusals, ...totals, savedTokens: saved.tokens, epochs: saved.epochs };
}

/** The tokens that requests did not send, by the cause of each decision. */
class SavedTokens {
  readonly tokens: Record<string, number> = {};
  readonly epochs: Record<string, number> = {};
  readonly #perRequest: Record<string, number> = {};

  add({ changed, decision, isEpoch, projected }: PruneReport): void {
    for (const { kind, savedTokens } of changed) {
      const cause = kind === 'pruned' ? (decision?.cause ?? 'none') : kind;
      this.#perRequest[cause] = (this.#perRequest[cause] ?? 0) + savedTokens;
    }
    if (projected === 0) for (const cause of Object.keys(this.#perRequest)) this.#perRequest[cause] = 0;
    for (const [cause, count] of Object.entries(this.#perRequest))
      this.tokens[cause] = (this.tokens[cause] ?? 0) + count;
    if (isEpoch) this.epochs[decision?.cause ?? 'none'] = (this.epochs[decision?.cause ?? 'none'] ?? 0) + 1;
  }
}
