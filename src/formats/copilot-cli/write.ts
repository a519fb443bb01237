import { append } from '../../content/append.ts';
import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import type { Line } from '../contract.ts';
import type { JsonChange } from '../json/json-change.ts';
import { spliceJson } from '../json/json-splice.ts';
import type { LineEdit, LineEdits } from '../lines/line-edits.ts';
import { planLines } from '../lines/line-messages.ts';
import { assertRestartable } from '../lines/lines.ts';
import { type RecordLine, recordLines } from '../lines/record-lines.ts';
import type { Message } from '../messages/message-list.ts';
import type { PlacedEdit } from '../messages/message-part.ts';
import { eventChanges } from './event.ts';
import { EventMaker } from './new-events.ts';
import { type Recording, readRecording } from './read.ts';

const NEWLINE = 10;

/** The edits of the lines: an event, and with a call also the event that starts it, in which the agent repeats it. */
function planOf({ live, starts, lineCount }: Recording, history: readonly IContent[]): LineEdits<IContent> {
  const announced: number[] = [];
  const changes = (event: Message, edits: readonly PlacedEdit[]) => {
    for (const { block, edit } of edits)
      if (block.type === 'tool_call' && edit.kind === 'drop') append(announced, starts.get(block.id) ?? []);
    return eventChanges(event, edits);
  };
  const plan = planLines(live, history, { changes });
  for (const line of announced) plan.at(line).isRemoved = true;
  if (live.length === 0) append(plan.at(lineCount).behind, plan.at(1).behind.splice(0));
  return plan;
}

/** Writes lines and keeps the chain of `parentId` unbroken. */
class Chain {
  /** By id of a removed line, or of a line before new ones: the new parent of its children. */
  readonly #moved = new Map<unknown, unknown>();
  readonly #maker: EventMaker;
  #last: unknown = null;
  #lastTime = 0;

  constructor(seed: string) {
    this.#maker = new EventMaker(seed);
  }

  *line({ bytes, parsed }: RecordLine, edit: LineEdit<IContent> | undefined) {
    const { isRemoved = false, changes = [], before = [] } = edit ?? {};
    if (parsed.kind !== 'json' || !isRecord(parsed.value) || !('parentId' in parsed.value)) {
      yield bytes;
      return;
    }
    const { id, parentId, timestamp } = parsed.value;
    this.#lastTime = Date.parse(String(timestamp)) || this.#lastTime;
    let parent = this.#moved.has(parentId) ? this.#moved.get(parentId) : parentId;
    if (before.length > 0) {
      this.#last = parent;
      yield* this.added(before);
      parent = this.#last;
    }
    if (isRemoved) this.#moved.set(id, parent);
    this.#last = isRemoved ? parent : id;
    if (isRemoved) return;
    const rehung: JsonChange[] = parent === parentId ? [] : [{ kind: 'set', path: ['parentId'], value: parent }];
    yield spliceJson(bytes, [...changes, ...rehung]);
  }

  /** Adds new lines after the last one; the last of them becomes the parent of its children. */
  *added(contents: readonly IContent[]) {
    const from = this.#last;
    for (const content of contents) {
      for (const event of this.#maker.events(content)) {
        const { id, bytes } = this.#maker.line(event, this.#last, content.metadata?.timestamp ?? this.#lastTime);
        this.#last = id;
        yield bytes;
      }
    }
    for (const [key, value] of this.#moved) if (value === from) this.#moved.set(key, this.#last);
    this.#moved.set(from, this.#last);
  }
}

/**
 * The recording with its live history changed. The line of an event is removed with its last block, together with the line
 * that announced its call; its children get its parent. Lines for the screen (hooks, permissions) are kept.
 */
export function* writeRecording(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const recording = readRecording(lines);
  const plan = planOf(recording, history);
  const chain = new Chain(recording.session.id ?? '');
  let line = 0;
  for (const record of recordLines(lines)) {
    const edit = plan.find(++line);
    const behind = edit?.behind ?? [];
    let endsLine = true;
    for (const piece of chain.line(record, edit)) {
      yield piece;
      endsLine = piece.at(-1) === NEWLINE;
    }
    if (behind.length > 0 && !endsLine) yield new Uint8Array([NEWLINE]);
    if (behind.length > 0) yield* chain.added(behind);
  }
}
