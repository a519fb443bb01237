import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ContentBlock, IContent, MediaBlock, ToolResponseBlock } from '../content/content.ts';
import { isRecord } from '../content/vocabulary.ts';
import type { JsonChange, JsonPath } from './json-splice.ts';
import { jsonText } from './json-text.ts';
import type { Message, MessageDialect, MessagePart, PlacedEdit } from './message-list.ts';
import { fencedCode, opaqueBlock, unchangeable } from './opaque-block.ts';
import { attachedResponses } from './sendable.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A block and where it stands: a path from the value that its part is in. */
export interface PlacedPart {
  readonly block: ContentBlock;
  readonly path: JsonPath;
}

const ID_CHARACTERS = 12;
const ERROR_CHARACTERS = 200;
const ROLES: ReadonlySet<unknown> = new Set(['user', 'model']);

/**
 * Ids of calls. Most parts carry none: the id of such a call is made of its name and arguments, so that it stays the
 * same when something before it goes, and results belong to the open call of their name, then to the first open one.
 */
export class CallIds {
  readonly #counts = new Map<string, number>();
  #open: { readonly id: string; readonly name: string }[] = [];

  /** A new turn of the model: no call of an earlier one can be answered any more. */
  turn(): void {
    this.#open = [];
  }

  call(given: unknown, name: string, parameters: unknown): string {
    const id = typeof given === 'string' && given !== '' ? given : this.#made(name, parameters);
    this.#open.push({ id, name });
    return id;
  }

