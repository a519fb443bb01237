import { codex as vocabulary } from '../../content/vocabularies/codex.ts';
import type { SessionFormat } from '../contract.ts';
import { headLines } from '../detection.ts';
import { createRollout } from './create.ts';
import { isRolloutLine, readRollout } from './read.ts';
import { writeRollout } from './write.ts';

/**
 * Rollouts of OpenAI's Codex CLI, `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`. Live is the last
 * `compacted.replacement_history` and the response items behind it, without the turns that were rolled back. One entry
 * is one answer of the model (its reasoning, words and calls), one message, or one output. Developer messages and the
 * context that Codex puts into user messages are human entries: they stand in the conversation that is sent.
 * Source: rollouts of 0.39 and 0.116 to 0.144.
 */
export const codex: SessionFormat = {
  name: 'codex',
  title: 'Codex CLI rollout',
  vocabulary,
  detect: (head) => isRolloutLine(headLines(head)[0]),
  read: (lines) => readRollout(lines).session,
  write: writeRollout,
  create: createRollout,
};
