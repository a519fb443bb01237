import { asText } from '../../content/foreign-value.ts';
import { jsonText } from '../../content/json-text.ts';
import { TimeSlice } from '../../time-slice.ts';
import type { MessageLike } from '../contract.ts';
import { blocksOf } from '../message.ts';
import { fenced } from './summary-prompt.ts';

/** The kinds of parts, in the order in which they are shortened. */
export type PartKind = 'result' | 'call' | 'thought' | 'answer' | 'request';

/** A part of the conversation as text for the summary. */
export interface TranscriptPart {
  readonly kind: PartKind;
  readonly title: string;
  /** The original text; it must be fenced before a model gets it. */
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** The text of a result, with the types of its other blocks. */
function resultText(content: unknown): string {
  return blocksOf({ content })
    .map((block) => (block['type'] === 'text' ? asText(block['text']) : mediaText(block)))
    .join('\n');
}

function mediaText({ type, source, title }: Fields): string {
  const { media_type: mediaType, type: sourceType, data, url } = (source ?? {}) as Fields;
  if (sourceType === 'text' && typeof data === 'string') return data;
  const what = [type, mediaType, title, url].filter((word) => typeof word === 'string');
  return `[${what.join(' ')}]`;
}

function partOf(block: Fields, role: MessageLike['role']): TranscriptPart {
  const type = asText(block['type']);
  if (type === 'tool_use' || type.endsWith('_tool_use')) {
    const text = [...jsonText(block['input'])].join('');
    return { kind: 'call', title: `[assistant calls ${asText(block['name'])}]`, text };
  }
  if (type.endsWith('tool_result')) {
    const title = block['is_error'] === true ? '[result: error]' : '[result]';
    return { kind: 'result', title, text: resultText(block['content']) };
  }
  if (type === 'thinking') return { kind: 'thought', title: '[assistant thinks]', text: asText(block['thinking']) };
  const text = type === 'text' ? asText(block['text']) : mediaText(block);
  return { kind: role === 'assistant' ? 'answer' : 'request', title: `[${role}]`, text };
}

/** Messages as text, part by part, without base64; only titles are fenced. Works in slices that do not block the event loop. */
export async function transcriptOf(messages: readonly MessageLike[]): Promise<TranscriptPart[]> {
  const slice = new TimeSlice();
  const parts: TranscriptPart[] = [];
  for (const message of messages) {
    for (const block of blocksOf(message)) {
      const part = partOf(block, message.role);
      if (part.text !== '') parts.push({ ...part, title: fenced(part.title) });
      if (slice.isOver()) await slice.next();
    }
  }
  return parts;
}
