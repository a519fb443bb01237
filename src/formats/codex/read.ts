import { append } from '../../content/append.ts';
import type { ContentBlock, IContent, Usage } from '../../content/content.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import type { ContextCut, SessionEvent } from '../../content/session-event.ts';
import { CallsOfResults } from '../blocks/calls-of-results.ts';
import { type DraftMetadata, recordedMetadata } from '../blocks/entry-metadata.ts';
import { timeOf } from '../blocks/iso-time.ts';
import type { Line, Run, Session, SideCall } from '../contract.ts';
import { noUsableLine, ObjectLines } from '../lines/object-lines.ts';
import { type Item, type PlacedEntry, type PlacedItem, type RecordedCall, readItem } from './item.ts';
import { UsageReader } from './usage.ts';

/** An entry to which further items may be added. */
interface Draft extends PlacedEntry {
  readonly entry: Omit<IContent, 'metadata'> & { readonly blocks: ContentBlock[]; readonly metadata: DraftMetadata };
  readonly items: PlacedItem[];
}

const KNOWN_LINES: ReadonlySet<unknown> = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  'token_usage_record',
]);

type RolloutLine = Fields & { readonly payload: Fields };

/** True for a line that only rollouts have. */
export const isRolloutLine = (value: unknown): value is RolloutLine =>
  isRecord(value) && KNOWN_LINES.has(value['type']) && isRecord(value['payload']) && !('seq' in value);

class RolloutReader {
  readonly events: SessionEvent[] = [];
  readonly facts: {
    id?: string;
    model?: string;
    workspaceRoot?: string;
    systemText?: string;
    copied?: readonly Run[];
  } = {};
  live: PlacedEntry[] = [];
  isRollout = false;
  readonly #calls = new CallsOfResults<RecordedCall>();
  readonly #usage = new UsageReader();
  /** True while the lines of a fork are copies of those of its parent. */
  #isInherited = false;
  /** The answer to which further items are added: one entry per model call. */
  #open: Draft | undefined;

  read(line: number, { type, payload, timestamp }: RolloutLine): void {
    this.isRollout = true;
    if (this.#isInherited) this.#inherited(payload['turn_id']);
    if (type === 'session_meta') this.#meta(payload);
    else if (type === 'turn_context') this.#turn(payload);
    else if (type === 'response_item') this.#item({ line, payload }, timestamp);
    else if (type === 'compacted') this.#compacted(line, payload, timestamp);
    else if (type === 'token_usage_record') this.#usage.recorded(payload, this.#callAt(timestamp));
    else if (payload['type'] === 'token_count') this.#tokenCount(payload);
    else if (payload['type'] === 'thread_settings_applied' && isRecord(payload['thread_settings']))
      this.#usage.served(payload['thread_settings']);
    else if (payload['type'] === 'thread_rolled_back') this.#rolledBack(payload['num_turns']);
  }

  /** The first header is that of the session; a resume or a fork adds more. */
  #meta(payload: Fields): void {
    if (this.facts.id !== undefined) return;
    const { id, cwd, base_instructions: instructions, dynamic_tools: tools, forked_from_id: parent } = payload;
    this.#isInherited = typeof parent === 'string';
    if (typeof id === 'string') this.facts.id = id;
    if (typeof cwd === 'string') this.facts.workspaceRoot = cwd;
    const texts: string[] = [];
    if (isRecord(instructions) && typeof instructions['text'] === 'string') texts.push(instructions['text']);
    if (Array.isArray(tools) && tools.length > 0) texts.push(JSON.stringify(tools));
    if (texts.length > 0) this.facts.systemText = texts.join('\n');
  }

