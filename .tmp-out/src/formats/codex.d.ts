import type { SessionFormat } from './contract.ts';
/**
 * Rollouts of OpenAI's Codex CLI, `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`. Live is the last
 * `compacted.replacement_history` and the response items behind it, without the turns that were rolled back. One entry
 * is one answer of the model (its reasoning, words and calls), one message, or one output. Developer messages and the
 * context that Codex puts into user messages are human entries: they stand in the conversation that is sent.
 * Source: rollouts of 0.39 and 0.116 to 0.144.
 */
export declare const codex: SessionFormat;