  result(given: unknown, name: string): string {
    const isGiven = typeof given === 'string' && given !== '';
    const exact = this.#open.findIndex((call) => (isGiven ? call.id === given : call.name === name));
    const place = exact === -1 && !isGiven ? 0 : exact;
    const [call] = place === -1 ? [] : this.#open.splice(place, 1);
    return isGiven ? given : (call?.id ?? this.#made(name, undefined));
  }

  #made(name: string, parameters: unknown): string {
    const text = `${name} ${jsonText(parameters, name)}`;
    const count = (this.#counts.get(text) ?? 0) + 1;
    this.#counts.set(text, count);
    const digest = createHash('sha256').update(text).digest('hex').slice(0, ID_CHARACTERS);
    return count === 1 ? `call_${digest}` : `call_${digest}_${count}`;
  }
}

const isPlain = (response: unknown): response is Fields =>
  isRecord(response) && Object.keys(response).every((key) => key === 'output' || key === 'error');

/** What a `functionResponse.response` says: its `output` and its `error`, or the whole of it where it has another shape. */
export function responseFacts(response: unknown): { result: unknown; error?: string } {
  if (!isRecord(response)) return { result: response ?? '' };
  const { error } = response;
  const failed = 'error' in response && error !== null && error !== undefined;
  const words = typeof error === 'string' ? error : jsonText(error, 'an error').slice(0, ERROR_CHARACTERS);
  return { result: isPlain(response) ? (response['output'] ?? '') : response, ...(failed && { error: words }) };
}

/** How the `response` at `path` changes so that it says what `block` says. */
export function responseChanges(response: unknown, path: JsonPath, block: ToolResponseBlock): JsonChange[] {
  const before = responseFacts(response);
  const { result, error } = block;
  if (!isPlain(response)) {
    if (isDeepStrictEqual(before.result, result) && before.error === error) return [];
    return [{ kind: 'set', path, value: { output: result ?? '', ...(error !== undefined && { error }) } }];
  }
  const changes: JsonChange[] = [];
  if (!isDeepStrictEqual(before.result, result))
    changes.push({ kind: 'set', path: [...path, 'output'], value: result ?? '' });
  if (before.error !== error)
    changes.push(
      error === undefined
        ? { kind: 'remove', path: [...path, 'error'] }
        : { kind: 'set', path: [...path, 'error'], value: error },
    );
  return changes;
}

function readMedia(part: Fields): MediaBlock | undefined {
  const inline = part['inlineData'];
  const file = part['fileData'];
  if (isRecord(inline) && typeof inline['data'] === 'string')
    return { type: 'media', mimeType: String(inline['mimeType'] ?? '*/*'), data: inline['data'], encoding: 'base64' };
  if (isRecord(file) && typeof file['fileUri'] === 'string')
    return { type: 'media', mimeType: String(file['mimeType'] ?? '*/*'), data: file['fileUri'], encoding: 'url' };
  return undefined;
}

function readResponse(response: Fields, path: JsonPath, ids: CallIds): PlacedPart[] {
  const name = typeof response['name'] === 'string' ? response['name'] : 'unknown';
  const callId = ids.result(response['id'], name);
  const parts = Array.isArray(response['parts']) ? response['parts'] : [];
  const media = parts.flatMap((part: unknown, index): PlacedPart[] => {
    const block = isRecord(part) ? readMedia(part) : undefined;
    return block ? [{ block, path: [...path, 'functionResponse', 'parts', index] }] : [];
  });
  const facts = responseFacts(response['response']);
  return [{ block: { type: 'tool_response', callId, toolName: name, ...facts }, path }, ...media];
}

function readPart(part: unknown, path: JsonPath, ids: CallIds): PlacedPart[] {
  if (typeof part === 'string') return part === '' ? [] : [{ block: { type: 'text', text: part }, path }];
  if (!isRecord(part)) return [];
  const { text, thought, thoughtSignature: signature, functionCall: call, functionResponse: response } = part;
  const isThought = thought === true || typeof thought === 'string';
  if (isThought) {
    const words = typeof thought === 'string' ? thought : typeof text === 'string' ? text : '';
    const signed = typeof signature === 'string' ? { signature } : {};
    return [{ block: { type: 'thinking', thought: words, sourceField: 'thought', ...signed }, path }];
  }
  if (typeof text === 'string') return text === '' ? [] : [{ block: { type: 'text', text }, path }];
  if (isRecord(call)) {
    const name = typeof call['name'] === 'string' ? call['name'] : 'unknown';
    const parameters = call['args'] ?? {};
    return [{ block: { type: 'tool_call', id: ids.call(call['id'], name, parameters), name, parameters }, path }];
  }
  if (isRecord(response)) return readResponse(response, path, ids);
  const media = readMedia(part);
  return [{ block: media ?? opaqueBlock(part), path }];
}

/** The blocks of a list of parts, or of one part or text that stands for it, each with its place from `path` on. */
export function readParts(parts: unknown, path: JsonPath, ids: CallIds): PlacedPart[] {
  if (!Array.isArray(parts)) return readPart(parts, path, ids);
  return parts.flatMap((part, index) => readPart(part, [...path, index], ids));
}

const partOf = (speaker: MessagePart['speaker'], placed: readonly PlacedPart[]): MessagePart => ({
  speaker,
  blocks: placed.map(({ block }) => block),
  places: placed.map(({ path }) => path),
});

/** The entries of what a user's turn holds: each result with its media is one, what stands between results another. */
export function userParts(placed: readonly PlacedPart[]): MessagePart[] {
  const runs: { speaker: 'human' | 'tool'; placed: PlacedPart[] }[] = [];
  for (const one of placed) {
    const isResult = one.block.type === 'tool_response';
    const last = runs.at(-1);
    if (last && !isResult && (last.speaker === 'human' || one.block.type === 'media')) last.placed.push(one);
    else runs.push({ speaker: isResult ? 'tool' : 'human', placed: [one] });
  }
  return runs.map((run) => partOf(run.speaker, run.placed));
}

/**
 * How one part at `path` changes when its block is edited so; a `part` that is a text stands for itself.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` when a block changed that can only be kept or dropped.
 */
export function partChanges(part: unknown, path: JsonPath, { block, edit }: PlacedEdit): JsonChange[] {
  if (edit.kind === 'keep') return [];
  if (edit.kind === 'drop') return [{ kind: 'remove', path }];
  const after = edit.block;
  if (after.type === 'text')
    return [{ kind: 'set', path: isRecord(part) ? [...path, 'text'] : path, value: after.text }];
  if (after.type === 'tool_call' && block.type === 'tool_call') {
    const inner = [...path, 'functionCall'];
    const named: JsonChange[] =
      after.name === block.name ? [] : [{ kind: 'set', path: [...inner, 'name'], value: after.name }];
    return [...named, { kind: 'set', path: [...inner, 'args'], value: after.parameters }];
  }
  const response = isRecord(part) ? part['functionResponse'] : undefined;
  if (after.type === 'tool_response' && isRecord(response))
    return responseChanges(response['response'], [...path, 'functionResponse', 'response'], after);
  throw unchangeable(block);
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key], value);
}

