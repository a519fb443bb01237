import { codex as vocabulary } from '../../content/vocabularies/codex.ts';
import type { SessionFormat } from '../contract.ts';
import { headLines } from '../json/json-file.ts';
import { createRollout } from './create.ts';
import { isRolloutLine, readRollout } from './read.ts';
import { USAGE_REPORTS } from './usage.ts';
import { writeRollout } from './write.ts';

/**
 * Rollouts of OpenAI's Codex CLI, `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`. The live history is the last
 * `compacted.replacement_history` and the response items after it, without rolled back turns. One entry is one answer
 * (its reasoning, text and calls), one message, or one output. Developer messages, and context that Codex writes into
 * user messages, are human entries, because they are sent.
 * Source: rollouts of 0.39 and 0.116 to 0.144.
 */
export const codex: SessionFormat = {
  name: 'codex',
  title: 'Codex CLI rollout',
  vocabulary,
  detect: (head) => isRolloutLine(headLines(head)[0]),
  read: (lines) => readRollout(lines).session,
  write: writeRollout,
  usageReports: USAGE_REPORTS,
  create: createRollout,
};
