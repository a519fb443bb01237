import type { Usage } from '../../content/content.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import type { ContextCut } from '../../content/session-event.ts';
import { readContent } from '../anthropic/anthropic-content.ts';
import type { CallsOfResults } from '../blocks/calls-of-results.ts';
import type { JsonPath } from '../json/json-change.ts';
import type { PlacedBlock } from '../messages/message-part.ts';
import { recordedUsage } from '../usage/usage-report.ts';
import { readAttachment } from './attachment.ts';
import { USAGE_REPORTS } from './usage.ts';

/**
 * The kind of a line of the tree. `ai`: output of the model; `user`: a user turn, with results; `note`: added by the agent;
 * `compaction` and `clearing`: the agent cut its context; `link`: not sent, only a parent of others.
 */
type LineKind = 'ai' | 'user' | 'note' | 'compaction' | 'clearing' | 'link';

/** Messages that a compaction preserved: a segment of the tree, or a list. */
export interface Preserved {
  /** The message after which they are sent. */
  readonly anchorId: string | undefined;
  readonly uuids: readonly string[];
  readonly headId: string | undefined;
  readonly tailId: string | undefined;
}

/** The content of one line; paths start at `contentPath`. */
export interface LineContent {
  readonly kind: LineKind;
  readonly contentPath: JsonPath;
  readonly parts: readonly PlacedBlock[];
  /** The id that all lines of one answer share. */
  readonly groupId: string | undefined;
  /** The provider's names of the answer and of its request. */
  readonly answerId: string | undefined;
  readonly usage: Usage | undefined;
  readonly model: string | undefined;
  readonly isSummary: boolean;
  /** True if the agent wrote it, not the user. */
  readonly isSynthetic: boolean;
  /** The file whose lines the agent attached, because something else changed it. */
  readonly attachedFile: string | undefined;
  /** What the agent recorded about a cut of its context. */
  readonly cut: ContextCut | undefined;
  readonly preserved: Preserved | undefined;
  /** The ids of calls and lines whose text this line clears. */
  readonly cleared: ReadonlySet<string> | undefined;
}

/** One line of the tree. `parent` is always earlier in the file. */
export interface TreeLine extends LineContent {
  /** Results get the name of their tool when its call is read. */
  parts: readonly PlacedBlock[];
  readonly uuid: string;
  readonly parent: TreeLine | undefined;
  /** The nearest ancestor that is not a link. */
  readonly anchor: TreeLine | undefined;
  /** The numbers, from 1, of the lines with this content: several if the file repeats it. */
  readonly lines: number[];
  /** The calls in it, and the calls that it answers. Ids are reused, so each names the line of the call. */
  readonly asks: readonly string[];
  readonly answers: readonly string[];
  readonly timestamp: number | undefined;
}

/** The content of a line that was removed from the context. */
export const REMOVED_LINE = 'Removed from the context by high-density';

const MESSAGE_PATH: JsonPath = ['message', 'content'];

type Draft = { -readonly [Field in keyof LineContent]: LineContent[Field] };

/** The content of a line with all fields: objects of one shape are faster to read. */
function content(kind: LineKind, contentPath: JsonPath, parts: readonly PlacedBlock[]): Draft {
  return {
    kind,
    contentPath,
    parts,
    groupId: undefined,
    answerId: undefined,
    usage: undefined,
    model: undefined,
    isSummary: false,
    isSynthetic: false,
    attachedFile: undefined,
    cut: undefined,
    preserved: undefined,
    cleared: undefined,
  };
}

const LINK: LineContent = content('link', [], []);

const textField = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
};

const textList = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

function readPreserved(metadata: unknown): Preserved | undefined {
  if (!isRecord(metadata)) return undefined;
  const segment = metadata['preservedSegment'];
  const messages = metadata['preservedMessages'];
  const own = isRecord(messages) ? messages : isRecord(segment) ? segment : undefined;
  if (!own) return undefined;
  const all = textList(own['allUuids']);
  return {
    anchorId: textField(own, 'anchorUuid'),
    uuids: all.length > 0 ? all : textList(own['uuids']),
    headId: textField(own, 'headUuid'),
    tailId: textField(own, 'tailUuid'),
  };
}

