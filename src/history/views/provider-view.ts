import { append } from '../../content/append.ts';
import { errorOf } from '../../content/calls/error-of.ts';
import {
  type PairedCall,
  type PairedResponse,
  pairCalls,
  responseExtent,
  uniqueIds,
} from '../../content/calls/pairing.ts';
import type { ContentBlock, IContent, ToolCallBlock, ToolResponseBlock } from '../../content/content.ts';
import { addTo, groupBy } from '../../content/group-by.ts';
import { cancelledResponses } from '../entries/unanswered.ts';
import { copyForJson } from './copy.ts';

/**
 * A deep copy of a curated history that every provider accepts: each call is in an ai entry and has exactly one
 * response, directly after that entry. Other calls are moved, unanswered calls answered as cancelled, orphan responses
 * given a call, duplicates reduced to the best one, an id that an earlier call has replaced; media are kept. A history that needs no repair is
 * returned equal. Linear in blocks. Source: docs/library.md, `getCuratedForProvider`.
 */
export function providerView(history: readonly IContent[]): IContent[] {
  const answerable = callsInAiEntries(copyForJson(history));
  const { answers, orphans } = assignResponses(answerable);
  const entries = withUniqueIds(answerable, answers, orphans);
  const callsByEntry = groupBy(answers.keys(), ({ entry }) => entry);
  const orphansByEntry = groupBy(orphans, ({ entry }) => entry);
  const view: IContent[] = [];
  for (const [index, entry] of entries.entries()) {
    const rest = withoutResponses(entry);
    if (rest.blocks.length > 0) view.push(rest);
    const calls = callsByEntry.get(index);
    if (calls) append(view, answersTo(entries, calls, answers));
    const lost = orphansByEntry.get(index);
    if (lost) view.push(callsFor(entry, lost), { ...entry, speaker: 'tool', blocks: blocksOf(entry, lost) });
  }
  return view;
}

/** The same entries with each call in an ai entry: the one directly before, or a new one. */
function callsInAiEntries(history: readonly IContent[]): IContent[] {
  const entries: IContent[] = [];
  for (const entry of history) {
    const calls = entry.speaker === 'ai' ? [] : entry.blocks.filter((block) => block.type === 'tool_call');
    if (calls.length === 0) {
      entries.push(entry);
      continue;
    }
    const before = entries.at(-1);
    if (before?.speaker === 'ai') entries[entries.length - 1] = { ...before, blocks: [...before.blocks, ...calls] };
    else entries.push({ speaker: 'ai', blocks: calls, metadata: { synthetic: true, reason: 'moved_tool_call' } });
    entries.push({ ...entry, blocks: entry.blocks.filter((block) => block.type !== 'tool_call') });
  }
  return entries;
}

/** The responses of each call, and those without a call. A response before its call counts as its answer. */
function assignResponses(entries: readonly IContent[]): {
  answers: Map<PairedCall, readonly PairedResponse[]>;
  orphans: PairedResponse[];
} {
  const { calls, responses } = pairCalls(entries);
  const answers = new Map<PairedCall, readonly PairedResponse[]>();
  const unanswered = new Map<string, PairedCall[]>();
  for (const call of calls) {
    answers.set(call, call.responses);
    if (call.responses.length > 0) continue;
    addTo(unanswered, call.call.id, call);
  }
  const orphans = new Map<string, PairedResponse>();
  for (const response of responses) {
    if (response.call) continue;
    const { callId } = response.response;
    const later = unanswered.get(callId)?.shift();
    const known = orphans.get(callId);
    if (later) answers.set(later, [response]);
    else if (known === undefined || quality(response.response) > quality(known.response)) orphans.set(callId, response);
  }
  return { answers, orphans: [...orphans.values()] };
}

