import type { ThinkingBlock } from '../../content/content.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { type RecordedFacts, recordedMetadata } from '../blocks/entry-metadata.ts';
import { type JsonChange, type JsonPath, valueAt } from '../json/json-change.ts';
import type { Message } from '../messages/message-list.ts';
import { editChanges, type MessagePart, type PlacedBlock, type PlacedEdit, partOf } from '../messages/message-part.ts';
import { recordedUsage, type UsageReports, usageAt } from '../usage/usage-report.ts';
import { readFile, readTool, toolChanges } from './tool-part.ts';

const listAt = (value: unknown, path: JsonPath): readonly unknown[] => {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
};

/** The usage of an answer, and of each of its steps. */
export const USAGE_REPORTS: UsageReports = {
  read: usageAt({
    prompt: [['input'], ['cache', 'read'], ['cache', 'write']],
    completion: [['output'], ['reasoning']],
    cached: [['cache', 'read']],
    written: [['cache', 'write']],
  }),
  prompt: ['input'],
  parts: [
    ['cache', 'read'],
    ['cache', 'write'],
  ],
  total: ['total'],
  isDocument: true,
  placesIn: (document) =>
    listAt(document, ['messages'])
      .flatMap((message, index): JsonPath[] => [
        ['messages', index, 'info', 'tokens'],
        ...listAt(message, ['parts']).map((_, at): JsonPath => ['messages', index, 'parts', at, 'tokens']),
      ])
      .filter((path) => isRecord(valueAt(document, path))),
};

/** The facts of a message. */
export const infoOf = (message: unknown): Fields =>
  isRecord(message) && isRecord(message['info']) ? message['info'] : {};

/** The parts of a message. */
const partsOf = (message: unknown): readonly unknown[] =>
  isRecord(message) && Array.isArray(message['parts']) ? message['parts'] : [];

/** True if a message has a part of this type. */
export const hasPart = (message: unknown, type: string): boolean =>
  partsOf(message).some((part) => isRecord(part) && part['type'] === type);

/** The signature or encrypted content of a thought, under the name of its provider. */
function sealOf(metadata: unknown): Pick<ThinkingBlock, 'signature' | 'encryptedContent'> {
  const seals = isRecord(metadata) ? Object.values(metadata).filter(isRecord) : [];
  const text = (...keys: readonly string[]): string | undefined =>
    seals.flatMap((seal) => keys.map((key) => seal[key])).find((value) => typeof value === 'string' && value !== '') as
      | string
      | undefined;
  const signature = text('signature');
  const encryptedContent = text('reasoningEncryptedContent', 'redactedData');
  return { ...(signature !== undefined && { signature }), ...(encryptedContent !== undefined && { encryptedContent }) };
}

/** A thought; one item in several parts is sealed in each of them, and has its seal in the first. Adds to `sealed`. */
function readThought(part: Fields, sealed: Set<string>): ThinkingBlock | undefined {
  const thought = typeof part['text'] === 'string' ? part['text'] : '';
  const { encryptedContent, ...signed } = sealOf(part['metadata']);
  const isNew = encryptedContent !== undefined && !sealed.has(encryptedContent);
  if (isNew) sealed.add(encryptedContent);
  const seal = { ...signed, ...(isNew && { encryptedContent }) };
  if (thought === '' && Object.keys(seal).length === 0) return undefined;
  return { type: 'thinking', thought, sourceField: 'reasoning', ...seal };
}

function isText(part: unknown): part is Fields & { text: string } {
  return isRecord(part) && part['type'] === 'text' && typeof part['text'] === 'string' && part['text'] !== '';
}

