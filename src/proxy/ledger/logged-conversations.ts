import { loggedCalls } from './call-history.ts';
import { conversationName } from './conversation-ledger.ts';

/** A conversation of which calls are logged. */
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
    const calls = (found.get(key)?.calls ?? 0) + 1;
    found.set(key, { key, name: conversationName(key), agent, model, calls, lastAt });
  }
  return [...found.values()].sort((one, other) => other.lastAt - one.lastAt);
}