/** The same entries; a call with the id of an earlier one has another id, which its responses name too. */
function withUniqueIds(
  entries: readonly IContent[],
  answers: ReadonlyMap<PairedCall, readonly PairedResponse[]>,
  orphans: readonly PairedResponse[],
): readonly IContent[] {
  const users: ContentBlock[][] = [
    ...[...answers].map(([{ call }, responses]) => [call, ...responses.map(({ response }) => response)]),
    ...orphans.map(({ response }) => [response]),
  ];
  const own = users.map(([first]) => (first as ToolCallBlock).id ?? (first as ToolResponseBlock).callId);
  const ids = uniqueIds(own);
  if (ids.every((id, at) => id === own[at])) return entries;
  const idOf = new Map(users.flatMap((blocks, at) => blocks.map((block) => [block, ids[at]!] as const)));
  const named = (block: ContentBlock): ContentBlock => {
    const id = idOf.get(block);
    if (id === undefined) return block;
    return block.type === 'tool_call' ? { ...block, id } : { ...(block as ToolResponseBlock), callId: id };
  };
  return entries.map((entry) => ({ ...entry, blocks: entry.blocks.map(named) }));
}

/** Higher is better: complete, then without error, then with a result. */
function quality(response: ToolResponseBlock): number {
  const { isComplete, result } = response;
  return (
    (isComplete === false ? 0 : 4) +
    (errorOf(response) === undefined ? 2 : 0) +
    (result === null || result === undefined ? 0 : 1)
  );
}

/** The best of several responses to one call; the first of equal ones. */
function best(responses: readonly PairedResponse[]): PairedResponse | undefined {
  return responses.reduce<PairedResponse | undefined>(
    (chosen, next) => (chosen && quality(chosen.response) >= quality(next.response) ? chosen : next),
    undefined,
  );
}

/** The tool entries that answer the calls of one ai entry, grouped as before; then one for the unanswered calls. */
function answersTo(
  entries: readonly IContent[],
  calls: readonly PairedCall[],
  answers: ReadonlyMap<PairedCall, readonly PairedResponse[]>,
): IContent[] {
  const chosen: PairedResponse[] = [];
  const media: ContentBlock[] = [];
  const unanswered: ToolCallBlock[] = [];
  for (const call of calls) {
    const responses = answers.get(call) ?? [];
    const kept = best(responses);
    if (kept) chosen.push(kept);
    else unanswered.push(entries[call.entry]!.blocks[call.block] as ToolCallBlock);
    for (const dropped of responses) {
      if (dropped === kept) continue;
      const attached = blocksOf(entries[dropped.entry]!, [dropped]);
      append(
        media,
        attached.filter((block) => block.type === 'media'),
      );
    }
  }
  chosen.sort((a, b) => a.entry - b.entry || a.block - b.block);
  const tools = [...groupBy(chosen, ({ entry }) => entry)].map(
    ([index, responses]): IContent => ({
      ...entries[index]!,
      speaker: 'tool',
      blocks: blocksOf(entries[index]!, responses),
    }),
  );
  const last = tools.at(-1);
  if (last && media.length > 0) tools[tools.length - 1] = { ...last, blocks: [...last.blocks, ...media] };
  return unanswered.length > 0 ? [...tools, cancelledResponses(unanswered)] : tools;
}

/** The responses of one entry with the blocks that belong to them, in order. */
function blocksOf(entry: IContent, responses: readonly PairedResponse[]): ContentBlock[] {
  return responses.flatMap(({ block }) => entry.blocks.slice(...responseExtent(entry, block)));
}

/** An entry without its responses and the blocks that belong to them. */
function withoutResponses(entry: IContent): IContent {
  const isTaken = new Uint8Array(entry.blocks.length);
  for (const [index, block] of entry.blocks.entries())
    if (block.type === 'tool_response') isTaken.fill(1, ...responseExtent(entry, index));
  return isTaken.includes(1) ? { ...entry, blocks: entry.blocks.filter((_, index) => isTaken[index] === 0) } : entry;
}

/** An ai entry that makes the calls which these responses of `entry` seem to answer. */
function callsFor(entry: IContent, orphans: readonly PairedResponse[]): IContent {
  const responses = orphans.map(({ block }) => entry.blocks[block] as ToolResponseBlock);
  return {
    speaker: 'ai',
    blocks: responses.map(({ callId, toolName }) => ({
      type: 'tool_call',
      id: callId,
      name: toolName,
      parameters: {},
    })),
    metadata: { synthetic: true, reason: 'orphaned_tool_response' },
  };
}
