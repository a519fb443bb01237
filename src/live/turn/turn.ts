import { HOUR_MS } from '../../durations.ts';
import type { Decision } from '../../economics/decision.ts';
import type { WaitingEdit } from '../../pruning/waiting-edits.ts';
import { isMessageId, textMessageId } from '../../strategies/high-density/repeated-lines/shown-text.ts';
import type { Branch } from '../conversation/branch.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ChangedForm } from '../conversation/unaccepted.ts';
import { tellCopies } from '../copied-markers.ts';
import type { RequestList } from '../request/request-list.ts';
import { applyWaiting, type ChangedResult } from './apply-waiting.ts';
import { filesNeededBy, healedStub } from './healed-stub.ts';
import { withNames } from './markers.ts';
import type { TurnTools } from './turn-tools.ts';

interface GivenTurn {
  readonly list: RequestList;
  /** The number of elements that the last request had too. */
  readonly shared: number;
  /** True if others see the conversation too. */
  readonly isShared: boolean;
  readonly model: string;
  readonly conversation: Conversation;
  /** Milliseconds since this prefix was sent last; `undefined` if that is not known. */
  readonly idleMs: number | undefined;
}

/** What was decided for one request. */
export interface DecidedTurn {
  /** The results that are sent in another form since this request, in order. */
  readonly changed: readonly ChangedResult[];
  /** The summaries in which markers are names since this request. */
  readonly named: readonly ChangedForm[];
  readonly decision: Decision<WaitingEdit> | undefined;
  /** True if a part of the prompt that was sent before is sent in another form. */
  readonly isEpoch: boolean;
}

/** Decides which texts of a request that was read are sent in another form. */
export async function decideTurn(branch: Branch, given: GivenTurn, tools: TurnTools): Promise<DecidedTurn> {
  const { list, shared, isShared, model, idleMs } = given;
  const { history, decisions, projection } = branch;
  const isFirst = branch.model === undefined;
  // What a first request contains may be cached: the last run of this program may have sent it.
  // If its store did not answer, the request was not written down. But all text before an answer was sent.
  const sent = isFirst ? history.fresh : Math.max(shared, isShared ? history.answered : 0);
  if (branch.lifetimeMs !== HOUR_MS && list.mentions('"1h"', sent)) branch.lifetimeMs = HOUR_MS;
  branch.constantTokens ??= tools.counter.ofText(list.besideText());
  if (isFirst && decisions.calls.calls.length === 0) branch.noteSeenCalls();
  const mayDangle = projection.isNew || branch.clearsResults;
  if (mayDangle && leaveOutDangling(branch, isShared)) projection.renew(history, decisions.results);
  branch.asSent = projection.ahead(history, decisions.results);
  const healed = await healFresh(branch, { tools, sent, shared });
  const told = tools.isOff ? [] : await tellCopies(branch, { ...tools, fresh: Math.max(sent, history.fresh) });
  const named = tools.isOff ? [] : nameMarkers(branch, given);
  projection.extend(history, decisions.results);
  const sentEntries = isFirst || branch.model === model ? history.startOf(sent) : 0;
  // A request that is sent again after a restart is as it was.
  const isAgain = isFirst && decisions.calls.calls.at(-1)?.promptTokens === branch.promptTokens;
  const applied =
    isAgain || tools.isOff ? undefined : await applyWaiting(branch, { tools, list, sentEntries, model, idleMs });
  const first = applied?.changed[0];
  if (applied && first) {
    projection.renew(history, decisions.results, { from: first.at, left: applied.left });
    branch.ruledEntries = Math.min(branch.ruledEntries, first.at);
  }
  return {
    changed: [...(applied?.changed ?? []), ...healed, ...told],
    named,
    decision: applied?.decision,
    isEpoch: first !== undefined && first.at < history.startOf(sent),
  };
}

/** Decides nothing about a request that is sent again. */
export function repeatTurn(branch: Branch, isShared: boolean): void {
  const { history, decisions, projection } = branch;
  if (branch.clearsResults && leaveOutDangling(branch, isShared)) projection.renew(history, decisions.results);
  else projection.extend(history, decisions.results);
}

