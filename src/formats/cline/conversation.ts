import { createHash } from 'node:crypto';
import type { ContentBlock, ContentMetadata, Speaker, Usage } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { readItem } from '../anthropic/anthropic-content.ts';
import { recordedMetadata } from '../blocks/entry-metadata.ts';
import { responseBlock } from '../blocks/response-block.ts';
import type { JsonPath } from '../json/json-splice.ts';
import type { Message } from '../messages/message-list.ts';
import type { MessagePart } from '../messages/message-part.ts';
import { type TextCall, textCalls } from './text-call.ts';
import { isOwnTurn, recordedFailure, resultHeader, stretches, textFacts } from './text-result.ts';

/** A part of one text of a message and its block. `frame`: the line that names the tool of a result. */
export interface Piece {
  /** Index in the list of content; -1 if the content is a text. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly kind: 'text' | 'call' | 'frame' | 'result';
  /** Number of its block among the blocks in texts; their paths are `['text', number]`. */
  readonly block: number;
}

/** The entries of one message, and the parts of its texts that contain them. */
export interface Reading {
  readonly parts: readonly MessagePart[];
  readonly pieces: readonly Piece[];
}

/** Length of the path of an item: a longer path is inside a result. */
const ITEM_PATH_LENGTH = 2;

interface OpenCall {
  readonly id: string;
  readonly name: string;
}

/** An item of a message with its index in the content; -1 if the content is a text. */
interface Item {
  readonly index: number;
  readonly part: unknown;
  /** Its text, if it is one. */
  readonly text: string | undefined;
}

function itemsOf({ content }: Message): readonly Item[] {
  if (typeof content === 'string') return content === '' ? [] : [{ index: -1, part: content, text: content }];
  return (Array.isArray(content) ? content : []).map((part: unknown, index): Item => {
    const text = isRecord(part) && part['type'] === 'text' ? part['text'] : undefined;
    return { index, part, text: typeof text === 'string' && text !== '' ? text : undefined };
  });
}

const asCount = (value: unknown): number => (typeof value === 'number' && value >= 0 ? value : 0);

function usageOf(metrics: unknown): Usage | undefined {
  if (!isRecord(metrics)) return undefined;
  const tokens = isRecord(metrics['tokens']) ? metrics['tokens'] : {};
  const promptTokens = asCount(metrics['inputTokens'] ?? tokens['prompt']);
  const completionTokens = asCount(metrics['outputTokens'] ?? tokens['completion']);
  if (promptTokens === 0) return undefined;
  const cachedTokens = asCount(metrics['cacheReadTokens'] ?? tokens['cached']);
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens, cachedTokens };
}

function metadataOf(message: Message, isAnswer: boolean): ContentMetadata {
  const { ts, modelInfo, metrics, isSummary } = message;
  const usage = isAnswer ? usageOf(metrics) : undefined;
  const model = isAnswer && isRecord(modelInfo) ? (modelInfo['id'] ?? modelInfo['modelId']) : undefined;
  const timestamp = typeof ts === 'number' ? ts : undefined;
  return recordedMetadata({ timestamp, model, usage, isSummary: isSummary === true });
}

/** Collects the blocks of a message in runs by speaker; each result starts a run. */
class Runs {
  readonly pieces: Piece[] = [];
  readonly #runs: { speaker: Speaker; blocks: ContentBlock[]; places: JsonPath[] }[] = [];
  #count = 0;

  add(speaker: Speaker, block: ContentBlock, place: JsonPath): void {
    const last = this.#runs.at(-1);
    if (last && block.type !== 'tool_response' && last.speaker === speaker) {
      last.blocks.push(block);
      last.places.push(place);
    } else this.#runs.push({ speaker, blocks: [block], places: [place] });
  }

  /** Adds a block in a text; `settle` can replace it later. */
  text(speaker: Speaker, block: ContentBlock, { index, start, end, kind }: Omit<Piece, 'block'>): number {
    const number = this.#count++;
    this.add(speaker, block, ['text', number]);
    this.pieces.push({ index, start, end, kind, block: number });
    return number;
  }

  settle(number: number, block: ContentBlock): void {
    for (const { blocks, places } of this.#runs) {
      const at = places.findIndex((place) => place[0] === 'text' && place[1] === number);
      if (at !== -1) blocks[at] = block;
    }
  }

  reading(metadata: ContentMetadata): Reading {
    const parts = this.#runs.map(({ speaker, blocks, places }) => ({ speaker, blocks, places, metadata }));
    return { parts, pieces: this.pieces };
  }
}

class ConversationReader {
  readonly #toolNames = new Map<string, string>();
  readonly #ids = new Set<string>();
  /** Calls of the last answer that can get their result from a text. */
  #open: OpenCall[] = [];
  readonly #toolNameOf = (callId: string): string => this.#toolNames.get(callId) ?? 'unknown';

  read(message: Message, next: unknown): Reading {
    return message['role'] === 'assistant' ? this.#answer(message, next) : this.#turn(message);
  }

