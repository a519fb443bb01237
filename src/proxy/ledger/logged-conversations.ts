import { loggedCalls } from './call-history.ts';
import { conversationName } from './conversation-ledger.ts';

/** A conversation with logged calls. */
export interface LoggedConversation {
  /** Its whole name, by which its decisions are stored. */
  readonly key: string;
  /** The start of it, as the page shows it. */
  readonly name: string;
  readonly agent: string;
  readonly model: string | undefined;
  readonly calls: number;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
}

const KEY = /^[0-9a-f]{64}$/;

/** The conversations in the log of this folder, the last used one first. */
export async function loggedConversations(folder: string): Promise<LoggedConversation[]> {
  const found = new Map<string, LoggedConversation>();
  for await (const { report, agent, model, isCount, at: lastAt } of loggedCalls(folder)) {
    const key = report?.conversation ?? '';
    if (isCount || !KEY.test(key)) continue;
    // Files that were full within one millisecond are in no order.
    const { calls, lastAt: knownAt } = found.get(key) ?? { calls: 0, lastAt };
    const facts = { key, name: conversationName(key), agent, model };
    found.set(key, { ...facts, calls: calls + 1, lastAt: Math.max(lastAt, knownAt) });
  }
  return [...found.values()].sort((one, other) => other.lastAt - one.lastAt);
}