function question(message: Message, facts: RecordedFacts): MessagePart[] {
  const parts = partsOf(message);
  const placed = parts.flatMap((part, index): PlacedBlock[] => {
    const path = ['parts', index];
    if (isText(part)) return part['ignored'] === true ? [] : [{ block: { type: 'text', text: part.text }, path }];
    const block = isRecord(part) && part['type'] === 'file' ? readFile(part) : undefined;
    return block ? [{ block, path }] : [];
  });
  const synthetic = parts.filter(isText).every((part) => part['synthetic'] === true);
  return placed.length === 0 ? [] : [partOf('human', placed, recordedMetadata({ ...facts, synthetic }))];
}

/** True if opencode sends a message: not a failed answer, but one that the user stopped. */
function isSent(message: Message): boolean {
  const { error } = infoOf(message);
  if (!isRecord(error)) return true;
  const isStopped = error['name'] === 'MessageAbortedError';
  return (
    isStopped &&
    partsOf(message).some((part) => isRecord(part) && !/^(step-start|reasoning)$/.test(String(part['type'])))
  );
}

class Step {
  readonly output: PlacedBlock[] = [];
  readonly results: MessagePart[] = [];
  tokens: unknown;
}

/** The parts of an answer: for each model call its output, then the results of its calls. */
function answer(message: Message, facts: RecordedFacts): MessagePart[] {
  if (!isSent(message)) return [];
  const info = infoOf(message);
  let step = new Step();
  const steps = [step];
  const sealed = new Set<string>();
  for (const [index, part] of partsOf(message).entries()) {
    if (!isRecord(part)) continue;
    const path = ['parts', index];
    if (part['type'] === 'step-start' && step.output.length > 0) {
      step = new Step();
      steps.push(step);
    }
    if (part['type'] === 'step-finish') step.tokens = part['tokens'];
    if (isText(part)) step.output.push({ block: { type: 'text', text: part.text }, path });
    const thought = part['type'] === 'reasoning' ? readThought(part, sealed) : undefined;
    if (thought) step.output.push({ block: thought, path });
    if (part['type'] !== 'tool') continue;
    const { call, response } = readTool(part, path);
    step.output.push(call);
    if (response.length === 0) continue;
    step.results.push(partOf('tool', response, recordedMetadata({ id: part['id'], timestamp: facts.timestamp })));
  }
  return steps.flatMap(({ output, results, tokens }, index) => {
    if (output.length === 0) return [];
    const id = typeof facts.id === 'string' && index > 0 ? `${facts.id}#${index}` : facts.id;
    const usage = recordedUsage(tokens ?? info['tokens'], USAGE_REPORTS);
    return [partOf('ai', output, recordedMetadata({ ...facts, id, usage })), ...results];
  });
}

/** The entries of a message: a user message, or the steps of an answer. */
export function readMessage(message: Message): MessagePart[] {
  const info = infoOf(message);
  const timestamp = isRecord(info['time']) ? info['time']['created'] : undefined;
  const { id, modelID: model, providerID: provider, summary } = info;
  const facts = { id, timestamp, model, provider, isSummary: summary === true };
  return info['role'] === 'assistant' ? answer(message, facts) : question(message, facts);
}

/**
 * The changes of a message for these edits of its blocks. The message is always kept, because answers and compactions refer
 * to it; removed blocks are removed from its parts, and thoughts that would be alone with them.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if a changed block can only be kept or removed.
 */
export function messageChanges(message: Message, edits: readonly PlacedEdit[]): JsonChange[] {
  const isIdle = edits.every(({ edit, block }) => edit.kind === 'drop' || block.type === 'thinking');
  return partsOf(message).flatMap((part, index): JsonChange[] => {
    const path = ['parts', index];
    const own = edits.filter((one) => one.path[1] === index);
    const [first] = own;
    if (!isRecord(part)) return [];
    if (!first) return isIdle && edits.length > 0 && part['type'] === 'reasoning' ? [{ kind: 'remove', path }] : [];
    if (isIdle && first.block.type === 'thinking') return [{ kind: 'remove', path }];
    if (part['type'] === 'tool') return toolChanges(part, path, own);
    return editChanges(first, { text: [...path, 'text'] });
  });
}
