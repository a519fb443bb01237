import type { IContent } from '../../content/content.ts';
import type { RecordedEvents } from '../../content/session-event.ts';
import { heldBytes } from '../../disk/file-bytes.ts';
import { filePart } from '../../disk/file-part.ts';
import { readSession } from '../read-session.ts';
import type { FoundSession } from './session-places.ts';

/** The starts of a file of lines that are read. The second is read if the message is not in the first. */
const HEADS_BYTES = [32 * 1024, 192 * 1024];
/** A document is read whole or not at all. */
const MAX_DOCUMENT_BYTES = 4 << 20;
const MAX_CHARS = 200;
/** What agents put before the user's own words: settings, instructions, commands. Source: the recordings. */
const NOT_TYPED = /^\s*(?:<|# AGENTS\.md|Caveat:|Base directory for this skill|\[Request interrupted)/;
/** Codex in an editor puts the open files before the request, Copilot CLI the time. */
const BEFORE_REQUEST =
  /^# Context from my IDE setup:[\s\S]*?## My request for Codex:|^<current_datetime>[^<]*<\/current_datetime>/;
const REMINDER = '<system_reminder>';
const REMINDER_END = '</system_reminder>';

/** Copilot CLI puts reminders after the request. */
function withoutReminders(text: string): string {
  let rest = text.trimEnd();
  while (rest.endsWith(REMINDER_END)) {
    const start = rest.lastIndexOf(REMINDER);
    if (start === -1) break;
    rest = rest.slice(0, start).trimEnd();
  }
  return rest;
}

/** A task that another agent of a team gives: its words follow, unless they are encrypted. Source: rollouts of Codex 0.144. */
const TASK = /^Message Type: NEW_TASK\s+Task name: (\S+)\s+Sender: (\S+)\s+Payload:/;
/** The same in Claude Code. */
const TEAM_MESSAGE = /^<teammate-message[^>]*>/;
/** A command of the agent that the user typed, with what followed it. Source: the recordings */
const COMMAND = /<command-name>([^<]+)<\/command-name>/;
const ARGUMENTS = /<command-args>([^<]+)<\/command-args>/;

/** True for what an agent, a hook or a plugin added, by what the agent recorded of it. */
const isAdded = ({ metadata = {} }: IContent): boolean =>
  metadata.synthetic === true || metadata.isSummary === true || metadata['role'] === 'developer';

/** What was asked, without what agents put around it; empty if nothing was. */
function requestIn(text: string): string {
  const [head, name, sender] = TASK.exec(text) ?? [];
  if (head !== undefined) return text.slice(head.length).trim() || `${name}, a task of ${sender}`;
  if (TEAM_MESSAGE.test(text)) return text.replace(TEAM_MESSAGE, '').replace('</teammate-message>', '');
  return NOT_TYPED.test(text) ? '' : text;
}

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_CHARS);

/**
 * The start of the first message that the user typed, or another agent wrote to this one, on one line; if there is none,
 * the first command of the agent that the user typed; undefined if there is none either.
 */
export function firstTyped({ events }: RecordedEvents): string | undefined {
  let command: string | undefined;
  for (const event of events) {
    if (event.kind !== 'add' || event.content.speaker !== 'human' || isAdded(event.content)) continue;
    const blocks = event.content.blocks.map((block) => (block.type === 'text' ? block.text : ''));
    const text = withoutReminders(blocks.join(' ').replace(BEFORE_REQUEST, '')).trim();
    const request = oneLine(requestIn(text));
    if (request !== '') return request;
    const name = COMMAND.exec(text)?.[1];
    if (name !== undefined) command ??= oneLine(`${name} ${ARGUMENTS.exec(text)?.[1] ?? ''}`);
  }
  return command;
}

/** As `firstMessage`, in the first bytes of a file; undefined if they are no session, or cannot be read. */
function messageIn(path: string, { headBytes, sizeBytes }: { headBytes: number; sizeBytes: number }) {
  try {
    const head = filePart(path, 0, headBytes);
    const end = sizeBytes > head.length ? head.lastIndexOf(10) + 1 : head.length;
    const { session } = readSession({ path, mode: 0, identity: '', ...heldBytes(head.subarray(0, end)) });
    return firstTyped(session);
  } catch {
    return undefined;
  }
}

/** The start of the first message that the user typed, on one line; undefined if the head of the file contains none. */
export function firstMessage({ path, sizeBytes, told, problem }: FoundSession): string | undefined {
  if (told) return told.title;
  if (problem !== undefined) return undefined;
  if (path.endsWith('.json')) {
    return sizeBytes > MAX_DOCUMENT_BYTES ? undefined : messageIn(path, { headBytes: sizeBytes, sizeBytes });
  }
  for (const headBytes of HEADS_BYTES) {
    const message = messageIn(path, { headBytes, sizeBytes });
    if (message !== undefined || sizeBytes <= headBytes) return message;
  }
  return undefined;
}
