import { createHash } from 'node:crypto';
import type {
  ContentBlock,
  IContent,
  MediaBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResponseBlock,
} from '../../content/content.ts';
import { urlOfMedia } from '../blocks/data-url.ts';
import { fencedCode } from '../blocks/opaque-block.ts';
import { attachedResponses, sendable } from '../blocks/sendable.ts';
import { joinError, resultText } from '../blocks/tool-result.ts';
import type { NewSession } from '../contract.ts';
import type { Neighbours } from '../messages/message-list.ts';
import { infoOf } from './message.ts';

const STEP_MS = 1000;
const TIME_DIGITS = 12;
const TAIL_CHARACTERS = 14;
/** An id starts with its time in units of 1/4096 ms, so that ids sort by time. Source: ids in exports of 1.3 and 1.4. */
const TICKS_PER_MS = 0x1000;

type Json = Record<string, unknown>;

/** The facts for new messages of a session. */
interface MessageSeed {
  readonly sessionId: string;
  readonly startedAt: number;
  readonly directory: string;
  readonly model?: string | undefined;
  readonly parentId?: string | undefined;
  /** Makes the id of the nth new message; by default, ids increase from `startedAt`. */
  readonly messageId?: (count: number) => string;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function risingId(prefix: string, timeMs: number, count: number, seed: string): string {
  const ticks = BigInt(Math.max(0, Math.floor(timeMs))) * BigInt(TICKS_PER_MS) + BigInt(count);
  const time = (ticks & ((1n << 48n) - 1n)).toString(16).padStart(TIME_DIGITS, '0');
  return `${prefix}_${time}${digestOf(`${seed}/${count}`).slice(0, TAIL_CHARACTERS)}`;
}

/** The provider of a model, by the name of the model. */
function providerOf(model: string): string {
  if (/^claude/.test(model)) return 'anthropic';
  if (/^gemini/.test(model)) return 'google';
  return 'openai';
}

/** A thought, with its signature or encrypted content under the name of its provider. */
function newThought({ thought, signature, encryptedContent }: ThinkingBlock, provider: string, created: number): Json {
  const sealKey = provider === 'anthropic' ? 'redactedData' : 'reasoningEncryptedContent';
  const seal = {
    ...(signature !== undefined && { signature }),
    ...(encryptedContent !== undefined && { [sealKey]: encryptedContent }),
  };
  const metadata = Object.keys(seal).length > 0 && { metadata: { [provider]: seal } };
  return { type: 'reasoning', text: thought, time: { start: created, end: created }, ...metadata };
}

function filePart(block: MediaBlock): Json {
  const { mimeType, filename } = block;
  return { type: 'file', mime: mimeType, ...(filename && { filename }), url: urlOfMedia(block) };
}

function toolState(call: ToolCallBlock, timeMs: number): Json {
  const input = typeof call.parameters === 'string' ? { input: call.parameters } : (call.parameters ?? {});
  return { status: 'pending', input, raw: '', time: { start: timeMs } };
}

function answeredState(
  { input }: Json,
  { result, error }: ToolResponseBlock,
  attached: readonly ContentBlock[],
  time: { readonly start: number; readonly end: number },
): Json {
  if (error !== undefined) return { status: 'error', input, error: joinError(error, resultText(result)), time };
  const attachments = attached.flatMap((block) => (block.type === 'media' ? filePart(block) : []));
  const output = [resultText(result), ...attached.flatMap((block) => (block.type === 'text' ? block.text : []))];
  const shown = { status: 'completed', input, output: output.join('\n'), title: '', metadata: {}, time };
  return { ...shown, ...(attachments.length > 0 && { attachments }) };
}

/** Makes messages from entries; an answer contains its calls and their results. */
class MessageMaker {
  readonly messages: { info: Json; parts: Json[] }[] = [];
  readonly #seed: MessageSeed;
  #open: { readonly id: string; readonly part: Json; readonly startedAt: number }[] = [];
  #parentId: string;
  #count = 0;

  constructor(seed: MessageSeed) {
    this.#seed = seed;
    this.#parentId = seed.parentId ?? '';
  }

