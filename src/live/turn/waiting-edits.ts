import type { ContentBlock, ToolCallBlock, ToolResponseBlock } from '../../content/content.ts';
import { isPruned } from '../../content/pruned-result.ts';
import { blockHash } from '../../disk/block-archive.ts';
import type { DensityResult } from '../../strategies/contract.ts';
import type { CallPlace } from '../../strategies/reasons/call-place.ts';
import type { EditReason } from '../../strategies/reasons/edit-reason.ts';
import { explainReason } from '../../strategies/reasons/explain-reason.ts';
import type { LiveResult } from '../conversation/element.ts';
import type { FrozenResult } from '../conversation/frozen.ts';
import type { History } from '../conversation/history.ts';
import type { Labels } from '../conversation/labels.ts';
import { CHARACTERS_PER_TOKEN, type LiveDialect } from '../request/dialects.ts';
import type { Slices } from './slices.ts';

/** A result that may be sent in a shorter form. `at`: its entry. */
export interface WaitingEdit {
  readonly at: number;
  /** Estimated before the text is written. */
  readonly savedTokens: number;
  readonly result: LiveResult;
  readonly reason: EditReason;
  /** What is left of the result; absent: a marker alone. */
  readonly kept: string | undefined;
}

interface EditSources {
  readonly history: History;
  readonly dialect: LiveDialect;
  /** Results that must not change. */
  readonly isKept: (result: LiveResult) => boolean;
}

/** An edit must save more than the marker costs. */
const LEAST_SAVED_CHARACTERS = 200;
/** About as long is a marker. */
const MARKER_CHARACTERS = 120;
const HASH_CHARACTERS = 12;

/** The start of a block's name in the archive, long enough to find it by. */
export const archiveName = (block: ContentBlock): string => blockHash(block).slice(0, HASH_CHARACTERS);

/**
 * The edits of a pruning run that shorten results that were sent before, in the order of the history. Calls and messages
 * are never removed.
 */
export async function waitingEdits(
  { edits = [], replacements }: DensityResult,
  { history, dialect, isKept }: EditSources,
  slices: Slices,
): Promise<WaitingEdit[]> {
  const waiting: WaitingEdit[] = [];
  const firstFresh = history.startOf(history.fresh);
  for (const { entry: at, block: blockAt, reason } of edits) {
    if (at >= firstFresh) break;
    const result = history.resultAt(at, blockAt)?.result;
    if (result === undefined || isKept(result)) continue;
    if (slices.isOver) await slices.rest();
    const left = replacements
      .get(at)
      ?.blocks.find((block) => block.type === 'tool_response' && block.callId === result.block.callId);
    const isCut = left?.type === 'tool_response' && !isPruned(left.result);
    const kept = isCut ? textOf(left, result, dialect) : undefined;
    const length = isCut ? kept?.length : MARKER_CHARACTERS;
    if (length === undefined || result.text.length - length < LEAST_SAVED_CHARACTERS) continue;
    removeEdit(waiting, at, result);
    waiting.push({ at, savedTokens: (result.text.length - length) / CHARACTERS_PER_TOKEN, result, reason, kept });
  }
  return waiting;
}

/** The last edit of a result counts. */
function removeEdit(waiting: WaitingEdit[], at: number, result: LiveResult): void {
  for (let index = waiting.length - 1; waiting[index]?.at === at; index--)
    if (waiting[index]!.result === result) waiting.splice(index, 1);
}

interface FormSources {
  readonly history: History;
  readonly calls: ReadonlyMap<string, ToolCallBlock>;
  readonly labels: Labels;
  readonly isArchived: boolean;
}

/** The form in which a result is sent by an edit; `undefined` if it is hardly shorter. */
export function formOf({ result, reason, kept }: WaitingEdit, sources: FormSources): FrozenResult | undefined {
  const text = kept ?? marker(result, reason, sources);
  if (result.text.length - text.length < LEAST_SAVED_CHARACTERS) return undefined;
  return {
    id: result.id,
    kind: 'pruned',
    text,
    reason: explained(reason, sources),
    files: reason.rule === 'staleRead' ? [] : filesOf(result, sources),
  };
}

function textOf(kept: ToolResponseBlock, before: LiveResult, dialect: LiveDialect): string | undefined {
  if (dialect.textOf) return dialect.textOf(kept, before.text);
  return typeof kept.result === 'string' && kept.error === before.block.error ? kept.result : undefined;
}

/** The files that a result shows. */
export function filesOf(
  { block }: LiveResult,
  { calls, labels }: Pick<FormSources, 'calls' | 'labels'>,
): readonly string[] {
  const call = calls.get(block.callId);
  return call === undefined ? [] : labels.files(call).reads;
}

function explained(reason: EditReason, { history, labels }: FormSources): string {
  const call = ({ entry, block }: CallPlace): string => {
    const found: ContentBlock | undefined = history.entries[entry]?.blocks[block];
    return labels.call(found?.type === 'tool_call' ? found : undefined);
  };
  return explainReason(reason, { call });
}

/** One line of constant text: what it was, why it was removed, how to get it back. */
function marker({ block }: LiveResult, reason: EditReason, sources: FormSources): string {
  const what = sources.labels.call(sources.calls.get(block.callId));
  const back = sources.isArchived ? `; full text: density show ${archiveName(block)}` : '';
  return `[density: ${what}, removed: ${explained(reason, sources)}${back}]`.replaceAll('\n', ' ');
}
