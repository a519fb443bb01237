import type { IContent } from '../content/content.ts';
import { anthropicMessages } from '../formats/anthropic/anthropic-messages.ts';
import { liveHistory } from '../formats/contract.ts';
import type { Message, MessageLike } from './message.ts';

/** A history as the messages of a request that Anthropic's API takes, the system prompt in front of them. */
export function messagesOf(history: readonly IContent[], systemText = ''): Message[] {
  const pieces = anthropicMessages.create!(history, { id: '', startedAt: 0 });
  const { messages } = JSON.parse(Buffer.concat([...pieces]).toString('utf8')) as { messages: Message[] };
  return systemText === '' ? messages : [{ role: 'system', content: systemText }, ...messages];
}

/** The history that these messages are; system messages are none of it. */
export function historyOf(messages: readonly MessageLike[]): IContent[] {
  const conversation = messages.filter(({ role }) => role !== 'system');
  return liveHistory(anthropicMessages.read([Buffer.from(JSON.stringify({ messages: conversation }))]));
}