/** The tokens of a clearing are those of results only, so they are left out. */
function cutOf(kind: ContextCut['kind'], metadata: unknown): ContextCut {
  const { trigger, preTokens } = isRecord(metadata) ? metadata : {};
  return {
    kind,
    ...(typeof trigger === 'string' && { trigger }),
    ...(kind === 'compaction' && typeof preTokens === 'number' && { beforeTokens: preTokens }),
  };
}

function readSystem(line: Fields): LineContent {
  if (line['subtype'] === 'compact_boundary') {
    const compaction = content('compaction', [], []);
    compaction.cut = cutOf('compaction', line['compactMetadata']);
    compaction.preserved = readPreserved(line['compactMetadata']);
    return compaction;
  }
  if (line['subtype'] === 'microcompact_boundary' && isRecord(line['microcompactMetadata'])) {
    const { compactedToolIds, clearedAttachmentUUIDs } = line['microcompactMetadata'];
    const clearing = content('clearing', [], []);
    clearing.cut = cutOf('clearing', line['microcompactMetadata']);
    clearing.cleared = new Set([...textList(compactedToolIds), ...textList(clearedAttachmentUUIDs)]);
    return clearing;
  }
  if (line['subtype'] === 'local_command' && typeof line['content'] === 'string') {
    const note = content(
      'note',
      ['content'],
      readContent(line['content'], () => ''),
    );
    note.isSynthetic = true;
    return note;
  }
  return LINK;
}

function readAnswer(line: Fields, message: Fields, calls: CallsOfResults): LineContent {
  const parts = readContent(message['content'], () => '');
  if (line['isApiErrorMessage'] === true || parts.length === 0) return LINK;
  calls.startMessage('ai');
  for (const { block } of parts) if (block.type === 'tool_call') calls.add(block);
  const model = textField(message, 'model');
  const id = textField(message, 'id');
  const answer = content('ai', MESSAGE_PATH, parts);
  answer.groupId = id ?? String(line['uuid']);
  if (id !== undefined) answer.answerId = [id, textField(line, 'requestId') ?? []].flat().join(' ');
  answer.usage = recordedUsage(message['usage'], USAGE_REPORTS);
  answer.isSynthetic = model === '<synthetic>';
  if (!answer.isSynthetic) answer.model = model;
  return answer;
}

function readUser(line: Fields, message: Fields, calls: CallsOfResults): LineContent {
  const isSummary = line['isCompactSummary'] === true;
  if (line['isVisibleInTranscriptOnly'] === true && !isSummary) return LINK;
  calls.startMessage('human');
  const parts = readContent(message['content'], calls.nextName);
  if (parts.length === 0) return LINK;
  const turn = content('user', MESSAGE_PATH, parts);
  turn.isSummary = isSummary;
  turn.isSynthetic = line['isMeta'] === true || isOfNobody(line['origin']);
  return turn;
}

/** True for what a task in the background, a timer or another program put in, not a person. */
const isOfNobody = (origin: unknown): boolean =>
  isRecord(origin) && typeof origin['kind'] === 'string' && origin['kind'] !== 'human';

/** The file that something else than the agent changed. */
const editedFile = (attachment: unknown): string | undefined =>
  isRecord(attachment) && attachment['type'] === 'edited_text_file' ? textField(attachment, 'filename') : undefined;

/** True for what a person wrote while the agent worked. */
const isQueuedWords = (attachment: unknown): boolean =>
  isRecord(attachment) && attachment['type'] === 'queued_command' && attachment['commandMode'] !== 'task-notification';

/**
 * The content of a line of the tree. Adds calls to `calls`, in which results find the name of their tool.
 * Source: line types of 802 recordings, section 1.1 of their description.
 */
export function readTreeLine(line: Fields, calls: CallsOfResults): LineContent {
  const message = isRecord(line['message']) ? line['message'] : {};
  switch (line['type']) {
    case 'assistant':
      return readAnswer(line, message, calls);
    case 'user':
      return readUser(line, message, calls);
    case 'system':
      return readSystem(line);
    case 'attachment': {
      const parts = readAttachment(line['attachment']);
      if (parts.length === 0) return LINK;
      const note = content('note', ['attachment'], parts);
      note.isSynthetic = !isQueuedWords(line['attachment']);
      note.attachedFile = editedFile(line['attachment']);
      return note;
    }
    default:
      return LINK;
  }
}
