import type { ContentBlock, IContent } from '../../content/content.ts';
import { addTo, madeOnce } from '../../content/group-by.ts';
import { isPruned } from '../../content/pruned-result.ts';
import { archiveName } from '../../disk/block-archive.ts';
import type { DensityResult } from '../../strategies/contract.ts';
import { mayHaveNotes } from '../../strategies/high-density/repeated-lines/line-notes.ts';
import { isMessageId, textMessageId, USER_MESSAGE } from '../../strategies/high-density/repeated-lines/shown-text.ts';
import { hasLeftOut, withWayBack } from '../../strategies/high-density/shapers/markers.ts';
import type { BlockPlace, CallPlace } from '../../strategies/reasons/call-place.ts';
import { type EditReason, explainReason } from '../../strategies/reasons/edit-reason.ts';
import type { ConversationList } from '../conversation/conversation-list.ts';
import type { ElementReader, LiveResult } from '../conversation/element.ts';
import type { FrozenResult } from '../conversation/frozen.ts';
import type { Labels } from '../conversation/labels.ts';
import type { LiveDialect } from '../request/dialects.ts';
import { removedMarker, wayBack } from './markers.ts';
import type { Slices } from './slices.ts';

/** A result that may be sent in a shorter form. */
export interface ShorterResult {
  /** Its entry. */
  readonly at: number;
  readonly savedTokens: number;
  readonly result: LiveResult;
  readonly reason: EditReason;
  /** The calls that notes in what is left refer to. */
  readonly sources: readonly CallPlace[];
  /** What is left of the result; absent: a marker alone. */
  readonly kept: string | undefined;
}

interface EditSources {
  readonly history: ConversationList;
  readonly frozen: ReadonlyMap<string, FrozenResult>;
  readonly dialect: LiveDialect;
  /** Results that must not change. */
  readonly isKept: (result: LiveResult) => boolean;
}

/** About as long is a marker. */
const MARKER_CHARACTERS = 80;

const NO_SOURCES: readonly CallPlace[] = [];

/** The results that the edits of a pruning run shorten, by entry: what was sent before and what is new. Calls and messages are never removed. */
export async function shorterResults(
  found: DensityResult,
  sources: EditSources,
  slices: Slices,
): Promise<ReadonlyMap<number, readonly ShorterResult[]>> {
  const { history, isKept } = sources;
  const edited = new Map<LiveResult, Edited>();
  const removed = new Map<number, Set<number>>();
  for (const { entry: at, block, kind, reason } of found.edits ?? []) {
    if (kind === 'remove') madeOnce(removed, at, () => new Set<number>()).add(block);
    const result = history.resultAt(at, block)?.result;
    if (result === undefined) continue;
    // The last edit of a result counts.
    const from = reason.rule === 'repeatedLines' ? reason.sources : edited.get(result)?.sources;
    edited.set(result, { at, reason, sources: from ?? NO_SOURCES });
  }
  const byEntry = new Map<number, ShorterResult[]>();
  const weighed = { ...sources, found, removed };
  for (const [result, edit] of edited) {
    if (isKept(result) && !putsBack(edit.reason)) continue;
    if (slices.isOver()) await slices.next();
    const shorter = shorterResult(result, edit, weighed);
    if (shorter) addTo(byEntry, edit.at, shorter);
  }
  return byEntry;
}

/** True if an edit puts back lines that the other edits of its group remove elsewhere. */
const putsBack = ({ rule }: EditReason): boolean => rule === 'removedTarget';

/** A result as it is sent. */
type SentResult = Pick<LiveResult, 'text' | 'length'>;

const sentAs = (result: LiveResult, form: FrozenResult | undefined): SentResult =>
  form ? { text: form.text, length: form.text.length } : result;

/** True if an edit is worth it alone, or must apply with its group: notes may name lines that the group removes. */
const isWorth = ({ text, length }: SentResult, after: number, reason: EditReason): boolean =>
  after < length || putsBack(reason) || reason.rule === 'unboundThinking' || mayHaveNotes(text);

/** What the rules found, and the blocks that they remove, by entry. */
interface Weighed {
  readonly found: DensityResult;
  readonly removed: ReadonlyMap<number, ReadonlySet<number>>;
}

const NOTHING_REMOVED: ReadonlySet<number> = new Set();

type Edited = Pick<ShorterResult, 'at' | 'reason' | 'sources'>;

/** `undefined` if a result is hardly shorter than it is sent now, unless it has notes. */
function shorterResult(
  result: LiveResult,
  edit: Edited,
  { found, removed, history, frozen, dialect }: EditSources & Weighed,
): ShorterResult | undefined {
  const { at, reason, sources } = edit;
  const left = leftOf(result, found.replacements.get(at), {
    before: history.entries[at]!,
    removed: removed.get(at) ?? NOTHING_REMOVED,
  });
  const isCut = left?.type === 'text' || (left?.type === 'tool_response' && !isPruned(left.result));
  const kept = isCut ? textOf(left, result, dialect) : undefined;
  const length = isCut ? kept?.length : result.block.type === 'thinking' ? 0 : MARKER_CHARACTERS;
  if (length === undefined || (!isCut && result.block.type === 'text')) return undefined;
  const before = sentAs(result, frozen.get(result.id));
  return isWorth(before, length, reason)
    ? { at, reason, sources, savedTokens: history.tokensOf(before.length - length, at), result, kept }
    : undefined;
}

