import type { PlacedEntry } from './item.ts';

/** The start of texts that Codex writes into user messages. Source: rollouts of 0.39 to 0.144. */
const CONTEXT =
  /^\s*(?:# AGENTS\.md instructions|<(?:environment_context|user_instructions|user_shell_command|turn_aborted|skill|subagent_notification)\b)/;

/** True if an entry starts a turn: a user message with more than Codex's context. */
function startsTurn({ entry, items }: PlacedEntry): boolean {
  if (entry.speaker !== 'human' || items[0]?.payload['role'] !== 'user') return false;
  return entry.blocks.some((block) => block.type !== 'text' || !CONTEXT.test(block.text));
}

/**
 * The index of the first entry that is removed if the last `turns` turns are undone. If there are fewer turns, the first
 * entry of the first turn; without turns, no entry is removed.
 */
export function firstRolledBack(live: readonly PlacedEntry[], turns: number): number {
  const starts = live.flatMap((placed, index) => (startsTurn(placed) ? index : []));
  if (turns <= 0 || starts.length === 0) return live.length;
  return starts[Math.max(0, starts.length - turns)] as number;
}
