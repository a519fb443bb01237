import type { ContentBlock, IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { CallsOfResults } from '../blocks/calls-of-results.ts';
import { systemFacts } from '../blocks/system-facts.ts';
import type { Session } from '../contract.ts';
import { wholeHead } from '../json/json-file.ts';
import type { Message } from '../messages/message-list.ts';
import { chatUsage, contentText, readMessage } from '../openai-chat/message.ts';

function answerIn(response: unknown): Message | undefined {
  const choices = isRecord(response) ? response['choices'] : undefined;
  const message: unknown = Array.isArray(choices) && isRecord(choices[0]) ? choices[0]['message'] : undefined;
  return isRecord(message) ? message : undefined;
}

/**
 * The original answer of the model. For models without function calling there are two: `raw_response` with the call in its
 * text, and `response` with the call extracted.
 */
function answerOf(log: Message): Message | undefined {
  const raw = answerIn(log['raw_response']);
  const isRaw = Array.isArray(log['raw_messages']) && raw !== undefined && !Array.isArray(raw['tool_calls']);
  return isRaw ? raw : answerIn(log['response']);
}

/** The start of the system prompt of a logged call. Source: logs of the V1 SDK. */
const PROMPT = /^You are OpenHands/;

/**
 * True if `head`, read as `document`, is a logged call that was cut in its messages: only its prompt then distinguishes it
 * from a request.
 */
export function isCutLoggedCall(head: string, document: unknown): boolean {
  if (!isRecord(document) || Object.keys(document).join() !== 'messages') return false;
  const [first]: unknown[] = Array.isArray(document['messages']) ? document['messages'] : [];
  if (!isRecord(first) || first['role'] !== 'system' || !PROMPT.test(contentText(first['content']))) return false;
  return wholeHead(head) === undefined;
}

/** One logged model call: the messages that were sent, then the answer. */
export function readLoggedCall(log: Message): Omit<Session, 'format' | 'skipped'> {
  const messages = Array.isArray(log['messages']) ? log['messages'].filter(isRecord) : [];
  const calls = new CallsOfResults();
  const entry = (message: Message, id: string): IContent[] => {
    if (message['role'] === 'system') return [];
    const read = readMessage(message, calls);
    const blocks: readonly ContentBlock[] = read?.blocks ?? [];
    return read ? [{ speaker: read.speaker, blocks, metadata: { id } }] : [];
  };
  const history = messages.flatMap((message, index) => entry(message, `message-${index}`));
  const response = isRecord(log['response']) ? log['response'] : {};
  const usage = chatUsage(response['usage']);
  const model = typeof response['model'] === 'string' ? response['model'] : undefined;
  const answer = answerOf(log);
  for (const content of answer ? entry({ ...answer, role: 'assistant' }, 'response') : [])
    history.push({ ...content, metadata: { ...content.metadata, ...(usage && { usage }), ...(model && { model }) } });
  const system = messages.map(({ role, content }) => role === 'system' && contentText(content));
  return {
    ...(model !== undefined && { model }),
    ...systemFacts(system, Array.isArray(log['raw_messages']) ? undefined : log['tools']),
    events: history.map((content) => ({ kind: 'add', content })),
  };
}
