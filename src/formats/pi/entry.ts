import type { ContentBlock, ContentMetadata, ThinkingBlock } from '../../content/content.ts';
import { asText, type Fields, isRecord } from '../../content/foreign-value.ts';
import { type RecordedFacts, recordedMetadata } from '../blocks/entry-metadata.ts';
import { opaqueBlock, unchangeable } from '../blocks/opaque-block.ts';
import { resultList } from '../blocks/text-list.ts';
import { joinError, responseBlock, resultText, splitError } from '../blocks/tool-result.ts';
import { type JsonChange, type JsonPath, valueAt } from '../json/json-change.ts';
import { parseJson } from '../lines/lines.ts';
import type { Message } from '../messages/message-list.ts';
import { editChanges, type MessagePart, type PlacedBlock, type PlacedEdit, partOf } from '../messages/message-part.ts';
import { recordedUsage, type UsageReports, usageBeyondZero } from '../usage/usage-report.ts';

export const USAGE_REPORTS: UsageReports = {
  read: usageBeyondZero({
    prompt: [['input'], ['cacheRead'], ['cacheWrite']],
    completion: [['output']],
    cached: [['cacheRead']],
    written: [['cacheWrite']],
  }),
  prompt: ['input'],
  parts: [['cacheRead'], ['cacheWrite']],
  total: ['totalTokens'],
  placesIn: (line) => (isRecord(valueAt(line, ['message', 'usage'])) ? [['message', 'usage']] : []),
};

/** The type of an entry without content: it keeps its position in the tree, and pi does not send it. */
const REMOVED = 'high-density.removed';

/** The source field of the thoughts of an API. */
export function thoughtSource(api: unknown): 'thinking' | 'reasoning' | 'thought' {
  if (api === 'anthropic-messages') return 'thinking';
  return String(api).startsWith('openai') ? 'reasoning' : 'thought';
}

/** A thought. OpenAI's signature is the whole encrypted item; those of other APIs are signatures. */
function readThought(part: Fields, api: unknown): ThinkingBlock | undefined {
  const thought = asText(part['thinking']);
  const signature = asText(part['thinkingSignature']);
  if (thought === '' && signature === '') return undefined;
  const sourceField = thoughtSource(api);
  const sealed = signature.startsWith('{') ? parseJson(signature) : undefined;
  const encryptedContent =
    sealed?.kind === 'json' && isRecord(sealed.value) ? sealed.value['encrypted_content'] : undefined;
  if (signature === '') return { type: 'thinking', thought, sourceField };
  if (typeof encryptedContent !== 'string') return { type: 'thinking', thought, sourceField, signature };
  return { type: 'thinking', thought, sourceField, signature, encryptedContent };
}

function readPart(part: unknown, api: unknown): ContentBlock | undefined {
  if (!isRecord(part)) return undefined;
  const { type, text, data, mimeType } = part;
  if (type === 'text') return typeof text === 'string' && text !== '' ? { type: 'text', text } : undefined;
  if (type === 'thinking') return readThought(part, api);
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string')
    return { type: 'media', mimeType, data, encoding: 'base64' };
  if (type === 'toolCall' && typeof part['id'] === 'string' && typeof part['name'] === 'string')
    return { type: 'tool_call', id: part['id'], name: part['name'], parameters: part['arguments'] ?? {} };
  return opaqueBlock(part);
}

function readContent(content: unknown, path: JsonPath, api?: unknown): PlacedBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [{ block: { type: 'text', text: content }, path }];
  return (Array.isArray(content) ? content : []).flatMap((part: unknown, index): PlacedBlock[] => {
    const block = readPart(part, api);
    return block ? [{ block, path: [...path, index] }] : [];
  });
}

const isWords = (part: unknown): part is Fields & { text: string } =>
  isRecord(part) && part['type'] === 'text' && typeof part['text'] === 'string';

function readResult(message: Fields): PlacedBlock[] {
  const { content } = message;
  const path = ['message', 'content'];
  const parts = Array.isArray(content) ? content : [{ type: 'text', text: asText(content) }];
  const words = parts.filter(isWords);
  const text = words.map((part) => part.text).join('\n');
  const facts = message['isError'] === true ? splitError(text) : { result: text };
  const block = responseBlock(asText(message['toolCallId']), asText(message['toolName']) || 'unknown', facts);
  if (words.length === parts.length) return [{ block, path }];
  const others = parts.map((part: unknown) => (isWords(part) ? undefined : part));
  return [{ block, path }, ...readContent(others, path)];
}

/** A command of the user with `!` and its output; with `!!` it is not sent. */
function readExecution(message: Fields): PlacedBlock[] {
  if (message['excludeFromContext'] === true) return [];
  const { output, exitCode } = message;
  const printed = asText(output) === '' ? '(no output)' : `\`\`\`\n${asText(output)}\n\`\`\``;
  const failed = typeof exitCode === 'number' && exitCode !== 0 ? `\n\nCommand exited with code ${exitCode}` : '';
  const text = `Ran \`${asText(message['command'])}\`\n${printed}${failed}`;
  return [{ block: { type: 'text', text }, path: ['message'] }];
}

