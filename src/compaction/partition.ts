import type { MessageLike } from './contract.ts';

/** The system messages at the start of a list, and all other messages. Source: PRD, F-003. */
export function partitionMessages<M extends MessageLike>(messages: readonly M[]): { head: M[]; rest: M[] } {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const end = first === -1 ? messages.length : first;
  return { head: messages.slice(0, end), rest: messages.slice(end) };
}
