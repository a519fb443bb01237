import type { IContent } from '../../content/content.ts';
import { isRecord } from '../../content/foreign-value.ts';
import { addTo } from '../../content/group-by.ts';
import type { Line } from '../contract.ts';
import { type JsonChange, spliceJson } from '../json/json-splice.ts';
import { type BlockEdit, compareHistories } from '../lines/edits.ts';
import { assertRestartable, parseLine } from '../lines/lines.ts';
import { eventChanges } from './event.ts';
import { EventMaker } from './new-events.ts';
import { type Recording, readRecording } from './read.ts';

const NEWLINE = 10;

/** The changes of the lines, by number from 1. */
class LinePlan {
  readonly changes = new Map<number, readonly JsonChange[]>();
  readonly removed = new Set<number>();
  readonly before = new Map<number, IContent[]>();
  readonly behind = new Map<number, IContent[]>();
}

function planOf({ live, starts }: Recording, history: readonly IContent[]): LinePlan {
  const plan = new LinePlan();
  const { entries, added } = compareHistories(
    live.map(({ entry }) => entry),
    history,
  );
  for (const { entry, reading, event, line } of live) {
    const edit = entries.get(entry.metadata?.id ?? '') ?? { kind: 'keep' };
    const edits: readonly BlockEdit[] = edit.kind === 'change' ? edit.blocks : entry.blocks.map(() => edit);
    const changes = eventChanges(event, reading, edits);
    if (changes === 'remove') plan.removed.add(line);
    else if (changes.length > 0) plan.changes.set(line, changes);
    // The agent repeats a call in the event that starts it.
    for (const [index, block] of entry.blocks.entries())
      if (block.type === 'tool_call' && edits[index]?.kind === 'drop')
        for (const start of starts.get(block.id) ?? []) plan.removed.add(start);
  }
  const lines = new Map(live.map(({ entry, line }) => [entry.metadata?.id, line]));
  for (const { content, afterId } of added) {
    const line = afterId === undefined ? undefined : lines.get(afterId);
    if (line !== undefined) addTo(plan.behind, line, content);
    else addTo(plan.before, live[0]?.line ?? Number.POSITIVE_INFINITY, content);
  }
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

  *line(bytes: Line, isRemoved: boolean, changes: readonly JsonChange[], before: readonly IContent[]) {
    const parsed = parseLine(bytes);
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
  const first = plan.before.get(Number.POSITIVE_INFINITY) ?? [];
  let endsLine = true;
  let line = 0;
  for (const bytes of lines) {
    line++;
    for (const piece of chain.line(
      bytes,
      plan.removed.has(line),
      plan.changes.get(line) ?? [],
      plan.before.get(line) ?? [],
    )) {
      yield piece;
      endsLine = piece.at(-1) === NEWLINE;
    }
    const behind = plan.behind.get(line);
    if (!behind) continue;
    if (!endsLine) yield new Uint8Array([NEWLINE]);
    yield* chain.added(behind);
    endsLine = true;
  }
  if (first.length > 0 && !endsLine) yield new Uint8Array([NEWLINE]);
  yield* chain.added(first);
}
