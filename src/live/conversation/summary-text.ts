import { isRecord } from '../../content/foreign-value.ts';
import type { JsonPath } from '../../formats/json/json-change.ts';
import type { Message } from '../../formats/messages/message-list.ts';
import { hashOf } from './hash-of.ts';

/** A text of a user's message in which the agent gives the model a summary of what was before. */
export interface SummaryText {
  /** The same for the same text. */
  readonly id: string;
  readonly text: string;
  readonly path: JsonPath;
}

/**
 * How such a text begins: of Claude Code, Codex and pi. Source: docs/live.md, "Requests for a summary"; Codex,
 * codex-rs/core/templates/compact/summary_prefix.md; pi 0.73.1, core/messages.js.
 */
const OPENINGS: readonly string[] = [
  'This session is being continued from a previous conversation',
  'Another language model started to solve this problem and produced a summary of its thinking process.',
  'The conversation history before this point was compacted into the following summary:',
];

/** Below the message that is only one text, which is a list while it has the cache mark: see `elementHash`. */
export const ONLY_TEXT: JsonPath = ['content'];

const NO_SUMMARIES: readonly SummaryText[] = [];

/** The summaries in an element of a list. */
export function summariesIn({ role, content }: Message): readonly SummaryText[] {
  if (role !== 'user') return NO_SUMMARIES;
  if (typeof content === 'string') return summaryAt(ONLY_TEXT, content);
  if (!Array.isArray(content)) return NO_SUMMARIES;
  const found = content.flatMap((block: unknown, at) => {
    const path = content.length === 1 ? ONLY_TEXT : [...ONLY_TEXT, at, 'text'];
    return isRecord(block) && TEXTS.has(block['type']) ? summaryAt(path, block['text']) : NO_SUMMARIES;
  });
  return found.length === 0 ? NO_SUMMARIES : found;
}

const TEXTS: ReadonlySet<unknown> = new Set(['text', 'input_text']);

function summaryAt(path: JsonPath, text: unknown): readonly SummaryText[] {
  if (typeof text !== 'string' || !OPENINGS.some((opening) => text.startsWith(opening))) return NO_SUMMARIES;
  return [{ id: `summary ${hashOf(text)}`, text, path }];
}
