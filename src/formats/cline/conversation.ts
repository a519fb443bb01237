import { createHash } from 'node:crypto';
import type { ContentBlock } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { readItem } from '../anthropic/anthropic-content.ts';
import { CallsOfResults } from '../blocks/calls-of-results.ts';
import { responseBlock } from '../blocks/tool-result.ts';
import type { Message } from '../messages/message-list.ts';
import { attachedText } from './attached-file.ts';
import { metadataOf } from './message-metadata.ts';
import { MessageRuns, type Reading } from './message-runs.ts';
import { type TextCall, textCalls } from './text-call.ts';
import { isOwnTurn, recordedFailure, resultHeader } from './text-result.ts';
import { type OpenCall, TextRun } from './text-run.ts';

/** An item of a message with its index in the content; -1 if the content is a text. */
interface Item {
  readonly index: number;
  readonly part: unknown;
  /** Its text, if it is one. */
  readonly text: string | undefined;
}

/** The items of a message; a content that is a text is one item. */
function itemsOf({ content }: Message): readonly Item[] {
  if (typeof content === 'string') return content === '' ? [] : [{ index: -1, part: content, text: content }];
  return (Array.isArray(content) ? content : []).map((part: unknown, index): Item => {
    const text = isRecord(part) && part['type'] === 'text' ? part['text'] : undefined;
    return { index, part, text: typeof text === 'string' && text !== '' ? text : undefined };
  });
}

/** Length of the path of an item: a longer path is inside a result. */
const ITEM_PATH_LENGTH = 2;

class ConversationReader {
  readonly #calls = new CallsOfResults();
  readonly #ids = new Set<string>();
  /** Calls of the last answer that can get their result from a text. */
  #open: OpenCall[] = [];

  read(message: Message, next: unknown): Reading {
    const isAnswer = message['role'] === 'assistant';
    this.#calls.startMessage(isAnswer ? 'ai' : 'human');
    return isAnswer ? this.#answer(message, next) : this.#turn(message);
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
    const runs = new MessageRuns();
    this.#open = [];
    const answers = isRecord(next) && next['role'] === 'user' ? itemsOf(next) : [];
    const waiting = answers.flatMap(({ text }) => (text === undefined ? [] : (resultHeader(text)?.name ?? [])));
    for (const { index, part, text } of itemsOf(message)) {
      if (text !== undefined) this.#answerText(runs, message, { index, text, waiting });
      else
        for (const { block, path } of readItem(part, ['content', index], () => 'unknown')) {
          runs.add('ai', block, path);
          if (block.type !== 'tool_call') continue;
          this.#calls.add(block);
          this.#open.push(block);
        }
    }
    return runs.reading(metadataOf(message, true));
  }

  /** Only calls that the next message answers by name count as calls; others are text. */
  #answerText(
    runs: MessageRuns,
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
    const runs = new MessageRuns();
    const items = itemsOf(message);
    for (const { part } of items)
      if (isRecord(part) && part['type'] === 'tool_result')
        this.#open = this.#open.filter(({ id }) => id !== part['tool_use_id']);
    let result: TextRun | undefined;
    for (const { index, part, text } of items) {
      if (text !== undefined) {
        const header = resultHeader(text);
        const place = header ? this.#open.findIndex(({ name }) => name === header.name) : -1;
        const [call] = place === -1 ? [] : this.#open.splice(place, 1);
        if (header && call) result = new TextRun(runs, call, { index, end: header.end });
        else if (isOwnTurn(text)) result = undefined;
        if (result) result.add(index, text, header && call ? header.end : 0);
        else runs.text('human', { type: 'text', text }, { index, start: 0, end: text.length, kind: 'text' });
        continue;
      }
      const attached = attachedText(part);
      if (attached !== undefined) {
        runs.add('human', { type: 'text', text: attached }, ['content', index]);
        continue;
      }
      for (const { block, path } of readItem(part, ['content', index], this.#calls.nextName)) {
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

/** The entries of each message of a conversation; calls and results are paired by id, or else by name and order. */
export function readConversation(messages: readonly unknown[]): Map<Message, Reading> {
  const reader = new ConversationReader();
  const readings = new Map<Message, Reading>();
  for (const [index, message] of messages.entries())
    if (isRecord(message)) readings.set(message, reader.read(message, messages[index + 1]));
  return readings;
}