  #message(info: Json, parts: readonly Json[], created: number): void {
    const { sessionId, messageId } = this.#seed;
    const id = messageId?.(this.messages.length) ?? risingId('msg', created, this.#count++, sessionId);
    const owned = parts.map((part) =>
      Object.assign(part, {
        id: risingId('prt', created, this.#count++, `${sessionId}/${id}`),
        sessionID: sessionId,
        messageID: id,
      }),
    );
    if (info['role'] === 'user') this.#parentId = id;
    this.messages.push({ info: { ...info, id, sessionID: sessionId }, parts: owned });
  }

  question({ blocks }: IContent, created: number): void {
    const modelID = this.#seed.model ?? 'unknown';
    const parts = blocks.flatMap((block): Json[] => {
      if (block.type === 'text') return [{ type: 'text', text: block.text }];
      if (block.type === 'code') return [{ type: 'text', text: fencedCode(block) }];
      return block.type === 'media' ? [filePart(block)] : [];
    });
    const model = { providerID: providerOf(modelID), modelID };
    this.#message({ role: 'user', time: { created }, agent: 'build', model }, parts, created);
  }

  answer({ blocks, metadata }: IContent, created: number): void {
    this.#open = [];
    const modelID = metadata?.model ?? this.#seed.model ?? 'unknown';
    const providerID = metadata?.provider ?? providerOf(modelID);
    const parts = blocks.flatMap((block): Json[] => {
      if (block.type === 'text') return [{ type: 'text', text: block.text }];
      if (block.type === 'code') return [{ type: 'text', text: fencedCode(block) }];
      if (block.type === 'thinking' && block.sourceField === 'reasoning')
        return [newThought(block, providerID, created)];
      if (block.type !== 'tool_call') return [];
      const part = { type: 'tool', callID: block.id, tool: block.name, state: toolState(block, created) };
      this.#open.push({ id: block.id, part, startedAt: created });
      return [part];
    });
    if (parts.every(({ type }) => type === 'reasoning')) return;
    const finish = this.#open.length > 0 ? 'tool-calls' : 'stop';
    const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
    const info = {
      role: 'assistant',
      parentID: this.#parentId,
      modelID,
      providerID,
      mode: 'build',
      agent: 'build',
      path: { cwd: this.#seed.directory, root: this.#seed.directory },
      cost: 0,
      tokens,
      time: { created, completed: created },
      finish,
    };
    const end = { type: 'step-finish', reason: finish, cost: 0, tokens };
    this.#message(info, [{ type: 'step-start' }, ...parts, end], created);
  }

  results(entry: IContent, end: number): void {
    for (const { response, parts } of attachedResponses(entry)) {
      const found = this.#open.find(({ id }) => id === response.callId);
      if (!found) continue;
      const before = found.part['state'] as Json;
      found.part['state'] = answeredState(before, response, parts, { start: found.startedAt, end });
    }
  }
}

/** New messages for entries. Equal seeds and entries give equal messages. */
function newMessages(entries: readonly IContent[], seed: MessageSeed): { info: Json; parts: Json[] }[] {
  const maker = new MessageMaker(seed);
  for (const [index, entry] of sendable(entries).entries()) {
    const created = entry.metadata?.timestamp ?? seed.startedAt + index * STEP_MS;
    if (entry.speaker === 'human') maker.question(entry, created);
    else if (entry.speaker === 'ai') maker.answer(entry, created);
    else maker.results(entry, created);
  }
  return maker.messages;
}

/** New messages between two messages of a session, with ids that sort between theirs. */
export function messagesBetween(
  entries: readonly IContent[],
  { previous, next }: Neighbours,
  session: Json,
): unknown[] {
  const near = infoOf(previous ?? next);
  const { created } = (near['time'] ?? {}) as { created?: unknown };
  const before = infoOf(previous)['id'];
  const behind = infoOf(next)['id'];
  const rank = (count: number): string => String(count).padStart(TIME_DIGITS, '0');
  const messageId = (count: number): string => {
    if (typeof before === 'string') return `${before}${rank(count)}`;
    if (typeof behind !== 'string') return risingId('msg', 0, count, 'new');
    // One tick before the first id: its number minus one.
    const [start = behind, prefix = 'msg_', ticks = '1'] = /^(\D*_)([0-9a-f]{12})/.exec(behind) ?? [];
    const earlier = (BigInt(`0x${ticks}`) - 1n).toString(16).padStart(TIME_DIGITS, '0');
    return `${prefix}${earlier}${behind.slice(start.length)}${rank(count)}`;
  };
  return newMessages(entries, {
    sessionId: String(session['id']),
    directory: String(session['directory'] ?? '/'),
    startedAt: typeof created === 'number' ? created : 0,
    messageId,
    parentId: typeof near['parentID'] === 'string' ? near['parentID'] : typeof before === 'string' ? before : undefined,
    ...(typeof near['modelID'] === 'string' && { model: near['modelID'] }),
  });
}

/** A new export. */
export function newExport(history: readonly IContent[], session: NewSession): object {
  const { id, startedAt, model, workspaceRoot: directory = '/' } = session;
  const sessionId = /^ses_/.test(id) ? id : `ses_${digestOf(id).slice(0, TIME_DIGITS + TAIL_CHARACTERS)}`;
  const messages = newMessages(history, { sessionId, startedAt, directory, model });
  const time = { created: startedAt, updated: startedAt };
  const facts = { projectID: 'global', directory, title: 'New session', version: '1.4.3', time };
  return { info: { id: sessionId, slug: sessionId, ...facts }, messages };
}
