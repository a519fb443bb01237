import { createHash } from 'node:crypto';
import type { ContentBlock, IContent } from '../../content/content.ts';
import type { Fields } from '../../content/foreign-value.ts';
import { isoTime } from '../blocks/iso-time.ts';
import { fencedCode } from '../blocks/opaque-block.ts';
import { attachedResponses } from '../blocks/sendable.ts';
import { responseText } from '../blocks/tool-result.ts';
import { jsonLine, jsonText } from '../json/json-text.ts';
import { isOwnThinking } from './event.ts';

const wordsOf = (blocks: readonly ContentBlock[]): string =>
  blocks
    .flatMap((block) => (block.type === 'text' ? block.text : block.type === 'code' ? fencedCode(block) : []))
    .join('\n');

function userEvent(blocks: readonly ContentBlock[]): Fields {
  const attachments = blocks.flatMap((block) =>
    block.type === 'media' && block.encoding === 'base64'
      ? {
          type: 'blob',
          data: block.data,
          mimeType: block.mimeType,
          ...(block.filename && { displayName: block.filename }),
        }
      : [],
  );
  const content = wordsOf(blocks);
  return { type: 'user.message', data: { content, transformedContent: content, attachments } };
}

function answerEvent(blocks: readonly ContentBlock[]): Fields[] {
  const toolRequests = blocks.flatMap((block) =>
    block.type === 'tool_call'
      ? { toolCallId: block.id, name: block.name, arguments: block.parameters ?? {}, type: 'function' }
      : [],
  );
  const thinking = blocks.find((block) => block.type === 'thinking' && isOwnThinking(block.sourceField));
  const { thought = '', encryptedContent } = thinking?.type === 'thinking' ? thinking : {};
  const content = wordsOf(blocks);
  // The API rejects an answer that is only thinking.
  if (content === '' && toolRequests.length === 0) return [];
  const reasoning = {
    ...(thought !== '' && { reasoningText: thought }),
    ...(encryptedContent !== undefined && { reasoningOpaque: encryptedContent }),
  };
  return [{ type: 'assistant.message', data: { content, toolRequests, ...reasoning } }];
}

function resultEvents(entry: IContent, parameters: ReadonlyMap<string, unknown>): Fields[] {
  return attachedResponses(entry).flatMap(({ response, parts }) => {
    const { callId: toolCallId, toolName, error } = response;
    const content = [responseText(response), wordsOf(parts)].filter((text) => text !== '').join('\n');
    const outcome =
      error === undefined
        ? { success: true, result: { content } }
        : { success: false, error: { message: content, code: 'failure' } };
    const start = { toolCallId, toolName, arguments: parameters.get(toolCallId) ?? {} };
    return [
      { type: 'tool.execution_start', data: start },
      { type: 'tool.execution_complete', data: { toolCallId, ...outcome } },
    ];
  });
}

/** Makes new events, each a child of the previous one. Equal seeds and entries give equal lines. */
export class EventMaker {
  readonly #seed: string;
  readonly #parameters = new Map<string, unknown>();
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** The line of one event, and its id. */
  line(event: Fields, parentId: unknown, at: number): { id: string; bytes: Uint8Array } {
    const text = jsonText(event, 'an event');
    const hex = createHash('sha256')
      .update(`${this.#seed}/${this.#count++}/${text}`)
      .digest('hex');
    const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    const whole = { ...event, id, timestamp: isoTime(at), parentId };
    return { id, bytes: jsonLine(whole, 'an event') };
  }

  /** The events of an entry. */
  events({ speaker, blocks, ...rest }: IContent): Fields[] {
    for (const block of blocks) if (block.type === 'tool_call') this.#parameters.set(block.id, block.parameters);
    if (speaker === 'human') return [userEvent(blocks)];
    return speaker === 'ai' ? answerEvent(blocks) : resultEvents({ speaker, blocks, ...rest }, this.#parameters);
  }
}