/** The block that is left of a result, or of a text. */
function leftOf(
  { block, blockAt }: LiveResult,
  left: IContent | undefined,
  { before, removed }: { readonly before: IContent; readonly removed: ReadonlySet<number> },
): ContentBlock | undefined {
  if (block.type === 'text') return left?.blocks.length === before.blocks.length ? left.blocks[blockAt] : undefined;
  if (removed.has(blockAt)) return undefined;
  return left?.blocks[blockAt - [...removed].filter((other) => other < blockAt).length];
}

interface FormSources {
  readonly history: ConversationList;
  readonly frozen: ReadonlyMap<string, FrozenResult>;
  readonly reader: ElementReader;
  readonly labels: Labels;
  /** True if a marker can say how to get the text: it is archived, and its reader has a tool for that. */
  readonly hasWayBack: () => boolean;
}

/** The form in which a result is sent by an edit; `undefined` if it is hardly shorter. */
export function formOf({ result, reason, kept, ...edit }: ShorterResult, from: FormSources): FrozenResult | undefined {
  const before = from.frozen.get(result.id);
  const text = kept === undefined ? marker(result, from) : withName(kept, result, from);
  if (!isWorth(sentAs(result, before), text.length, reason)) return undefined;
  const isShownElsewhere = reason.rule === 'staleRead' || reason.rule === 'repeatedLines' || putsBack(reason);
  const sources = [...(before?.sources ?? []), ...sourcesOf(edit.sources, from)];
  return {
    id: result.id,
    kind: 'pruned',
    text,
    reason: explained(reason, from),
    files: isShownElsewhere ? [] : filesOf(result, from),
    ...(kept !== undefined && { isCut: true, ...(sources.length > 0 && { sources }) }),
    ...(losesNothing(result, reason, kept) && { losesNothing: true }),
  };
}

/** True where nothing is lost that a person could read, as hidden thinking. */
function losesNothing({ block }: LiveResult, { rule }: EditReason, kept: string | undefined): boolean {
  if (block.type === 'thinking') return block.thought === '';
  return rule === 'shaped' && kept !== undefined && !hasLeftOut(kept);
}

/** The results of these calls, and the words of a user. */
function sourcesOf(sources: readonly CallPlace[], { history, reader }: FormSources): string[] {
  if (sources.length === 0) return [];
  const messages = new Set(sources.flatMap(({ callId }) => (isMessageId(callId) ? callId : [])));
  const calls = new Set(sources.map(placeName));
  const found = history.results.flatMap(({ result: { id, block } }) => {
    if (block.type === 'text') return messages.has(textMessageId(block.text)) ? id : [];
    const call = reader.pairedCall(block);
    return call && calls.has(placeName(call)) ? id : [];
  });
  return [...found, ...messages];
}

const placeName = ({ entry, block }: BlockPlace): string => `${entry} ${block}`;

function textOf(kept: ContentBlock, { text, block }: LiveResult, dialect: LiveDialect): string | undefined {
  if (kept.type === 'text') return kept.text;
  if (kept.type !== 'tool_response' || block.type !== 'tool_response') return undefined;
  if (dialect.textOf) return dialect.textOf(kept, text);
  return typeof kept.result === 'string' && kept.error === block.error ? kept.result : undefined;
}

/** The files that a result shows. */
function filesOf({ block }: LiveResult, { reader, labels }: FormSources): readonly string[] {
  const call = reader.callOf(block);
  return call === undefined ? [] : labels.files(call).reads;
}

function explained(reason: EditReason, { history, labels }: FormSources): string {
  const call = ({ entry, block }: CallPlace): string => {
    const found: ContentBlock | undefined = history.entries[entry]?.blocks[block];
    if (found?.type === 'text') return history.resultAt(entry, block)?.result.name ?? USER_MESSAGE;
    return labels.call(found?.type === 'tool_call' ? found : undefined);
  };
  return explainReason(reason, { call });
}

/** What is left of a result; where a shaper left text out, it says how to get the result back. */
const withName = (kept: string, { block }: LiveResult, { hasWayBack }: FormSources): string =>
  hasLeftOut(kept) && hasWayBack() ? withWayBack(kept, wayBack(archiveName(block))) : kept;

/** What is sent in the place of all of it; of thinking nothing is. */
function marker({ block }: LiveResult, sources: FormSources): string {
  if (block.type === 'thinking') return '';
  const what = sources.labels.call(sources.reader.callOf(block));
  return removedMarker(what, sources.hasWayBack() ? archiveName(block) : undefined);
}
