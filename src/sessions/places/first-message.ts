import type { RecordedEvents } from '../../content/session-event.ts';
import { heldBytes } from '../../disk/file-bytes.ts';
import { filePart } from '../../disk/file-part.ts';
import { readSession } from '../read-session.ts';
import type { FoundSession } from './session-places.ts';

/** Of a file of lines. */
const HEAD_BYTES = 192 * 1024;
/** A document is read whole or not at all. */
const MOST_DOCUMENT_BYTES = 4 << 20;
const MOST_CHARS = 200;
/** What agents put before the user's own words: settings, instructions, commands. Source: the recordings. */
const NOT_TYPED = /^\s*(?:<|# AGENTS\.md|Caveat:|Base directory for this skill|\[Request interrupted)/;
/** Codex in an editor puts the open files before the request. */
const BEFORE_REQUEST = /^# Context from my IDE setup:[\s\S]*?## My request for Codex:/;

/** The start of the first message that the user typed, on one line; undefined if there is none. */
export function firstTyped({ events }: RecordedEvents): string | undefined {
  for (const event of events) {
    if (event.kind !== 'add' || event.content.speaker !== 'human') continue;
    const blocks = event.content.blocks.map((block) => (block.type === 'text' ? block.text : ''));
    const text = blocks.join(' ').replace(BEFORE_REQUEST, '');
    if (text.trim() !== '' && !NOT_TYPED.test(text)) return text.trim().replaceAll(/\s+/g, ' ').slice(0, MOST_CHARS);
  }
  return undefined;
}

/** The start of the first message that the user typed, on one line; undefined if the head of the file contains none. */
export function firstMessage({ path, sizeBytes, told, problem }: FoundSession): string | undefined {
  if (told) return told.title;
  if (problem !== undefined) return undefined;
  try {
    const isDocument = path.endsWith('.json');
    if (isDocument && sizeBytes > MOST_DOCUMENT_BYTES) return undefined;
    const head = filePart(path, 0, isDocument ? sizeBytes : HEAD_BYTES);
    const end = sizeBytes > head.length ? head.lastIndexOf(10) + 1 : head.length;
    const { session } = readSession({ path, mode: 0, identity: '', ...heldBytes(head.subarray(0, end)) });
    return firstTyped(session);
  } catch {
    return undefined;
  }
}
