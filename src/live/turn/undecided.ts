import { raced } from '../../deadline.ts';
import { promptCounter } from '../../tokens/entries/prompt-counter.ts';
import { stepChanges } from '../cache/cache-steps.ts';
import type { Body, Pruned, PruneReport } from '../contract.ts';
import { Branch } from '../conversation/branch.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { FrozenDecisions } from '../conversation/frozen.ts';
import { Projection } from '../conversation/projection.ts';
import { hasLeastAnswer, isWarmRequest } from '../conversation/warm-request.ts';
import type { LiveDialect } from '../request/dialects.ts';
import { type RequestList, written } from '../request/request-list.ts';
import { NOTHING_DECIDED, type ReportTools, reportOf, untouched } from './prune-report.ts';
import { leaveOutDangling } from './turn.ts';
import type { TurnTools } from './turn-tools.ts';

/**
 * A request that only counts, or that is beside the conversation, such as one for a summary of it: it has the texts that are
 * frozen, as the provider's cache has them; it decides nothing, and is no part of the conversation.
 */
export async function asFrozen<Given extends Body>(
  body: Given,
  list: RequestList,
  { conversation, tools }: { conversation: Conversation; tools: ReportTools & Pick<TurnTools, 'dialect' | 'slices'> },
): Promise<Pruned<Given>> {
  const { branch, shared = 0 } = conversation.closest(list) ?? {};
  const named = list.field('model');
  const model = branch?.model ?? (typeof named === 'string' ? named : '');
  const own = new Branch(tools.dialect, new FrozenDecisions(branch?.decisions ?? conversation.stored));
  if (branch) own.leave(branch, shared, tools.dialect);
  // Its last message can have results beside the agent's words, and others read what was not read here.
  await own.follow(list, shared, { slices: tools.slices, counter: promptCounter(model) });
  if (!branch) own.inherit(conversation.inherited);
  leaveOutDangling(own, false);
  const { projection, history, decisions } = own;
  projection.extend(history, decisions.results);
  const report = reportOf(NOTHING_DECIDED, { branch: own, conversation, model, tools });
  const { replacements } = projection;
  // What has other tools finds nothing of the conversation in the cache.
  const isOfPrompt = branch?.history.list !== undefined && list.isSameField('tools', branch.history.list);
  const steps = isOfPrompt ? stepChanges(list, decisions.results, replacements) : [];
  return { body: written(body, list, { replacements, steps }), report };
}

/** What the number in a limit may change of an estimate. */
const LIMIT_TOKENS = 8;

interface Ping<Given extends Body> {
  readonly pruned: Pruned<Given>;
  /** Whose last request it repeats; undefined if that was sent before a restart. */
  readonly branch: Branch | undefined;
}

/**
 * The last request of a branch, which its agent sends again for the smallest answer: the same bytes as then. Undefined for other
 * requests. After a restart it is known by the size of its prompt.
 */
export async function asPing<Given extends Body>(
  body: Given,
  list: RequestList,
  at: { conversation: Conversation; tools: ReportTools & Pick<TurnTools, 'dialect' | 'slices'> },
): Promise<Ping<Given> | undefined> {
  if (!hasLeastAnswer(list)) return undefined;
  const { conversation } = at;
  const { branch, shared } = conversation.closest(list) ?? {};
  const asPinged = ({ body: sent, report }: Pruned<Given>): Pruned<Given> => ({
    body: sent,
    report: { ...report, isPing: true },
  });
  if (branch) {
    const { list: last } = branch.history;
    const isAgain = last ? isWarmRequest(last, list) : shared === branch.length && shared === list.length;
    return isAgain ? { pruned: asPinged(asSent(body, list, at)), branch } : undefined;
  }
  const lastTokens = conversation.stored.calls.calls.at(-1)?.promptTokens;
  if (lastTokens === undefined) return undefined;
  const pruned = await asFrozen(body, list, at);
  const { sentTokens, model = '' } = pruned.report;
  const tokens = promptCounter(model).ofText(list.besideText()) + sentTokens;
  return Math.abs(tokens - lastTokens) <= LIMIT_TOKENS ? { pruned: asPinged(pruned), branch: undefined } : undefined;
}

/**
 * A request about which nothing can be decided in time: what it shares with the last request is sent in the same form, so that
 * the prefix is the same. It is sent as it was if its conversation is not known here.
 */
export function asSent<Given extends Body>(
  body: Given,
  list: RequestList,
  { conversation, tools }: { readonly conversation: Conversation | undefined; readonly tools: ReportTools },
): Pruned<Given> {
  const found = conversation?.closest(list);
  if (conversation === undefined || found === undefined) return untouched(body, 'failed');
  const { branch, shared } = found;
  const replacements = branch.asSent.filter(({ element }) => element < shared);
  const report = reportOf(NOTHING_DECIDED, { branch, conversation, model: branch.model ?? '', tools });
  const steps = stepChanges(list, branch.decisions.results, replacements);
  return { body: written(body, list, { replacements, steps }), report };
}

/** What the work returns; if the signal is aborted before, what `instead` returns then. Throws what they throw. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  instead: () => T,
): Promise<T> {
  if (signal?.aborted) return work;
  try {
    return await raced(work, signal);
  } catch (error) {
    if (!signal?.aborted) throw error;
    return instead();
  }
}

interface MadeRequest<Given extends Body> {
  readonly body: Given;
  readonly list: RequestList;
  readonly report: PruneReport;
  readonly dialect: LiveDialect;
  /** Called with its report when it is made. */
  readonly onMade: (report: PruneReport) => void;
}

/** Makes the request with every form as it was accepted; `undefined` if it has no other form. */
export function withoutNew<Given extends Body>(
  { decisions, history, unaccepted, constantTokens = 0 }: Branch,
  { body, list, report, dialect, onMade }: MadeRequest<Given>,
): (() => Pruned<Given>) | undefined {
  const taken = unaccepted.in(decisions.results);
  if (taken.length === 0) return undefined;
  const forms = new Map(decisions.results);
  for (const [id, before] of taken) {
    if (before) forms.set(id, before);
    else forms.delete(id);
  }
  return () => {
    const projection = new Projection(dialect);
    projection.extend(history, forms);
    const { savedTokens, replacements, results } = projection;
    const sentTokens = constantTokens + projection.sentTokens;
    const unchangedTokens = constantTokens + projection.unchangedTokens;
    const { decision: _, ...rest } = report;
    const counts = { projected: results, savedTokens, sentTokens, unchangedTokens };
    const made = { ...rest, changed: [], isEpoch: false, ...counts };
    onMade(made);
    const steps = stepChanges(list, forms, replacements);
    return { body: written(body, list, { replacements, steps }), report: made };
  };
}
