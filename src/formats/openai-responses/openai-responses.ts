import { append } from '../../content/append.ts';
import type { IContent } from '../../content/content.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { codex as vocabulary } from '../../content/vocabularies/codex.ts';
import { CallsOfResults } from '../blocks/calls-of-results.ts';
import { sendable } from '../blocks/sendable.ts';
import { systemFacts } from '../blocks/system-facts.ts';
import { newItems } from '../codex/create.ts';
import { type Item, type PlacedEntry, type PlacedItem, type RecordedCall, readItem } from '../codex/item.ts';
import { partsText } from '../codex/output.ts';
import { entryChanges } from '../codex/write.ts';
import type { Line, Session, SessionFormat, SkippedLine } from '../contract.ts';
import type { JsonChange, JsonPath } from '../json/json-change.ts';
import { headDocument, noMessages, readDocument } from '../json/json-file.ts';
import { spliceJson, within } from '../json/json-splice.ts';
import { compareHistories } from '../lines/edits.ts';
import { assertRestartable } from '../lines/lines.ts';
import { creatorOf, leading } from '../messages/message-document.ts';
import { withProviderCuts } from '../provider-cuts.ts';

const NAME = 'openai-responses';
const TITLE = 'items of the OpenAI Responses API';

interface ItemList {
  readonly path: JsonPath;
  readonly items: readonly unknown[];
}

interface Opened extends ItemList {
  readonly bytes: Uint8Array;
  readonly around: Fields;
  readonly instructions: readonly Fields[];
  readonly live: readonly PlacedEntry[];
  readonly skipped: readonly SkippedLine[];
}

/** The items of a list, the `input` of a request, the `output` of a response, or the `data` of a conversation. */
function listOf(value: unknown): ItemList | undefined {
  if (Array.isArray(value)) return { path: [], items: value };
  const key = isRecord(value) ? ['input', 'output', 'data'].find((name) => Array.isArray(value[name])) : undefined;
  return key !== undefined && isRecord(value) ? { path: [key], items: value[key] as unknown[] } : undefined;
}

/** The item with its type, which a message can omit. */
const typed = (item: Fields): Fields => ('type' in item || !('role' in item) ? item : { ...item, type: 'message' });
const isInstruction = ({ role }: Fields): boolean => role === 'system' || role === 'developer';

class ItemReader {
  readonly live: (PlacedEntry & { readonly items: PlacedItem[] })[] = [];
  readonly #calls = new CallsOfResults<RecordedCall>();
  readonly #taken = new Set<string>();

  read(item: Fields, index: number): void {
    const payload = typed(item);
    const read = readItem(payload, this.#calls);
    if (!read) return;
    const placed: PlacedItem = { item: read, payload, line: 1, index };
    const last = this.live.at(-1);
    if (last && this.#joins(read, last)) this.#join(last, placed);
    else if (read.blocks.length > 0) this.live.push(this.#entry(placed));
  }

  /** True if an item belongs to the current answer: an answer starts with its reasoning, or without any with its text. */
  #joins(item: Item, { entry, items }: PlacedEntry): boolean {
    if (item.speaker !== 'ai' || entry.speaker !== 'ai' || item.kind === 'compaction') return false;
    const begins = item.kind === 'reasoning' || item.kind === 'message';
    const kinds = new Set(items.map((one) => one.item.kind));
    return !kinds.has('compaction') && !(begins && (kinds.has('message') || kinds.has('call')));
  }

  #join(last: PlacedEntry & { items: PlacedItem[] }, placed: PlacedItem): void {
    const entry = { ...last.entry, blocks: [...last.entry.blocks, ...placed.item.blocks] };
    this.live[this.live.length - 1] = { entry, items: [...last.items, placed] };
  }

  #entry(placed: PlacedItem): PlacedEntry & { items: PlacedItem[] } {
    const { item, payload, index } = placed;
    const own = payload['id'];
    const id = typeof own === 'string' && own !== '' && !this.#taken.has(own) ? own : `item-${index}`;
    this.#taken.add(id);
    const metadata = {
      id,
      ...(item.kind === 'compaction' && { isSummary: true }),
      ...(isInstruction(payload) && { role: payload['role'] }),
    };
    return { entry: { speaker: item.speaker, blocks: item.blocks, metadata }, items: [placed] };
  }
}

