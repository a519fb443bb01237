import { asText, type Fields, isRecord } from '../content/foreign-value.ts';
import type { ListForm } from './list-pruner.ts';

/** A message of the AI SDK, or of the prompt that a model gets. */
export interface ModelMessage {
  readonly role: string;
  readonly content: unknown;
  readonly providerOptions?: unknown;
}

/** The options of all providers. */
const optionsOf = (given: unknown): Fields[] => (isRecord(given) ? Object.values(given).filter(isRecord) : []);

/** The first value that a provider's options have under one of these names. */
export const option = (given: unknown, ...names: readonly string[]): unknown =>
  optionsOf(given)
    .flatMap((options) => names.map((name) => options[name] ?? undefined))
    .find((value) => value !== undefined);

const mark = (given: unknown): { cache_control?: unknown } => {
  const value = option(given, 'cacheControl', 'cachePoint');
  return value === undefined ? {} : { cache_control: value };
};

/** The text of a tool's output, if one text is sent for it. */
function outputText(output: unknown): string | undefined {
  if (!isRecord(output)) return undefined;
  const { type, value } = output;
  if (type === 'text' || type === 'error-text') return asText(value);
  if (type === 'json' || type === 'error-json') return typeof value === 'string' ? value : JSON.stringify(value);
  const [only] = Array.isArray(value) && value.length === 1 ? value : [];
  return isRecord(only) && only['type'] === 'text' ? asText(only['text']) : undefined;
}

function withOutput(output: Fields, text: string): Fields {
  const { type, value } = output;
  if (type === 'content' && Array.isArray(value)) return { ...output, value: [{ ...value[0], text }] };
  return { ...output, type: String(type).startsWith('error') ? 'error-text' : 'text', value: text };
}

function viewPart(part: Fields): Fields {
  const { type, text, providerOptions } = part;
  const marked = mark(providerOptions);
  switch (part['providerExecuted'] === true ? '' : type) {
    case 'text':
      return option(providerOptions, 'type') === 'compaction'
        ? { type: 'compaction', content: text }
        : { type, text, ...marked };
    case 'reasoning':
      return {
        type: 'thinking',
        thinking: asText(text),
        signature: option(providerOptions, 'signature', 'redactedData'),
      };
    case 'tool-call':
      return {
        type: 'tool_use',
        id: part['toolCallId'],
        name: part['toolName'],
        input: part['input'],
        caller: option(providerOptions, 'caller'),
        ...marked,
      };
    case 'tool-result': {
      const { output, toolCallId } = part;
      const isError = isRecord(output) && String(output['type']).startsWith('error');
      return {
        type: 'tool_result',
        tool_use_id: toolCallId,
        caller: option(providerOptions, 'caller'),
        content: outputText(output) ?? [],
        ...(isError && { is_error: true }),
        ...marked,
      };
    }
    case 'image':
    case 'file':
      return { type: 'image', source: { type: 'url', url: '' } };
    default:
      return { type: 'other', name: type };
  }
}

/** Messages of the AI SDK, and the prompts that it makes of them. */
export const modelMessages: ListForm<ModelMessage> = {
  view({ role, content, providerOptions }) {
    const speaker = role === 'assistant' || role === 'system' ? role : 'user';
    // What an assistant contains as results was run by the provider.
    const parts = (Array.isArray(content) ? content : []).map((part) =>
      viewPart(role === 'assistant' && part.type === 'tool-result' ? { type: 'other' } : part),
    );
    return [{ role: speaker, content: typeof content === 'string' ? content : parts, ...mark(providerOptions) }];
  },
  withText(message, place, text) {
    const parts = message.content as readonly Fields[];
    const part = parts[place]!;
    return { ...message, content: parts.with(place, { ...part, output: withOutput(part['output'] as Fields, text) }) };
  },
};