/**
 * True if a reference to a result that the model does not see any more, or not in full, is taken back. If branches share one list of decisions, the other branches still send it, and this branch finds it again after a restart.
 */
export function leaveOutDangling(branch: Branch, hasOwnLines: boolean): boolean {
  const { history, decisions } = branch;
  const { size } = decisions.results;
  const seen = new Set<string>();
  const { seenResults } = history;
  const shown = branch.clearsResults ? [] : seenResults;
  const sources = seenResults.flatMap(({ result }) => decisions.results.get(result.id)?.sources ?? []);
  const messages = sources.some(isMessageId) ? messagesIn(branch) : [];
  const listed = new Set([...shown.map(({ result }) => result.id), ...messages]);
  for (const { result } of seenResults) {
    const frozen = decisions.results.get(result.id);
    const isDangling = frozen?.sources?.some((source) => !listed.has(source)) === true;
    if (isDangling || (frozen?.kind === 'repeat' && !seen.has(frozen.target ?? ''))) {
      if (hasOwnLines) decisions.thaw(result.id);
      else decisions.leaveOut(result.id);
    }
    if (!decisions.results.has(result.id)) seen.add(result.id);
  }
  return decisions.results.size < size;
}

/** The ids of the words in its user turns, also of those that are sent in another form. */
function messagesIn({ history, decisions }: Branch): string[] {
  const forms = history.seenResults.flatMap(({ result: { block, id } }) => {
    const text = block.type === 'text' ? decisions.results.get(id)?.text : undefined;
    return text === undefined ? [] : textMessageId(text);
  });
  return [...history.messages, ...forms];
}

/** Heals stubs in what is new before it is sent for the first time, and learns from it which files are needed again. */
async function healFresh(
  branch: Branch,
  { tools, sent, shared }: { tools: TurnTools; sent: number; shared: number },
): Promise<ChangedResult[]> {
  const { history, decisions, readTexts, reader } = branch;
  const { labels, slices, isOff } = tools;
  const { results } = history;
  const firstFresh = Math.max(sent, history.fresh);
  const changed: ChangedResult[] = [];
  const known = results.findLastIndex(({ element }) => element < shared);
  for (let place = known + 1; place < results.length; place++) {
    const listed = results[place]!;
    const { result, element } = listed;
    if (slices.isOver()) await slices.next();
    if (element >= firstFresh && decisions.isOpen(result.id) && !slices.isLate) {
      const earlier = {
        history,
        before: place,
        frozen: decisions.results,
        callOf: reader.callOf,
        readTexts,
        labels,
      };
      for (const file of filesNeededBy(result, earlier)) decisions.noteNeed(file);
      const healed = isOff ? undefined : healedStub(result, earlier);
      if (healed) {
        decisions.freeze(healed);
        changed.push({ ...listed, before: undefined });
      }
    }
    if (result.readKey !== undefined && !result.isStub) readTexts.set(result.readKey, result);
  }
  return changed;
}

/**
 * In a summary that was never sent, names stand in the place of the markers that the model saw. It may have been sent if there is
 * an answer in the list that is not of the past that the request left.
 */
function nameMarkers(branch: Branch, { shared, conversation }: GivenTurn): ChangedForm[] {
  const { decisions, history } = branch;
  const { answers, elements, summaries } = history;
  const open = summaries.filter(({ summary, element }) => element >= shared && decisions.isOpen(summary.id));
  if (open.length === 0 || !answers.every((at) => conversation.isKnownElsewhere(branch, elements[at]!.hash))) return [];
  return open.flatMap(({ summary: { id, text } }) => {
    const named = withNames(text, decisions.results.values());
    if (named === text) return [];
    const reason = 'it names what its markers stood for';
    decisions.freeze({ id, kind: 'named', text: named, reason, files: [] });
    return { result: { id }, before: undefined };
  });
}
