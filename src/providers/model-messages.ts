import type { ModelMessage } from 'ai';
import type { ContentBlock, IContent } from '../content/content.ts';
import { isRecord } from '../content/foreign-value.ts';
import { modelMessages as dialect } from '../formats/ai-sdk/model-message.ts';
import { sendable } from '../formats/blocks/sendable.ts';

/** The entry without thinking of other vendors, which this vendor would reject. */
function withoutForeignThinking(entry: IContent, vendor: string): IContent {
  if (entry.speaker !== 'ai' || entry.metadata?.provider === vendor) return entry;
  const blocks = entry.blocks.filter(({ type }) => type !== 'thinking');
  return blocks.length === entry.blocks.length ? entry : { ...entry, blocks };
}

/** By id of a call: the metadata that this vendor wrote and expects back; Gemini signs its calls. */
function callMetadata(history: readonly IContent[], vendor: string): Map<string, ContentBlock['providerMetadata']> {
  const found = new Map<string, ContentBlock['providerMetadata']>();
  for (const { metadata, blocks } of history) {
    if (metadata?.provider !== vendor) continue;
    for (const block of blocks) if (block.type === 'tool_call') found.set(block.id, block.providerMetadata);
  }
  return found;
}

/** A history as messages of the AI SDK; each call is followed by its result. */
export function messagesFor(history: readonly IContent[], vendor: string): ModelMessage[] {
  const entries = sendable(history.map((entry) => withoutForeignThinking(entry, vendor))).filter(
    ({ blocks }) => blocks.length > 0,
  );
  const metadata = callMetadata(entries, vendor);
  const messages = dialect.create(entries) as ModelMessage[];
  for (const { role, content } of messages) {
    if (role !== 'assistant' || typeof content === 'string') continue;
    for (const part of content) {
      if (part.type !== 'tool-call') continue;
      const options = metadata.get(part.toolCallId);
      if (options !== undefined) part.providerOptions = options as NonNullable<typeof part.providerOptions>;
      // Vendors accept only an object, also if the model wrote something else.
      if (!isRecord(part.input)) part.input = { value: part.input };
    }
  }
  return messages;
}
