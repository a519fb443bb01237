import type { IContent } from '../content/content.ts';
import { anthropicMessages } from '../formats/anthropic/anthropic-messages.ts';
import { liveHistory } from '../formats/contract.ts';
import type { Message, MessageLike } from './contract.ts';

/** A history as messages of Anthropic's API, after the system prompt. */
export function messagesOf(history: readonly IContent[], systemText = ''): Message[] {
  const pieces = anthropicMessages.create!(history, { id: '', startedAt: 0 });
  const { messages } = JSON.parse(Buffer.concat([...pieces]).toString('utf8')) as { messages: Message[] };
  return systemText === '' ? messages : [{ role: 'system', content: systemText }, ...messages];
}

/** These messages as a history, without system messages. */
export function historyOf(messages: readonly MessageLike[]): IContent[] {
  const conversation = messages.filter(({ role }) => role !== 'system');
  return liveHistory(anthropicMessages.read([Buffer.from(JSON.stringify({ messages: conversation }))]));
}