  /** A fork starts with its parent's lines, with new times. Ids of sessions and turns are UUIDs of version 7, which sort by time. */
  #inherited(turnId: unknown): void {
    const { id } = this.facts;
    if (typeof turnId !== 'string' || id === undefined || turnId <= id) return;
    this.#isInherited = false;
    this.facts.copied = [[0, this.events.length]];
    this.#usage.forget();
  }

  #callAt(timestamp: unknown): Pick<SideCall, 'model' | 'atMs'> {
    const atMs = timeOf(timestamp);
    const { model } = this.facts;
    return { ...(model !== undefined && { model }), ...(atMs !== undefined && { atMs }) };
  }

  get sideCalls(): readonly SideCall[] {
    return this.#usage.sideCalls();
  }

  #turn(turn: Fields): void {
    const { model, cwd } = turn;
    this.#usage.served(turn);
    if (typeof model === 'string') this.facts.model = model;
    if (typeof cwd === 'string') this.facts.workspaceRoot ??= cwd;
  }

  #item(place: { line: number; index?: number; payload: Fields }, at: unknown): void {
    const item = readItem(place.payload, this.#calls);
    if (!item) return;
    const placed: PlacedItem = { ...place, item };
    const joins = item.speaker === 'ai' && item.kind !== 'compaction';
    if (joins && this.#open) this.#join(this.#open, placed);
    else {
      const draft = this.#draft(placed, at);
      this.#open = joins ? draft : undefined;
      if (item.blocks.length > 0) this.#add(draft);
    }
  }

  #draft(placed: PlacedItem, timestamp: unknown): Draft {
    const { item, payload, line, index } = placed;
    const metadata = recordedMetadata({
      id: index === undefined ? `line-${line}` : `line-${line}.${index}`,
      timestamp,
      model: item.speaker === 'ai' && this.facts.model,
      isSummary: item.kind === 'compaction',
    });
    if (item.kind === 'message' && payload['role'] === 'developer') metadata['role'] = 'developer';
    return { entry: { speaker: item.speaker, blocks: [...item.blocks], metadata }, items: [placed] };
  }

  #join(draft: Draft, placed: PlacedItem): void {
    const isFirstWords = draft.entry.blocks.length === 0 && placed.item.blocks.length > 0;
    append(draft.entry.blocks, placed.item.blocks);
    draft.items.push(placed);
    if (isFirstWords) this.#add(draft);
  }

  #add(draft: Draft): void {
    this.live.push(draft);
    this.events.push({ kind: 'add', content: draft.entry });
    const [first] = draft.items;
    // Answers in a compaction were counted before.
    if (first?.item.speaker === 'ai' && first.index === undefined) this.#usage.answered(draft.entry.metadata);
  }

  #tokenCount(payload: Fields): void {
    const usage: Usage | undefined = this.#usage.counted(payload);
    // A changed count ends a model call; an equal one only repeats the rate limits.
    if (usage) this.#open = undefined;
  }

  #rolledBack(turns: unknown): void {
    const cut = firstRolledBack(this.live, typeof turns === 'number' ? turns : 0);
    this.#replace(this.live.slice(0, cut));
  }

  #compacted(line: number, payload: Fields, at: unknown): void {
    this.#usage.compacted();
    const before = this.live;
    const list = payload['replacement_history'];
    const carried = new Set(Array.isArray(list) ? list.map(kindOf) : []);
    const known = new Map(
      before
        .filter((placed) => isAlone(placed) && carried.has(kindOf(placed.items[0]?.payload)))
        .map((placed) => [identity(placed), placed.entry]),
    );
    this.live = [];
    this.#open = undefined;
    const eventCount = this.events.length;
    if (Array.isArray(list)) {
      for (const [index, item] of list.entries()) if (isRecord(item)) this.#item({ line, index, payload: item }, at);
      this.live = this.live.map((placed) => keepIdentity(placed, known));
    } else {
      this.live = before.filter(({ entry }) => entry.speaker === 'human');
      this.#summary(line, payload, at);
    }
    // The entries of the list are one event.
    this.events.length = eventCount;
    this.#replace(this.live, { kind: 'compaction' });
  }

  /** The form of older versions: user messages are kept, and `message` is the summary of the rest. */
  #summary(line: number, payload: Fields, at: unknown): void {
    const text = payload['message'];
    if (typeof text !== 'string' || text === '') return;
    const item: Item = { speaker: 'human', kind: 'message', blocks: [{ type: 'text', text }], places: [['message']] };
    const draft = this.#draft({ item, payload, line }, at);
    draft.entry.metadata.isSummary = true;
    this.live.push(draft);
  }

  #replace(live: PlacedEntry[], by?: ContextCut): void {
    this.live = live;
    this.#open = undefined;
    this.events.push({ kind: 'replace', contents: live.map(({ entry }) => entry), ...(by && { by }) });
  }
}

const isAlone = ({ items }: PlacedEntry): boolean => items.length === 1;
/** The kind of an item, by which most outputs and answers are excluded without a comparison of their bytes. */
const kindOf = (item: unknown): string => (isRecord(item) ? `${item['type']} ${item['role']}` : '');
const identity = ({ items }: PlacedEntry): string => JSON.stringify(items[0]?.payload);

/** The equal entry from before the compaction, at its new position, so that a live entry is the same object. */
function keepIdentity(placed: PlacedEntry, known: Map<string, IContent>): PlacedEntry {
  if (!isAlone(placed)) return placed;
  const key = identity(placed);
  const entry = known.get(key);
  known.delete(key);
  return entry ? { ...placed, entry } : placed;
}

/** The start of texts that Codex writes into user messages. Source: rollouts of 0.39 to 0.144. */
const CONTEXT =
  /^\s*(?:# AGENTS\.md instructions|<(?:environment_context|user_instructions|user_shell_command|turn_aborted|skill|subagent_notification)\b)/;

/** True if an entry starts a turn: a user message with more than Codex's context. */
function startsTurn({ entry, items }: PlacedEntry): boolean {
  if (entry.speaker !== 'human' || items[0]?.payload['role'] !== 'user') return false;
  return entry.blocks.some((block) => block.type !== 'text' || !CONTEXT.test(block.text));
}

/**
 * The index of the first entry that is removed if the last `turns` turns are undone. If there are fewer turns, the first
 * entry of the first turn; without turns, no entry is removed.
 */
function firstRolledBack(live: readonly PlacedEntry[], turns: number): number {
  const starts = live.flatMap((placed, index) => (startsTurn(placed) ? index : []));
  if (turns <= 0 || starts.length === 0) return live.length;
  return starts[Math.max(0, starts.length - turns)] as number;
}

/**
 * The session of a rollout, and the positions of the entries that are live at its end.
 * @throws CompressionStrategyError `SESSION_UNREADABLE` if no line is a line of a rollout.
 */
export function readRollout(lines: Iterable<Line>): { session: Session; live: readonly PlacedEntry[] } {
  const rows = new ObjectLines(lines);
  const reader = new RolloutReader();
  for (const { line, value } of rows)
    if (isRolloutLine(value)) reader.read(line, value);
    else if (KNOWN_LINES.has(value['type'])) rows.skipped.push({ line, reason: 'expected an object in `payload`' });
  if (!reader.isRollout) throw noUsableLine('Codex rollout lines ({"timestamp","type","payload"})', rows);
  const { events, facts, live, sideCalls } = reader;
  const beside = sideCalls.length > 0 && { sideCalls };
  return { session: { format: 'codex', ...facts, events, skipped: rows.skipped, ...beside }, live };
}
