import { asText, type Fields, isRecord } from '../content/foreign-value.ts';
import type { AdapterOptions } from './adapter-options.ts';
import { type ListForm, listPruner } from './list-pruner.ts';

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isRecord) : []);

function viewBlock(block: Fields): Fields {
  const { type } = block;
  if (type === 'toolCall') return { type: 'tool_use', id: block['id'], name: block['name'], input: block['arguments'] };
  if (type === 'thinking') return { type, thinking: asText(block['thinking']), signature: block['thinkingSignature'] };
  return type === 'image' ? { type, source: { type: 'url', url: '' } } : block;
}

const agentMessages: ListForm<object> = {
  view(message) {
    const { role, content, toolCallId, isError } = message as Fields;
    if (role !== 'toolResult') {
      // The system prompt and the tools, in pi 1.
      const speaker = role === 'assistant' || role === 'system' ? role : 'user';
      return [{ role: speaker, content: typeof content === 'string' ? content : listOf(content).map(viewBlock) }];
    }
    const [only, more] = listOf(content);
    const text = more === undefined && only?.['type'] === 'text' ? asText(only['text']) : [];
    const failed = isError === true && { is_error: true };
    return [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: toolCallId, content: text, ...failed }] }];
  },
  withText(message, _, text) {
    const [only] = listOf((message as Fields)['content']);
    return { ...message, content: [{ ...only, text }] };
  },
};

export interface ContextOptions extends AdapterOptions {
  /** The name of the conversation, such as the agent's `sessionId`; default: its first message says which one it is. */
  readonly conversation?: () => string | undefined;
}

/**
 * A `transformContext` for an `Agent` of pi, and the way to answer its `context` event. The model is that of the last answer.
 * See docs/adapters.md.
 */
export function prunedContext({ conversation, ...options }: ContextOptions = {}) {
  const prune = listPruner(agentMessages, options);
  return async <Message extends object>(messages: Message[], signal?: AbortSignal): Promise<Message[]> => {
    const last = messages.findLast((message) => 'model' in message) as Fields | undefined;
    const pruned = await prune(messages, { model: asText(last?.['model']), conversation: conversation?.(), signal });
    return pruned?.list ?? messages;
  };
}
