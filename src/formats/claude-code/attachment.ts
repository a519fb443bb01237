import { isRecord } from '../../content/foreign-value.ts';
import type { JsonPath } from '../json/json-change.ts';
import type { PlacedBlock } from '../messages/message-part.ts';

/**
 * Fields of an attachment that the model is shown, at any depth: contents of files and memories, queued prompts, snippets
 * of edited files, diagnostics, listings. All other fields (paths, counts, commands, exit codes) are for the screen.
 * Source: attachment kinds of versions 2.1.8x to 2.1.217, spec of the recordings, section 1.1.
 */
const SHOWN_FIELDS: ReadonlySet<string> = new Set([
  'addedBlocks',
  'addedLines',
  'blockingError',
  'content',
  'message',
  'prompt',
  'snippet',
  'text',
]);

/** Hooks whose text the model is shown: they add context or block. Other outcomes are for the screen. */
const SHOWN_HOOKS: ReadonlySet<string> = new Set(['hook_additional_context', 'hook_blocking_error']);
/** The events for which a successful hook is shown. */
const SHOWN_EVENTS: ReadonlySet<unknown> = new Set(['SessionStart', 'UserPromptSubmit']);

const MAX_DEPTH = 8;

function collect(value: unknown, path: JsonPath, field: string, found: PlacedBlock[]): void {
  if (path.length > MAX_DEPTH) return;
  if (typeof value === 'string') {
    if (SHOWN_FIELDS.has(field) && value !== '') found.push({ block: { type: 'text', text: value }, path });
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(item, [...path, index], field, found);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) collect(item, [...path, key], key, found);
  }
}

/** The texts of an attachment that the model is shown, with their paths. */
export function readAttachment(attachment: unknown): PlacedBlock[] {
  if (!isRecord(attachment)) return [];
  const kind = String(attachment['type']);
  const isShown = kind === 'hook_success' ? SHOWN_EVENTS.has(attachment['hookEvent']) : SHOWN_HOOKS.has(kind);
  if (kind.startsWith('hook_') && !isShown) return [];
  const found: PlacedBlock[] = [];
  collect(attachment, [], '', found);
  return found;
}