  /** An id that does not change if earlier messages are removed. */
  #idOf({ ts }: Message, text: string): string {
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
    const wanted = typeof ts === 'number' ? `call_${ts}_${digest}` : `call_${digest}`;
    let id = wanted;
    for (let count = 2; this.#ids.has(id); count++) id = `${wanted}_${count}`;
    this.#ids.add(id);
    return id;
  }

  #answer(message: Message, next: unknown): Reading {
    const runs = new Runs();
    this.#open = [];
    const answers = isRecord(next) && next['role'] === 'user' ? itemsOf(next) : [];
    const waiting = answers.flatMap(({ text }) => (text === undefined ? [] : (resultHeader(text)?.name ?? [])));
    for (const { index, part, text } of itemsOf(message)) {
      if (text !== undefined) this.#answerText(runs, message, { index, text, waiting });
      else
        for (const { block, path } of readItem(part, ['content', index], () => 'unknown')) {
          runs.add('ai', block, path);
          if (block.type !== 'tool_call') continue;
          this.#toolNames.set(block.id, block.name);
          this.#open.push(block);
        }
    }
    return runs.reading(metadataOf(message, true));
  }

  /** Only calls that the next message answers by name count as calls; others are text. */
  #answerText(
    runs: Runs,
    message: Message,
    { index, text, waiting }: { index: number; text: string; waiting: string[] },
  ): void {
    let from = 0;
    const say = (end: number): void => {
      if (end > from)
        runs.text('ai', { type: 'text', text: text.slice(from, end) }, { index, start: from, end, kind: 'text' });
    };
    const isAnswered = ({ name }: TextCall): boolean => {
      const place = waiting.indexOf(name);
      if (place !== -1) waiting.splice(place, 1);
      return place !== -1;
    };
    for (const call of waiting.length === 0 ? [] : textCalls(text).filter(isAnswered)) {
      const { name, parameters, start, end } = call;
      say(start);
      const id = this.#idOf(message, text.slice(start, end));
      this.#open.push({ id, name });
      runs.text('ai', { type: 'tool_call', id, name, parameters }, { index, start, end, kind: 'call' });
      from = end;
    }
    say(text.length);
  }

  #turn(message: Message): Reading {
    const runs = new Runs();
    const items = itemsOf(message);
    for (const { part } of items)
      if (isRecord(part) && part['type'] === 'tool_result')
        this.#open = this.#open.filter(({ id }) => id !== part['tool_use_id']);
    let result: TextResult | undefined;
    for (const { index, part, text } of items) {
      if (text !== undefined) {
        const header = resultHeader(text);
        const place = header ? this.#open.findIndex(({ name }) => name === header.name) : -1;
        const [call] = place === -1 ? [] : this.#open.splice(place, 1);
        if (header && call) result = new TextResult(runs, call, { index, end: header.end });
        else if (isOwnTurn(text)) result = undefined;
        if (result) result.add(index, text, header && call ? header.end : 0);
        else runs.text('human', { type: 'text', text }, { index, start: 0, end: text.length, kind: 'text' });
        continue;
      }
      for (const { block, path } of readItem(part, ['content', index], this.#toolNameOf)) {
        const isResult = block.type === 'tool_response' || path.length > ITEM_PATH_LENGTH;
        runs.add(isResult || result ? 'tool' : 'human', withFailure(block), path);
      }
    }
    return runs.reading(metadataOf(message, false));
  }
}

function withFailure(block: ContentBlock): ContentBlock {
  if (block.type !== 'tool_response' || block.error !== undefined) return block;
  const error = recordedFailure(block.result);
  return error === undefined ? block : responseBlock(block.callId, block.toolName, { result: block.result, error });
}

/** A result in the texts after the line that names its tool. */
class TextResult {
  readonly #runs: Runs;
  readonly #call: OpenCall;
  readonly #number: number;
  readonly #texts: string[] = [];

  constructor(runs: Runs, call: OpenCall, { index, end }: { index: number; end: number }) {
    this.#runs = runs;
    this.#call = call;
    this.#number = runs.text('tool', this.#block(), { index, start: 0, end, kind: 'frame' });
  }

  add(index: number, text: string, from: number): void {
    for (const { isFeedback, start, end } of stretches(text, from)) {
      const words = text.slice(start, end);
      if (isFeedback) {
        this.#runs.text('human', { type: 'text', text: words }, { index, start, end, kind: 'text' });
        continue;
      }
      this.#texts.push(words);
      this.#runs.pieces.push({ index, start, end, kind: 'result', block: this.#number });
    }
    this.#runs.settle(this.#number, this.#block());
  }

  #block(): ContentBlock {
    const { id: callId, name: toolName } = this.#call;
    return responseBlock(callId, toolName, textFacts(this.#texts.join('\n')));
  }
}

/** The entries of each message of a conversation; calls and results are paired by id, or else by name and order. */
export function readConversation(messages: readonly unknown[]): Map<Message, Reading> {
  const reader = new ConversationReader();
  const readings = new Map<Message, Reading>();
  for (const [index, message] of messages.entries())
    if (isRecord(message)) readings.set(message, reader.read(message, messages[index + 1]));
  return readings;
}
