import { promptCounter } from '../../tokens/entries/prompt-counter.ts';
import type { Body, Pruned } from '../contract.ts';
import { Branch } from '../conversation/branch.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { FrozenDecisions } from '../conversation/frozen.ts';
import { type RequestList, written } from '../request/request-list.ts';
import { NOTHING_DECIDED, reportOf } from './prune-report.ts';
import { leaveOutDangling } from './turn.ts';
import type { TurnTools } from './turn-tools.ts';

interface FrozenFacts {
  readonly conversation: Conversation;
  readonly tools: Pick<TurnTools, 'dialect' | 'labels' | 'archive' | 'isOff' | 'slices'>;
}

/**
 * A request that only counts, or that is beside the conversation, such as one for a summary of it: it has the texts that are
 * frozen, as the provider's cache has them; it decides nothing, and is no part of the conversation.
 */
export async function asFrozen<Given extends Body>(
  body: Given,
  list: RequestList,
  { conversation, tools }: FrozenFacts,
): Promise<Pruned<Given>> {
  const { branch, shared = 0 } = conversation.closest(list) ?? {};
  const model = branch?.model ?? '';
  const own = new Branch(tools.dialect, new FrozenDecisions(branch?.decisions ?? conversation.stored));
  if (branch) own.leave(branch, shared, tools.dialect);
  // Its last message can have results beside the agent's words, and others read what was not read here.
  await own.follow(list, shared, { slices: tools.slices, counter: promptCounter(model) });
  if (!branch) own.inherit(conversation.inherited);
  leaveOutDangling(own, false);
  const { projection, history, decisions } = own;
  projection.extend(history, decisions.results);
  const report = reportOf(NOTHING_DECIDED, { branch: own, conversation, model, tools });
  return { body: written(body, list, projection.replacements), report };
}
