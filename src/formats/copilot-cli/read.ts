import { createHash } from 'node:crypto';
import { asText, type Fields, isRecord } from '../../content/foreign-value.ts';
import { addTo } from '../../content/group-by.ts';
import type { ContextCut, SessionEvent } from '../../content/session-event.ts';
import { CallsOfResults } from '../blocks/calls-of-results.ts';
import { type RecordedFacts, recordedMetadata } from '../blocks/entry-metadata.ts';
import type { Line, Session } from '../contract.ts';
import type { LineMessage } from '../lines/line-messages.ts';
import { noUsableLine, ObjectLines } from '../lines/object-lines.ts';
import { contentsOf, entriesAt } from '../messages/message-list.ts';
import type { MessagePart } from '../messages/message-part.ts';
import { readAnswer, readNotice, readResult, readSkill, readUser } from './event.ts';

const EVENT_TYPE = /^(?:session|system|user|assistant|tool|hook|permission|subagent|skill)\.[a-z_]+$/;

type CopilotEvent = Fields & { readonly data: Fields };

/** True if a line is an event of Copilot CLI. */
export const isCopilotEvent = (value: unknown): value is CopilotEvent =>
  isRecord(value) && EVENT_TYPE.test(String(value['type'])) && isRecord(value['data']) && 'parentId' in value;

const contentId = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

class EventReader {
  readonly events: SessionEvent[] = [];
  readonly facts: { id?: string; model?: string; workspaceRoot?: string; systemText?: string } = {};
  /** Lines of `tool.execution_start`, by the id of the call. */
  readonly starts = new Map<string, number[]>();
  live: LineMessage[] = [];
  isRecording = false;
  readonly #calls = new CallsOfResults();
  /** Texts of skills, by how an event refers to them. */
  readonly #skills = new Map<unknown, string>();
  readonly #lineOfId = new Map<unknown, number>();
  readonly #taken = new Set<string>();
  #compactionLine: number | undefined;

  read(line: number, event: CopilotEvent): void {
    const { data } = event;
    this.isRecording = true;
    this.#lineOfId.set(event['id'], line);
    // Events of a sub-agent are between the calls of its caller, and are sent only to the sub-agent.
    if (typeof data['parentToolCallId'] === 'string' || typeof event['agentId'] === 'string') return;
    const place = { line, event };
    switch (event['type']) {
      case 'session.start':
      case 'session.resume':
        this.#session(data);
        break;
      case 'session.model_change':
        if (typeof data['newModel'] === 'string') this.facts.model = data['newModel'];
        break;
      case 'system.message':
        if (typeof data['content'] === 'string') this.facts.systemText = data['content'];
        break;
      case 'user.message':
        this.#add(place, readUser(data));
        break;
      case 'system.notification':
        this.#add(place, readNotice(data['content'], 'data', 'content'), { synthetic: true });
        break;
      case 'skill.invoked':
        this.#skills.set(contentId(asText(data['content'])), asText(data['content']));
        break;
      case 'skill.context_delivered_ref':
        this.#skill(place, data);
        break;
      case 'assistant.message':
        this.#answer(place, data);
        break;
      case 'tool.execution_start':
        addTo(this.starts, String(data['toolCallId']), line);
        break;
      case 'tool.execution_complete':
        this.#calls.startMessage('tool');
        this.#add(place, readResult(data, this.#calls.nextName(String(data['toolCallId']))));
        break;
      case 'session.compaction_start':
        this.#compactionLine = line;
        break;
      case 'session.compaction_complete':
        this.#compacted(place, data);
        break;
      case 'session.snapshot_rewind':
        this.#rewound(data['upToEventId']);
        break;
    }
  }

  #skill(place: { line: number; event: Fields }, data: Fields): void {
    const content = this.#skills.get(data['contentId']);
    if (content !== undefined) this.#add(place, readSkill(data, content));
  }

  #session(data: Fields): void {
    const { sessionId, selectedModel, context } = data;
    if (typeof sessionId === 'string') this.facts.id ??= sessionId;
    if (typeof selectedModel === 'string') this.facts.model = selectedModel;
    if (isRecord(context) && typeof context['cwd'] === 'string') this.facts.workspaceRoot ??= context['cwd'];
  }

  #answer(place: { line: number; event: Fields }, data: Fields): void {
    if (typeof data['model'] === 'string') this.facts.model = data['model'];
    const reading = readAnswer(data);
    this.#calls.startMessage('ai');
    for (const block of reading?.blocks ?? []) if (block.type === 'tool_call') this.#calls.add(block);
    this.#add(place, reading, this.facts.model === undefined ? {} : { model: this.facts.model });
  }

  #placed({ line, event }: { line: number; event: Fields }, reading: MessagePart, facts: RecordedFacts): LineMessage {
    const metadata = recordedMetadata({ ...facts, id: event['id'] || undefined, timestamp: event['timestamp'] });
    const entries = entriesAt([{ ...reading, metadata }], `line-${line}`, this.#taken);
    return { message: event, entries, places: [{ line, path: [] }] };
  }

  #add(place: { line: number; event: Fields }, reading: MessagePart | undefined, facts: RecordedFacts = {}): void {
    if (!reading) return;
    const placed = this.#placed(place, reading, facts);
    this.live.push(placed);
    for (const content of contentsOf([placed])) this.events.push({ kind: 'add', content });
  }

  /** The summary replaces everything up to the start of the compaction, which runs in the background. */
  #compacted(place: { line: number; event: Fields }, data: Fields): void {
    const start = this.#compactionLine ?? place.line;
    this.#compactionLine = undefined;
    const reading =
      data['success'] === false ? undefined : readNotice(data['summaryContent'], 'data', 'summaryContent');
    if (!reading) return;
    const summary = this.#placed(place, reading, { isSummary: true });
    this.#replace([summary, ...this.live.filter(({ places: [{ line }] }) => line > start)], { kind: 'compaction' });
  }

  /** Removes this event and all after it. */
  #rewound(eventId: unknown): void {
    const from = this.#lineOfId.get(eventId);
    if (from !== undefined) this.#replace(this.live.filter(({ places: [{ line }] }) => line < from));
  }

  #replace(live: LineMessage[], by?: ContextCut): void {
    this.live = live;
    this.events.push({ kind: 'replace', contents: contentsOf(live), ...(by && { by }) });
  }
}

/** The session of a recording, its live events, the lines that announce each call, and how many lines there are. */
export interface Recording {
  readonly session: Session;
  readonly live: readonly LineMessage[];
  readonly starts: ReadonlyMap<string, readonly number[]>;
  readonly lineCount: number;
}

/**
 * Reads all events.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` if no line is an event.
 */
export function readRecording(lines: Iterable<Line>): Recording {
  const rows = new ObjectLines(lines);
  const reader = new EventReader();
  for (const { line, value } of rows)
    if (isCopilotEvent(value)) reader.read(line, value);
    else if (EVENT_TYPE.test(String(value['type'])))
      rows.skipped.push({ line, reason: 'expected an object in `data`' });
  if (!reader.isRecording)
    throw noUsableLine('events of Copilot CLI ({"type","data","id","timestamp","parentId"})', rows);
  const { events, facts, live, starts } = reader;
  const session = { format: 'copilot-cli', ...facts, events, skipped: rows.skipped };
  return { session, live, starts, lineCount: rows.count };
}
