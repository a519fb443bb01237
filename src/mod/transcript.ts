import { isRecord } from '../content/foreign-value.ts';
import type { TranscriptMessage } from './agent.ts';

/** Claude Code gives each block as a message: one of thinking has neither text nor calls. */
export const isThinking = ({ role, text, toolUses }: TranscriptMessage): boolean =>
  role === 'assistant' && text === '' && toolUses.length === 0;

/**
 * True if the turn is not over: the last answer has calls. Where such an answer had thinking, the model refuses every further
 * request without it ("a final `assistant` message must start with a thinking block").
 */
export function isMidTurn(messages: readonly TranscriptMessage[]): boolean {
  const answer = messages.findLast((message) => message.role === 'assistant' && !isThinking(message));
  return answer !== undefined && answer.toolUses.length > 0;
}

/** A result without text that is stored in another form: a picture, or a document. Built again, it would be lost. */
export const hasPicture = ({ toolResults = [] }: TranscriptMessage): boolean =>
  toolResults.some(
    ({ text, result }) => text === '' && isRecord(result) && result['type'] !== 'text' && result['file'] !== undefined,
  );

export const callsIn = (messages: readonly TranscriptMessage[]): number =>
  messages.reduce((sum, { toolUses }) => sum + toolUses.length, 0);

/** What is enough for the rules: without the stored records, which can be larger than the texts. */
export const plain = ({ role, text, toolUses, toolResults }: TranscriptMessage): object => ({
  role,
  text,
  toolUses: toolUses.map(({ tool_use_id, tool, input }) => ({ tool_use_id, tool, input })),
  toolResults: toolResults?.map(({ tool_use_id, text: shown, isError }) => ({ tool_use_id, text: shown, isError })),
});

/**
 * The transcript with these texts, by call. Answers and results are built again: with a handle, a resumed session has the old
 * results again. A message of a person keeps its handle, and so its pictures and reminders.
 */
export function built(
  messages: readonly TranscriptMessage[],
  texts: Readonly<Record<string, string>>,
): readonly TranscriptMessage[] {
  const isKept = ({ role, toolResults = [] }: TranscriptMessage): boolean =>
    role === 'user' && toolResults.length === 0;
  return messages
    .filter((message) => !isThinking(message))
    .map((message) => (isKept(message) ? message : withTexts(message, texts)));
}

function withTexts(
  { handle: _, ...message }: TranscriptMessage,
  texts: Readonly<Record<string, string>>,
): TranscriptMessage {
  const withText = <Shown extends { readonly tool_use_id: string; readonly text: string }>(one: Shown): Shown => ({
    ...one,
    text: texts[one.tool_use_id] ?? one.text,
  });
  return {
    ...message,
    toolUses: message.toolUses.map(withText),
    ...(message.toolResults && { toolResults: message.toolResults.map(withText) }),
  };
}
