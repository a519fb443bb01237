import { isRecord } from '../../content/foreign-value.ts';
import type { JsonPath } from '../json/json-splice.ts';
import type { PlacedBlock } from '../messages/message-part.ts';

/**
 * Fields of an attachment that hold what the model is shown, at any depth: the contents of files and memories, queued
 * prompts, snippets of edited files, diagnostics, listings. Everything else (paths, counts, commands, exit codes) is
 * for the screen. Source: attachment kinds of versions 2.1.8x to 2.1.217, spec of the recordings, section 1.1.
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

/** Hooks speak to the model when they add context or block; their other outcomes are for the screen. */
const SHOWN_HOOKS: ReadonlySet<string> = new Set(['hook_additional_context', 'hook_blocking_error']);
/** A hook that succeeded is shown for these events only. */
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

/** The texts of an attachment that the model is shown, with their places in it. */
export function readAttachment(attachment: unknown): PlacedBlock[] {
  if (!isRecord(attachment)) return [];
  const kind = String(attachment['type']);
  const isShown = kind === 'hook_success' ? SHOWN_EVENTS.has(attachment['hookEvent']) : SHOWN_HOOKS.has(kind);
  if (kind.startsWith('hook_') && !isShown) return [];
  const found: PlacedBlock[] = [];
  collect(attachment, [], '', found);
  return found;
}
