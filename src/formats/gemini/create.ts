import { createHash } from 'node:crypto';
import type { ContentBlock, IContent, ToolCallBlock } from '../../content/content.ts';
import { groupBy } from '../../content/group-by.ts';
import { isoTime } from '../blocks/iso-time.ts';
import { attachedResponses, sendable } from '../blocks/sendable.ts';
import type { NewSession } from '../contract.ts';
import { jsonText } from '../json/json-text.ts';
import { newResponse } from './function-response.ts';
import { argumentsOf, newParts } from './gemini-content.ts';

const STEP_MS = 1000;
/** Separates the id of a message and its part in the ids of entries. */
const PART_MARK = '#';

/** The facts for new messages of a recording. */
interface MessageSeed {
  readonly seed: string;
  readonly startedAt: number;
  readonly model?: string | undefined;
}

const hexOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function uuid(text: string): string {
  const hex = hexOf(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The content of an answer: a text for one block, otherwise parts. */
function contentOf(blocks: readonly ContentBlock[]): unknown {
  const words = blocks.filter(({ type }) => type !== 'tool_call' && type !== 'thinking');
  const [first] = words;
  if (words.length === 0) return '';
  return words.length === 1 && first?.type === 'text' ? first.text : words.flatMap(newParts);
}

/** The calls of an answer without a result, by id, in order. */
type OpenCalls = ReadonlyMap<string, Record<string, unknown>[]>;

/**
 * New messages for entries; an answer contains its calls and their results. A message keeps the id of its entry if that is
 * the whole message. Equal seeds and entries give equal messages. Calls without a result are recorded as running.
 */
export function newMessages(entries: readonly IContent[], { seed, startedAt, model }: MessageSeed): unknown[] {
  const messages: unknown[] = [];
  const taken = new Set<string>();
  let open: OpenCalls = new Map();
  for (const [index, entry] of sendable(entries).entries()) {
    const { speaker, blocks, metadata } = entry;
    const timestamp = isoTime(metadata?.timestamp ?? startedAt + index * STEP_MS);
    const own = metadata?.id;
    const isOwn = own !== undefined && own !== '' && !own.includes(PART_MARK) && !taken.has(own);
    const id = isOwn ? own : uuid(`${seed}/${index}/${jsonText(blocks, 'an entry')}`);
    taken.add(id);
    if (speaker === 'human') messages.push({ id, timestamp, type: 'user', content: blocks.flatMap(newParts) });
    if (speaker === 'tool') answer(open, entry);
    if (speaker !== 'ai') continue;
    const calls = blocks.filter((block): block is ToolCallBlock => block.type === 'tool_call');
    const toolCalls = calls.map(
      ({ id: callId, name, parameters }): Record<string, unknown> => ({
        id: callId,
        name,
        args: argumentsOf(parameters),
        status: 'executing',
        timestamp,
      }),
    );
    open = groupBy(toolCalls, (call) => String(call['id']));
    const content = contentOf(blocks);
    if (content === '' && calls.length === 0) continue;
    const fields = { id, timestamp, type: 'gemini', content, thoughts: metadata?.['thoughts'] ?? [] };
    const named = metadata?.model ?? model;
    messages.push({
      ...fields,
      ...(named && { model: named }),
      ...(toolCalls.length > 0 && { toolCalls }),
    });
  }
  return messages;
}

function answer(open: OpenCalls, entry: IContent): void {
  for (const { response, parts } of attachedResponses(entry)) {
    const call = open.get(response.callId)?.shift();
    if (!call) continue;
    call['result'] = [newResponse(response), ...parts.flatMap(newParts)];
    call['status'] = response.error === undefined ? 'success' : 'error';
  }
}

/** The header of a new recording. */
export function newHeader({ id, workspaceRoot = '/', startedAt }: NewSession): Record<string, unknown> {
  const startTime = isoTime(startedAt);
  const projectHash = hexOf(workspaceRoot);
  return { sessionId: id, projectHash, startTime, lastUpdated: startTime, kind: 'main', directories: [workspaceRoot] };
}
