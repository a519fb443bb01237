import type { IContent } from '../../../src/content/content.ts';
import type { ToolVocabulary } from '../../../src/content/vocabularies/vocabulary.ts';
import type { ApiName } from '../../../src/formats/api-path.ts';
import type { PruneReport, PrunerStore } from '../../../src/live/contract.ts';
import { memoryStore } from '../../../src/live/memory-store.ts';
import { createPruner } from '../../../src/live/pruner.ts';
import type { Accepted, MarkLifetime, Refused } from '../../../src/strict-provider/contract.ts';
import type { StrictProvider } from '../../../src/strict-provider/strict-provider.ts';
import { Agent, type RecordedCall } from './recorded-calls.ts';

/** A model, its API, and the account that pays. */
export interface PlayedModel {
  readonly api: ApiName;
  readonly model: string;
  readonly ttl: MarkLifetime;
  /** `old`: created before 2026-08-31. */
  readonly account: 'old' | 'new';
}

/** What happened to the requests of a session, without and with the pruner. */
export interface Played {
  readonly calls: number;
  /** Refused without the pruner, and only with it. */
  readonly refusedBefore: number;
  readonly refusals: readonly string[];
  readonly droppedThinking: number;
  /** Elements that the agent sent again, and that were changed outside an epoch. */
  readonly changedPrefixes: number;
  /** Of every tenth request, those that a pruner which was started again sends in other bytes. */
  readonly changedByRestart: number;
  readonly failures: number;
  /** Bills up to the first request that is accepted only with the pruner: from there on nothing is comparable. */
  readonly dollarsBefore: number;
  readonly dollars: number;
  /** Requests that are accepted only with the pruner. */
  readonly onlyPruned: number;
  /** Of every tenth request, which is refused for a reason of the agent's, those after which other bytes are sent. */
  readonly changedByRefusal: number;
  /** Requests for a summary after an epoch; those refused only with the pruner, accepted only with it, and what they cost. */
  readonly summaries: number;
  readonly summariesRefused: number;
  readonly summariesOnlyPruned: number;
  /** Those that read less from the cache than the texts that the last request had too. */
  readonly summariesMissed: number;
  readonly summaryDollarsBefore: number;
  readonly summaryDollars: number;
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

/** Source: https://developers.openai.com/api/docs/guides/prompt-caching */
const STEP_TOKENS = 128;

const SUMMARY_PROMPT: readonly IContent[] = [
  { speaker: 'human', blocks: [{ type: 'text', text: 'Summarize this conversation.' }] },
];

const dollarsOf = (outcome: Accepted | Refused): number => (outcome.status === 200 ? (outcome.dollars ?? 0) : 0);

/** Plays the calls of a session through the provider twice: as the agent sends them, and as the pruner does. */
export async function playCalls(
  calls: readonly RecordedCall[],
  { provider, played, ...facts }: PlayOptions,
): Promise<Played> {
  const { api, model, ttl, account } = played;
  const [plain, agent] = [new Agent(api), new Agent(api)];
  let nowMs = 0;
  const store = memoryStore();
  const start = (kept: PrunerStore) => createPruner({ api, ...facts, store: kept, now: () => nowMs });
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
    changedByRefusal: 0,
    summaries: 0,
    summariesRefused: 0,
    summariesOnlyPruned: 0,
    summariesMissed: 0,
    summaryDollarsBefore: 0,
    summaryDollars: 0,
  };
  const refusals: string[] = [];
  const saved = new SavedTokens();
  let before: Sent | undefined;
  for (const [at, call] of calls.entries()) {
    nowMs = call.atMs;
    const request = { api, model, says: call.says };
    const expected = provider.receive(
      { ...request, account: `plain ${account}`, body: plain.body(plain.list(call.entries), model, ttl) },
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
    const body = agent.body(list, model, ttl);
    const { body: sent, report, withoutNew } = await pruner.prune({ body, model, conversation: 'played' });
    if (at % 10 === 4) {
      // A picture that cannot be read, or no credit: both are refused, and the agent sends the same again.
      await pruner.observe(report, { status: 400 });
      const second = withoutNew?.();
      if (second) await pruner.observe(second.report, { status: 400 });
      const same = await pruner.prune({ body, model, conversation: 'played' });
      if (JSON.stringify(same.body) !== JSON.stringify(sent)) totals.changedByRefusal++;
    }
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
    if (outcome.status === 200) {
      agent.hear(call.answerId, outcome.answer);
      totals.droppedThinking += Math.max(0, outcome.dropped.length - droppedBefore);
    } else if (expected.status === 200) refusals.push(outcome.message);
    if (expected.status !== 200 && outcome.status === 200) totals.onlyPruned++;
    if (totals.onlyPruned === 0) {
      totals.dollarsBefore += dollarsOf(expected);
      totals.dollars += dollarsOf(outcome);
    }
    const listed = listOf(sent);
    if (before && !report.isEpoch)
      totals.changedPrefixes += changedPrefix(before, { list: listOf(body), sent: listed });
    before = { list: listOf(body), sent: listed };
    saved.add(report);
    if (!report.isEpoch || outcome.status !== 200) continue;
    // As Claude Code does after an answer: the whole conversation and a prompt, marked as a request for a summary.
    const [plainList, ownList] = [plain, agent].map((one) => [...one.list(call.entries), ...one.list(SUMMARY_PROMPT)]);
    const asked = { api, model, says: { text: 'A summary.' } };
    const plainSummary = provider.receive(
      { ...asked, account: `plain ${account}`, body: plain.body(plainList!, model, ttl) },
      nowMs,
    );
    const summary = await pruner.prune({
      body: agent.body(ownList!, model, ttl),
      ...{ model, conversation: 'played', headers: { 'x-claude-code-request-class': 'compaction' } },
    });
    const answered = provider.receive({ ...asked, account: `pruned ${account}`, body: summary.body }, nowMs);
    totals.summaries++;
    if (answered.status !== 200) totals.summariesRefused += plainSummary.status === 200 ? 1 : 0;
    else if (plainSummary.status !== 200) totals.summariesOnlyPruned++;
    else {
      totals.summaryDollarsBefore += dollarsOf(plainSummary);
      totals.summaryDollars += dollarsOf(answered);
    }
    const { tokens } = outcome;
    const cached = tokens.read + tokens.written + tokens.writtenForAnHour;
    // Some vendors read whole steps.
    if (answered.status === 200 && answered.tokens.read <= cached - STEP_TOKENS) totals.summariesMissed++;
  }
  return { calls: calls.length, refusals, ...totals, savedTokens: saved.tokens, epochs: saved.epochs };
}

interface Sent {
  /** As the agent wrote it, and as it was sent. */
  readonly list: readonly unknown[];
  readonly sent: readonly unknown[];
}

const listOf = (body: object): readonly unknown[] => {
  const fields = body as Readonly<Record<string, unknown>>;
  return (fields['messages'] ?? fields['input'] ?? fields['contents']) as readonly unknown[];
};

const textOf = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner));

/** Elements that the agent sends again unchanged, and that are sent in another form. The last one had a moving mark. */
function changedPrefix(before: Sent, now: Sent): number {
  let changed = 0;
  for (let at = 0; at < before.list.length && before.list[at] === now.list[at]; at++) {
    if (before.sent[at] !== now.sent[at] && textOf(before.sent[at]) !== textOf(now.sent[at])) changed++;
  }
  return changed;
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