const partBy = (
  speaker: MessagePart['speaker'],
  placed: readonly PlacedBlock[],
  metadata: ContentMetadata,
): MessagePart[] => (placed.length === 0 ? [] : [partOf(speaker, placed, metadata)]);

function readMessage(message: Fields, { id, timestamp }: RecordedFacts): MessagePart[] {
  const { role, content, api, model, provider, stopReason, responseId: answerId } = message;
  if (role !== 'assistant') {
    const metadata = recordedMetadata({ id, timestamp });
    // The system prompt and the tools, in pi 1.
    if (role === 'system') return [];
    if (role === 'toolResult') return partBy('tool', readResult(message), metadata);
    if (role === 'bashExecution') return partBy('human', readExecution(message), metadata);
    return partBy('human', readContent(content, ['message', 'content']), metadata);
  }
  // pi does not send a failed or stopped answer again.
  if (stopReason === 'error' || stopReason === 'aborted') return [];
  const usage = recordedUsage(message['usage'], USAGE_REPORTS);
  const metadata = recordedMetadata({ id, timestamp, model, provider, usage, answerId });
  if (typeof api === 'string') metadata['api'] = api;
  return partBy('ai', readContent(content, ['message', 'content'], api), metadata);
}

/** The part of an entry that is sent: at most one, with the id `id`. */
export function readEntry(entry: Message, id: string): MessagePart[] {
  const { type, summary, message, content, timestamp } = entry;
  if (type === 'message') return isRecord(message) ? readMessage(message, { id, timestamp }) : [];
  if (type === 'custom_message')
    return partBy('human', readContent(content, ['content']), recordedMetadata({ id, timestamp }));
  if ((type !== 'compaction' && type !== 'branch_summary') || typeof summary !== 'string' || summary === '') return [];
  const block: ContentBlock = { type: 'text', text: summary };
  return partBy('human', [{ block, path: ['summary'] }], recordedMetadata({ id, timestamp, isSummary: true }));
}

function resultChanges(message: Fields, edits: readonly PlacedEdit[]): JsonChange[] {
  const [answered, ...others] = edits;
  const { content } = message;
  const path = ['message', 'content'];
  if (answered?.edit.kind !== 'change' || answered.edit.block.type !== 'tool_response')
    return others.flatMap((one) => partChanges(content, one));
  const { error, result } = answered.edit.block;
  const text = error === undefined ? resultText(result) : joinError(error, resultText(result));
  const kept = new Map<number, unknown>();
  for (const { edit, block, path: place } of others) {
    if (edit.kind === 'change') throw unchangeable(block);
    const at = Number(place.at(-1));
    if (edit.kind === 'keep' && Array.isArray(content)) kept.set(at, content[at]);
  }
  const failed = error !== undefined;
  return [
    { kind: 'set', path, value: Array.isArray(content) ? resultList(content, kept, text) : text },
    ...(failed === (message['isError'] === true)
      ? []
      : [{ kind: 'set' as const, path: ['message', 'isError'], value: failed }]),
  ];
}

function partChanges(content: unknown, one: PlacedEdit): JsonChange[] {
  const { path, edit } = one;
  const isItem = typeof path.at(-1) === 'number' && Array.isArray(content);
  if (edit.kind === 'drop' && !isItem) return [{ kind: 'set', path, value: '' }];
  const text = isItem ? [...path, 'text'] : path;
  return editChanges(one, { text, name: [...path, 'name'], input: [...path, 'arguments'] });
}

/**
 * The changes of an entry for these edits of its blocks. It is always kept, because other entries and compactions refer to
 * it: without content it becomes an entry that is not sent, and a summary becomes empty.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if a changed block can only be kept or removed.
 */
export function entryChanges(entry: Message, edits: readonly PlacedEdit[]): JsonChange[] {
  const kept = edits.filter(({ edit }) => edit.kind !== 'drop');
  const isSummary = 'summary' in entry;
  if (kept.every(({ block }) => block.type === 'thinking')) {
    if (isSummary) return [{ kind: 'set', path: ['summary'], value: '' }];
    return [
      { kind: 'set', path: ['type'], value: 'custom' },
      { kind: 'set', path: ['customType'], value: REMOVED },
      { kind: 'remove', path: [entry['type'] === 'message' ? 'message' : 'content'] },
    ];
  }
  const message = isRecord(entry['message']) ? entry['message'] : {};
  if (message['role'] === 'toolResult') return resultChanges(message, edits);
  const [first] = edits;
  if (message['role'] === 'bashExecution') {
    if (first?.edit.kind !== 'change' || first.edit.block.type !== 'text') return [];
    // Output of a command cannot be distinguished from its replacement, so it becomes a user message.
    const { timestamp } = message;
    return [{ kind: 'set', path: ['message'], value: { role: 'user', content: first.edit.block.text, timestamp } }];
  }
  const content = entry['type'] === 'message' ? message['content'] : (entry['content'] ?? entry['summary']);
  return edits.flatMap((one) => partChanges(content, one));
}