function writeMedia({ encoding, mimeType, data }: MediaBlock): unknown {
  return encoding === 'base64' ? { inlineData: { mimeType, data } } : { fileData: { mimeType, fileUri: data } };
}

/** The parts that say what a block of a new turn says; thinking only where this API wrote it. */
export function newParts(block: ContentBlock): unknown[] {
  if (block.type === 'text') return [{ text: block.text }];
  if (block.type === 'code') return [{ text: fencedCode(block) }];
  if (block.type === 'media') return [writeMedia(block)];
  if (block.type === 'tool_call')
    return [{ functionCall: { id: block.id, name: block.name, args: argumentsOf(block.parameters) } }];
  if (block.type === 'tool_response') return [newResponse(block)];
  if (block.sourceField !== 'thought') return [];
  return [{ text: block.thought, thought: true, ...(block.signature && { thoughtSignature: block.signature }) }];
}

/** `args` must be an object: what is none (raw text, say) becomes its `input`. */
export function argumentsOf(parameters: unknown): unknown {
  return isRecord(parameters) ? parameters : parameters === undefined ? {} : { input: parameters };
}

/** A new `functionResponse` part. */
export function newResponse({ callId, toolName, result, error }: ToolResponseBlock): unknown {
  const output = result ?? '';
  return {
    functionResponse: {
      id: callId,
      name: toolName,
      response: { ...((output !== '' || error === undefined) && { output }), ...(error !== undefined && { error }) },
    },
  };
}

function newContents(entries: readonly IContent[]): unknown[] {
  const contents: { role: string; parts: unknown[] }[] = [];
  let results: unknown[] | undefined;
  for (const entry of entries) {
    const parts =
      entry.speaker === 'tool'
        ? attachedResponses(entry).flatMap(({ response, parts: attached }) => [response, ...attached].flatMap(newParts))
        : entry.blocks.flatMap(newParts);
    if (parts.length === 0) continue;
    // All results of one turn of the model must stand in the next turn.
    if (entry.speaker === 'tool' && results) results.push(...parts);
    else contents.push({ role: entry.speaker === 'ai' ? 'model' : 'user', parts });
    results = entry.speaker === 'tool' ? (results ?? parts) : undefined;
  }
  return contents;
}

/**
 * Turns of the Gemini API, `{role: user|model, parts}`. Results are paired by id where there is one, else by name and
 * order. A turn goes when all of its parts go, and an answer when nothing but thoughts is left of it.
 * Source: https://ai.google.dev/api/caching#Content
 */
export const geminiContents: MessageDialect = {
  reader() {
    const ids = new CallIds();
    return (message) => {
      const isAnswer = message['role'] === 'model';
      if (isAnswer) ids.turn();
      const placed = readParts(message['parts'], ['parts'], ids);
      if (placed.length === 0) return [];
      return isAnswer ? [partOf('ai', placed)] : userParts(placed);
    };
  },
  changes(message: Message, edits) {
    const kept = edits.filter(({ edit }) => edit.kind !== 'drop');
    if (kept.every(({ block }) => block.type === 'thinking')) return 'remove';
    return edits.flatMap((one) => partChanges(valueAt(message, one.path), one.path, one));
  },
  create: newContents,
};

/** Whether a list, which may be cut, is one of turns of the Gemini API. */
export function isContentList(list: unknown): list is readonly unknown[] {
  if (!Array.isArray(list) || list.length === 0) return false;
  const whole = list.length > 1 ? list.slice(0, -1) : list;
  // Parts with a `type` are those of the AI SDK.
  const isPart = (part: unknown): boolean => !isRecord(part) || !('type' in part);
  return whole.every(
    (turn) => isRecord(turn) && ROLES.has(turn['role']) && Array.isArray(turn['parts']) && turn['parts'].every(isPart),
  );
}
