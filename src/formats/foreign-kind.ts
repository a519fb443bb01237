import { type Fields, isRecord, recordsOf } from '../content/foreign-value.ts';
import { headDocument } from './json/json-file.ts';

/** The records of a list that a document may be itself, or have at these keys. */
const listOf = (document: unknown, keys: readonly string[]): readonly Fields[] =>
  Array.isArray(document)
    ? recordsOf(document)
    : isRecord(document)
      ? keys.flatMap((key) => recordsOf(document[key]))
      : [];

/** Source: https://ampcode.com (threads of its CLI) */
const isAmpThread = (document: unknown): boolean =>
  isRecord(document) && 'v' in document && /^T-/.test(String(document['id'])) && Array.isArray(document['messages']);

/** Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html */
const CONVERSE_PARTS = ['text', 'toolUse', 'toolResult', 'reasoningContent', 'cachePoint', 'image', 'document'];

const isConverse = (document: unknown): boolean =>
  listOf(document, ['messages']).some(
    (message) =>
      'role' in message &&
      recordsOf(message['content']).some((part) => !('type' in part) && CONVERSE_PARTS.some((name) => name in part)),
  );

/** Source: https://ai.google.dev/gemini-api/docs/interactions */
const INTERACTION_STEPS: ReadonlySet<unknown> = new Set(['user_input', 'model_output', 'thought', 'function_result']);

const isInteractions = (document: unknown): boolean =>
  listOf(document, ['input', 'steps', 'outputs']).some(
    ({ type, role, content, arguments: given }) =>
      INTERACTION_STEPS.has(type) ||
      (type === 'function_call' && isRecord(given)) ||
      (role === 'model' && content !== undefined),
  );

/** Source: https://block.github.io/goose, exported sessions */
const isGoose = (document: unknown): boolean =>
  listOf(document, ['messages', 'conversation']).some(({ content }) =>
    recordsOf(content).some(({ type }) => type === 'toolRequest' || type === 'toolResponse'),
  );

/** Source: https://platform.openai.com/docs/api-reference/messages/object */
const isAssistants = (document: unknown): boolean =>
  listOf(document, ['data']).some(({ object }) => object === 'thread.message');

const KINDS: readonly (readonly [title: string, is: (document: unknown) => boolean])[] = [
  ['an Amp thread', isAmpThread],
  ['a request of Bedrock Converse', isConverse],
  ['steps of Gemini Interactions', isInteractions],
  ['a session of goose', isGoose],
  ['messages of OpenAI Assistants', isAssistants],
];

/** The kind of a file that starts with `head`, if it is one that is known and not read, and may look like one that is. */
export const foreignKind = (head: string): string | undefined => {
  const document = headDocument(head);
  return KINDS.find(([, is]) => is(document))?.[0];
};
