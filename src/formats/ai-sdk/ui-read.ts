import { append } from '../../content/append.ts';
import { callerFacts } from '../../content/calls/for-program.ts';
import type { ContentBlock } from '../../content/content.ts';
import { asText, type Fields, isRecord } from '../../content/foreign-value.ts';
import { mediaOfUrl } from '../blocks/data-url.ts';
import { type ResponseFacts, responseBlock, splitError } from '../blocks/tool-result.ts';
import type { Message } from '../messages/message-list.ts';
import { type MessagePart, PartBlocks } from '../messages/message-part.ts';
import { readReasoning, readText } from './reasoning.ts';

/** The parts of a message. */
export const partsOf = ({ parts }: Message): readonly unknown[] => (Array.isArray(parts) ? parts : []);

/** True if a part is a tool call, with or without its result. */
export const isToolPart = (part: unknown): part is Fields =>
  isRecord(part) && (part['type'] === 'dynamic-tool' || asText(part['type']).startsWith('tool-'));

/** The name of the tool of a tool part. */
export const toolNameOf = (part: Fields): string =>
  part['type'] === 'dynamic-tool' ? asText(part['toolName']) || 'unknown' : asText(part['type']).slice('tool-'.length);

const DENIED = 'The user denied this call.';
/** States of a tool part with a result. */
const ANSWERED: ReadonlySet<unknown> = new Set(['output-available', 'output-error', 'output-denied']);

function resultOf(part: Fields): ResponseFacts {
  const { state, output, errorText, approval } = part;
  if (state === 'output-available') return { result: output ?? '' };
  if (state === 'output-error') return splitError(asText(errorText));
  return { result: '', error: (isRecord(approval) && asText(approval['reason'])) || DENIED };
}

function blockOf(part: Fields): ContentBlock | undefined {
  const { type, text, url } = part;
  if (type === 'text') return readText(asText(text), part['providerMetadata']);
  if (type === 'reasoning') return readReasoning(asText(text), part['providerMetadata']);
  if (type !== 'file' || typeof url !== 'string') return undefined;
  const { mediaType, filename } = part;
  return {
    ...mediaOfUrl(url),
    ...(typeof mediaType === 'string' && { mimeType: mediaType }),
    ...(typeof filename === 'string' && { filename }),
  };
}

/** One step of an answer: the output of one model call and the results of its calls. */
class Step {
  readonly #output = new PartBlocks();
  readonly #answers: MessagePart[] = [];

  part(part: Fields, index: number): void {
    if (isToolPart(part)) this.#tool(part, index);
    else this.#output.add(blockOf(part), 'parts', index);
  }

  #tool(part: Fields, index: number): void {
    if (part['state'] === 'input-streaming') return;
    const id = asText(part['toolCallId']);
    const name = toolNameOf(part);
    const parameters = part['input'] ?? part['rawInput'] ?? {};
    const caller = callerFacts(part['callProviderMetadata']);
    this.#output.add({ type: 'tool_call', id, name, parameters, ...caller }, 'parts', index, 'input');
    if (!ANSWERED.has(part['state'])) return;
    const response = { ...responseBlock(id, name, resultOf(part)), ...caller };
    this.#answers.push({ speaker: 'tool', blocks: [response], places: [['parts', index, 'output']] });
  }

  entries(speaker: 'ai' | 'human'): MessagePart[] {
    const output = this.#output.part(speaker);
    return output ? [output, ...this.#answers] : [];
  }
}

/** The entries of a message: one per step of an answer, one per result, or one for a user message. */
export function readUiMessage(message: Message): MessagePart[] {
  const speaker = message['role'] === 'assistant' ? 'ai' : 'human';
  const entries: MessagePart[] = [];
  let step = new Step();
  for (const [index, part] of partsOf(message).entries()) {
    if (!isRecord(part)) continue;
    if (part['type'] === 'step-start') {
      append(entries, step.entries(speaker));
      step = new Step();
    } else step.part(part, index);
  }
  return [...entries, ...step.entries(speaker)];
}
