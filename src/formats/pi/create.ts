import { createHash } from 'node:crypto';
import type { ContentBlock, IContent, ThinkingBlock } from '../../content/content.ts';
import type { Fields } from '../../content/foreign-value.ts';
import { isoTime } from '../blocks/iso-time.ts';
import { fencedCode } from '../blocks/opaque-block.ts';
import { attachedResponses, sendable } from '../blocks/sendable.ts';
import { joinError, resultText } from '../blocks/tool-result.ts';
import type { NewSession } from '../contract.ts';
import { jsonLine } from '../json/json-text.ts';
import { thoughtSource } from './entry.ts';

const STEP_MS = 1000;
const ID = /^[0-9a-f]{8}$/;
const ID_CHARACTERS = 8;
/**
 * Characters that pi rejects in the id of a call. It accepts more than providers and adapts ids when it sends them: an id
 * of OpenAI is two ids with `|` between them. Source: recordings of 2026; badlogic/pi-mono, packages/ai/src/providers.
 */
const FOREIGN = /[^a-zA-Z0-9_|+/=-]/g;
const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: NO_COST };

/** The facts for new entries. Without `parentId` they have no ids, as in version 1. */
interface EntrySeed {
  readonly seed: string;
  readonly startedAt: number;
  readonly model?: string | undefined;
  readonly parentId?: string | null;
  readonly taken: Set<string>;
}

/** The API and provider of a model, by the name of the model. */
function apiOf(model: string, hasSignedThought: boolean): { api: string; provider: string } {
  if (hasSignedThought || /^claude/.test(model)) return { api: 'anthropic-messages', provider: 'anthropic' };
  if (/^gemini/.test(model)) return { api: 'google-generative-ai', provider: 'google' };
  return { api: 'openai-responses', provider: 'openai' };
}

/** A thought for the API that wrote it: one that is signed or encrypted, or that pi recorded. */
function newThought({ thought, sourceField, signature }: ThinkingBlock, api: string, isOwn: boolean): Fields[] {
  if (sourceField !== thoughtSource(api)) return [];
  if (signature === undefined) return isOwn ? [{ type: 'thinking', thinking: thought }] : [];
  // OpenAI's signature is a whole item.
  if (sourceField === 'reasoning' && !signature.startsWith('{')) return [];
  return [{ type: 'thinking', thinking: thought, thinkingSignature: signature }];
}

function newPart(block: ContentBlock): Fields[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type === 'code') return [{ type: 'text', text: fencedCode(block) }];
  if (block.type === 'media' && block.encoding === 'base64')
    return [{ type: 'image', data: block.data, mimeType: block.mimeType }];
  if (block.type === 'tool_call')
    return [{ type: 'toolCall', id: block.id, name: block.name, arguments: block.parameters ?? {} }];
  return [];
}

function newMessages(entry: IContent, timestamp: number, model: string): Fields[] {
  const { speaker, blocks, metadata } = entry;
  if (speaker === 'tool')
    return attachedResponses(entry).map(({ response, parts }) => {
      const { callId: toolCallId, toolName, result, error } = response;
      const text = error === undefined ? resultText(result) : joinError(error, resultText(result));
      const content = [{ type: 'text', text }, ...parts.flatMap(newPart)];
      return { role: 'toolResult', toolCallId, toolName, content, isError: error !== undefined, timestamp };
    });
  const named = metadata?.model ?? model;
  const isSigned = blocks.some(
    (block) => block.type === 'thinking' && block.sourceField === 'thinking' && block.signature !== undefined,
  );
  const recorded = metadata?.['api'];
  const guessed = apiOf(named, isSigned);
  const api = typeof recorded === 'string' ? recorded : guessed.api;
  const content = blocks.flatMap((block) =>
    block.type === 'thinking' ? newThought(block, api, recorded !== undefined) : newPart(block),
  );
  if (content.every(({ type }) => type === 'thinking')) return [];
  if (speaker === 'human') return [{ role: 'user', content, timestamp }];
  const stopReason = content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop';
  const from = { api, provider: metadata?.provider ?? guessed.provider, model: named };
  return [{ role: 'assistant', content, ...from, usage: NO_USAGE, stopReason, timestamp }];
}

/** New entries of a session, each a child of the previous one. Equal seeds and histories give equal entries. */
export function newEntries(history: readonly IContent[], options: EntrySeed): Fields[] {
  const { seed, startedAt, model = 'unknown', taken } = options;
  let { parentId } = options;
  const freeId = (wanted: string | undefined, count: number): string => {
    let id = wanted !== undefined && ID.test(wanted) ? wanted : '';
    for (let attempt = 0; id === '' || taken.has(id); attempt++)
      id = createHash('sha256').update(`${seed}/${count}/${attempt}`).digest('hex').slice(0, ID_CHARACTERS);
    taken.add(id);
    return id;
  };
  const values: Fields[] = [];
  for (const [index, entry] of sendable(history, FOREIGN).entries()) {
    const timeMs = entry.metadata?.timestamp ?? startedAt + index * STEP_MS;
    for (const message of newMessages(entry, timeMs, model)) {
      const id = parentId === undefined ? undefined : freeId(entry.metadata?.id, values.length);
      const place = id !== undefined && { id, parentId: parentId ?? null };
      values.push({ type: 'message', ...place, timestamp: isoTime(timeMs), message });
      if (id !== undefined) parentId = id;
    }
  }
  return values;
}

/** The lines of a new session, version 3. */
export function* createSession(history: readonly IContent[], session: NewSession): Generator<Uint8Array> {
  const { id, startedAt, model, workspaceRoot: cwd = '/' } = session;
  const header = { type: 'session', version: 3, id, timestamp: isoTime(startedAt), cwd };
  const entries = newEntries(history, { seed: id, startedAt, model, parentId: null, taken: new Set() });
  for (const value of [header, ...entries]) yield jsonLine(value, 'an entry');
}
