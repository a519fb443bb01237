import type { LanguageModel, ToolSet } from 'ai';
import type { ContentBlock, Usage } from '../content/content.ts';
import { readReasoning } from '../formats/ai-sdk/reasoning.ts';
import type { FailedSummary } from '../strategies/contract.ts';
import type { AnswerOutcome, AnswerRequest } from './chat-model.ts';
import { failureOf } from './failures/failure.ts';
import { messagesFor } from './model-messages.ts';
import { usageOf } from './usage.ts';

/** Builds the blocks of an answer from the parts of its stream. */
class AnswerBlocks {
  readonly blocks: ContentBlock[] = [];
  #text = '';
  #thought = '';

  addText(text: string): void {
    this.#text += text;
  }

  addThought(text: string): void {
    this.#thought += text;
  }

  /** Ends a thought; the vendor's metadata arrives with its end. */
  endThought(metadata: unknown): void {
    const block = readReasoning(this.#thought, metadata);
    this.#thought = '';
    this.endText();
    if (block) this.blocks.push(block);
  }

  endText(): void {
    if (this.#text !== '') this.blocks.push({ type: 'text', text: this.#text });
    this.#text = '';
  }

  addCall(call: { toolCallId: string; toolName: string; input: unknown; providerMetadata?: object | undefined }): void {
    this.endText();
    const { toolCallId: id, toolName: name, input, providerMetadata } = call;
    this.blocks.push({
      type: 'tool_call',
      id,
      name,
      parameters: input ?? {},
      ...(providerMetadata && { providerMetadata: { ...providerMetadata } }),
    });
  }
}

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
  const { streamText, jsonSchema, tool } = await import('ai');
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
  const stop = new AbortController();
  const { fullStream } = streamText({
    model: languageModel,
    system: instructions,
    messages: messagesFor(history, vendor),
    tools,
    maxRetries: 0,
    abortSignal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
    ...(vendor === 'openai' && { providerOptions: VENDOR_OPTIONS.openai }),
    // Failures are parts of the stream; the library would also print them.
    onError: () => {},
  });
  const fail = (failure: FailedSummary['failure'], message: string): FailedSummary => {
    stop.abort();
    return { kind: 'failed', failure, message: `${vendor}: ${message}` };
  };
  const written = new AnswerBlocks();
  const answer = (isTruncated: boolean, usage: Usage | undefined): AnswerOutcome => {
    written.endText();
    if (written.blocks.length === 0) return fail('malformed', 'expected an answer, got none');
    const metadata = { provider: vendor, model, ...(usage !== undefined && { usage }) };
    return { kind: 'answer', content: { speaker: 'ai', blocks: written.blocks, metadata }, isTruncated };
  };
  try {
    for await (const part of fullStream) {
      signal?.throwIfAborted();
      onProgress();
      switch (part.type) {
        case 'text-delta':
          written.addText(part.text);
          onPart({ kind: 'text', text: part.text });
          break;
        case 'text-end':
          written.endText();
          break;
        case 'reasoning-delta':
          written.addThought(part.text);
          onPart({ kind: 'thinking', text: part.text });
          break;
        case 'reasoning-end':
          written.endThought(part.providerMetadata);
          break;
        case 'tool-input-start':
          onPart({ kind: 'call', toolName: part.toolName });
          break;
        case 'tool-call':
          written.addCall(part);
          break;
        case 'error':
          stop.abort();
          return failureOf(vendor, part.error);
        case 'finish': {
          const { finishReason, totalUsage } = part;
          if (finishReason === 'content-filter') return fail('refused', 'the model declined to answer');
          if (finishReason === 'stop' || finishReason === 'tool-calls') return answer(false, usageOf(totalUsage));
          if (finishReason === 'length') return answer(true, usageOf(totalUsage));
          return fail('transient', 'the answer broke off before its end');
        }
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    return failureOf(vendor, error);
  }
  signal?.throwIfAborted();
  return fail('transient', 'the connection closed before the answer ended');
}
