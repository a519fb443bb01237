import type { LanguageModel, ToolSet } from 'ai';
import type { ContentBlock } from '../content/content.ts';
import { readReasoning } from '../formats/ai-sdk/reasoning.ts';
import type { AnswerOutcome, AnswerRequest } from './chat-model.ts';
import { messagesFor } from './model-messages.ts';
import { readStream, usageOf } from './model-stream.ts';

/** Options for single vendors: OpenAI stores no copy and returns its reasoning encrypted instead. */
const VENDOR_OPTIONS = { openai: { openai: { store: false } } } as const;

interface Asking {
  readonly vendor: string;
  readonly model: string;
  readonly request: AnswerRequest;
  /** Called for every part of the answer. */
  readonly onProgress: () => void;
}

/**
 * The outcome of one request to a model that may call tools.
 * @throws the signal's reason if it is aborted.
 */
export async function streamAnswer(languageModel: LanguageModel, asking: Asking): Promise<AnswerOutcome> {
  const { jsonSchema, tool } = await import('ai');
  // The library would print its warnings onto the screen of the chat.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const { vendor, model, request, onProgress } = asking;
  const { instructions, history, signal, onPart } = request;
  signal?.throwIfAborted();
  const tools: ToolSet = Object.fromEntries(
    request.tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  );
  const settings = {
    model: languageModel,
    system: instructions,
    messages: messagesFor(history, vendor),
    tools,
    ...(vendor === 'openai' && { providerOptions: VENDOR_OPTIONS.openai }),
  };
  const blocks: ContentBlock[] = [];
  let text = '';
  let thought = '';
  const endText = (): void => {
    if (text !== '') blocks.push({ type: 'text', text });
    text = '';
  };
  return readStream<AnswerOutcome>({ vendor, signal, onProgress, settings }, (part, fail) => {
    switch (part.type) {
      case 'text-delta':
        text += part.text;
        onPart({ kind: 'text', text: part.text });
        break;
      case 'text-end':
        endText();
        break;
      case 'reasoning-delta':
        thought += part.text;
        onPart({ kind: 'thinking', text: part.text });
        break;
      case 'reasoning-end': {
        // The vendor's metadata arrives with the end of a thought.
        const block = readReasoning(thought, part.providerMetadata);
        thought = '';
        endText();
        if (block) blocks.push(block);
        break;
      }
      case 'tool-input-start':
        onPart({ kind: 'call', toolName: part.toolName });
        break;
      case 'tool-call': {
        endText();
        const { toolCallId: id, toolName: name, input, providerMetadata } = part;
        const metadata = providerMetadata && { providerMetadata: { ...providerMetadata } };
        blocks.push({ type: 'tool_call', id, name, parameters: input ?? {}, ...metadata });
        break;
      }
      case 'finish': {
        const { finishReason, totalUsage } = part;
        if (finishReason === 'content-filter') return fail('refused', 'the model declined to answer');
        const isTruncated = finishReason === 'length';
        if (!isTruncated && finishReason !== 'stop' && finishReason !== 'tool-calls')
          return fail('transient', 'the answer broke off before its end');
        endText();
        if (blocks.length === 0) return fail('malformed', 'expected an answer, got none');
        const usage = usageOf(totalUsage);
        const metadata = { provider: vendor, model, ...(usage !== undefined && { usage }) };
        return { kind: 'answer', content: { speaker: 'ai', blocks, metadata }, isTruncated };
      }
      default: // Nothing of the answer.
    }
    return undefined;
  });
}