function open(lines: Iterable<Line>): Opened {
  const { bytes, value } = readDocument(lines, TITLE);
  const list = listOf(value);
  if (!list?.items.some((item) => isRecord(item) && ('type' in item || 'role' in item))) throw noMessages(TITLE, bytes);
  const instructions = leading(list.items, isInstruction);
  const reader = new ItemReader();
  const skipped: SkippedLine[] = [];
  for (const [index, item] of list.items.entries()) {
    if (index < instructions.length) continue;
    if (isRecord(item)) reader.read(item, index);
    else skipped.push({ line: 1, reason: `expected an object in item ${index}` });
  }
  return { bytes, ...list, around: isRecord(value) ? value : {}, instructions, live: reader.live, skipped };
}

function read(lines: Iterable<Line>): Session {
  const { around, instructions, live, skipped } = open(lines);
  const texts = instructions.map(({ content }) => partsText(content));
  return {
    format: NAME,
    ...(typeof around['id'] === 'string' && { id: around['id'] }),
    ...(typeof around['model'] === 'string' && { model: around['model'] }),
    ...systemFacts([around['instructions'], ...texts], around['tools']),
    events: live.map(({ entry }) => ({ kind: 'add', content: entry })),
    skipped,
  };
}

/** The ids of calls whose input is raw text: their outputs have another type. */
const rawCalls = (history: readonly IContent[]): ReadonlySet<string> =>
  new Set(
    history.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === 'tool_call' && typeof block.parameters === 'string' ? block.id : [])),
    ),
  );

function* write(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const { bytes, path, items, live } = open(lines);
  const { entries, added } = compareHistories(
    live.map(({ entry }) => entry),
    history,
  );
  const changes: JsonChange[] = [];
  for (const placed of live) {
    const own = entries.get(placed.entry.metadata?.id ?? '')!;
    for (const [at, change] of entryChanges(placed, own).entries()) {
      const place = [placed.items[at]?.index as number];
      append(changes, change === 'remove' ? [{ kind: change, path: place }] : within(place, change));
    }
  }
  const last = new Map(live.map(({ entry, items: own }) => [entry.metadata?.id, own.at(-1)?.index as number]));
  const raw = rawCalls(history);
  for (const { content, afterId } of added) {
    const place = afterId === undefined ? undefined : last.get(afterId);
    const at = place === undefined ? (live[0]?.items[0]?.index ?? items.length) : place + 1;
    changes.push({ kind: 'insert', path: [at], values: newItems(content, raw) });
  }
  yield spliceJson(bytes, within(path, changes));
}

const OWN_ITEMS =
  /^(?:message|reasoning|compaction|item_reference|(?:function|custom_tool|local_shell|shell|apply_patch|computer|mcp|web_search|file_search|code_interpreter|image_generation|tool_search)_call(?:_output)?|tool_search_output|mcp_list_tools|mcp_approval_(?:request|response)|compaction_trigger)$/;

function isItemList(document: unknown): boolean {
  const list = listOf(document);
  if (!list || list.items.length === 0) return false;
  if (isRecord(document) && document['messages'] !== undefined) return false;
  const whole = list.items.length > 1 ? list.items.slice(0, -1) : list.items;
  const isOwn = (item: unknown): boolean => isRecord(item) && OWN_ITEMS.test(String(item['type']));
  const isMessage = (item: unknown): boolean =>
    isRecord(item) && !('type' in item) && typeof item['role'] === 'string' && 'content' in item;
  if (!whole.every((item) => isOwn(item) || isMessage(item))) return false;
  return list.items.some(isOwn) || (list.path[0] === 'input' && isRecord(document) && 'model' in document);
}

/**
 * Items of OpenAI's Responses API: the `input` of a request, the `output` of a response, the `data` of a conversation, or
 * a list. One entry is one answer (its reasoning, text and calls), one message, or one output; system and developer messages
 * at the start are the system text. Reasoning is removed with the items after it.
 * Source: https://platform.openai.com/docs/api-reference/responses/create
 */
export const openaiResponses: SessionFormat = withProviderCuts({
  name: NAME,
  title: 'OpenAI Responses items',
  vocabulary,
  detect: (head) => isItemList(headDocument(head)),
  read,
  write,
  create: creatorOf((history, { model }) => {
    const entries = sendable(history);
    const raw = rawCalls(entries);
    return { ...(model !== undefined && { model }), input: entries.flatMap((entry) => newItems(entry, raw)) };
  }),
});
