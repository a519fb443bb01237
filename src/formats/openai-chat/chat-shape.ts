import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { isClineTask } from '../cline/task.ts';

/** The API of a list of chat messages. */
type ChatShape = 'anthropic' | 'openai';

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);
/** Fields in messages of other recorders: Cline and Roo, Gemini, the AI SDK, SWE-agent, mini-swe-agent, event lists. */
const FOREIGN_MESSAGE_FIELDS = ['ts', 'parts', 'message', 'agent', 'message_type', 'extra', 'action', 'observation'];
/** Fields next to `messages` in documents of other recorders: sessions, trajectories, logged calls. */
const FOREIGN_DOCUMENT_FIELDS = [
  'sessionId',
  'info',
  'trajectory',
  'trajectory_format',
  'history',
  'steps',
  'kwargs',
  'context_window',
  'raw_messages',
  'raw_response',
];
/** Parts of the AI SDK. */
const FOREIGN_PARTS: ReadonlySet<unknown> = new Set(['tool-call', 'tool-result', 'reasoning', 'file']);
const ANTHROPIC_PARTS: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
]);

/** Both APIs name the type of each part, in small letters, and the call of each result. */
const isForeignPart = ({ type, tool_use_id: callId }: Fields): boolean =>
  typeof type !== 'string' ||
  /[A-Z]/.test(type) ||
  FOREIGN_PARTS.has(type) ||
  (type === 'tool_result' && callId === undefined);

/** Text in the prompts of mini-swe-agent. Source: its default configurations, v0 to v2. */
const MINI_SWE_AGENT = /mswea_bash_command|COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MICRO_SWE_AGENT_FINAL_OUTPUT/;

const partsOf = (message: Fields): Fields[] =>
  Array.isArray(message['content']) ? message['content'].filter(isRecord) : [];

/** True for a message in the shape of an API or of Cline: mini-swe-agent has no ids, and `extra` beside its calls. */
const isConverted = (message: unknown): boolean =>
  isRecord(message) &&
  ('ts' in message ||
    ('tool_calls' in message && !('extra' in message)) ||
    partsOf(message).some(({ type }) => type === 'tool_use' || type === 'tool_result'));

/** True for a list of messages of mini-swe-agent, by the text of its prompts. A conversion keeps that text. */
export function isMiniSweAgentList(messages: readonly unknown[]): boolean {
  if (messages.some(isConverted)) return false;
  return messages.slice(0, 3).some((message) => {
    if (!isRecord(message)) return false;
    const { content } = message;
    const texts = typeof content === 'string' ? [content] : partsOf(message).map(({ text }) => String(text));
    return texts.some((text) => MINI_SWE_AGENT.test(text));
  });
}

function isMessage(value: unknown): value is Fields {
  if (!isRecord(value) || !ROLES.has(value['role'])) return false;
  if (FOREIGN_MESSAGE_FIELDS.some((field) => field in value)) return false;
  if (partsOf(value).some(isForeignPart)) return false;
  return 'content' in value || 'tool_calls' in value;
}

/** The messages at the start of a list that may be cut, without its last element, which may be incomplete. */
function messagesOf(list: unknown): Fields[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const whole = list.length > 1 ? list.slice(0, -1) : list;
  return whole.every(isMessage) ? list.filter(isMessage) : undefined;
}

function shapeOfMessages(messages: readonly Fields[], around: Fields): ChatShape {
  const parts = messages.flatMap(partsOf);
  if (
    parts.some(
      ({ type, source, image_url: url }) => ANTHROPIC_PARTS.has(type) && (type !== 'image' || (source && !url)),
    )
  )
    return 'anthropic';
  if (messages.some(({ role, tool_calls: calls }) => (role !== 'user' && role !== 'assistant') || calls !== undefined))
    return 'openai';
  const tools = Array.isArray(around['tools']) ? around['tools'] : [];
  const isAnthropic =
    'system' in around ||
    'anthropic_version' in around ||
    tools.some((tool) => isRecord(tool) && 'input_schema' in tool) ||
    (typeof around['model'] === 'string' && /^claude/.test(around['model']));
  return isAnthropic ? 'anthropic' : 'openai';
}

/**
 * The API of a document, or of the start of one: a list of messages, or an object with such a list in `messages`.
 * `undefined` for any other document, also of other recorders. A list with only plain text of user and assistant counts
 * as OpenAI's.
 */
export function chatShape(document: unknown): ChatShape | undefined {
  const around = isRecord(document) ? document : {};
  if (FOREIGN_DOCUMENT_FIELDS.some((field) => field in around)) return undefined;
  const messages = messagesOf(isRecord(document) ? document['messages'] : document);
  if (!messages || messages.length === 0 || isMiniSweAgentList(messages)) return undefined;
  if (Array.isArray(document) && isClineTask(messages)) return undefined;
  return shapeOfMessages(messages, around);
}
