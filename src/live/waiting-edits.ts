import { createHash } from 'node:crypto';
import type { ContentBlock, IContent } from '../content/content.ts';
import { isPruned } from '../content/pruned-result.ts';
import type { DensityResult } from '../strategies/contract.ts';
import type { HighDensityStrategy } from '../strategies/high-density/high-density.ts';
import type { CallPlace } from '../strategies/reasons/call-place.ts';
import type { EditReason } from '../strategies/reasons/edit-reason.ts';
import { explainReason } from '../strategies/reasons/explain-reason.ts';
import type { GivenDensityConfig } from '../strategies/settings/density-config.ts';
import type { Branch, LiveResult, Slices } from './branch.ts';
import { CHARACTERS_PER_TOKEN, type LiveDialect } from './dialects.ts';
import type { FrozenResult } from './frozen.ts';
import type { Labels } from './labels.ts';

/** A result that may be sent in a shorter form. `at`: its entry. */
export interface WaitingEdit {
  readonly at: number;
  readonly savedTokens: number;
  readonly block: ContentBlock;
  readonly frozen: FrozenResult;
}

/** A result with the index of its entry in the history. */
export interface PlacedResult {
  readonly result: LiveResult;
  readonly at: number;
}

interface EditSources {
  readonly entries: readonly IContent[];
  readonly placed: readonly PlacedResult[];
  readonly calls: ReadonlyMap<string, ContentBlock & { type: 'tool_call' }>;
  readonly labels: Labels;
  readonly dialect: LiveDialect;
  readonly isArchived: boolean;
}

/** An edit must save more than the marker costs. */
const LEAST_SAVED_CHARACTERS = 200;
const HASH_CHARACTERS = 12;

/** Entries of one run over a history that is seen first: each run remembers what those before it found. */
const RUN_ENTRIES = 25;

/** What the rules find in a history, in slices where much of it is new to them. */
export async function ruledInSlices(
  { strategy, config }: { strategy: HighDensityStrategy; config: GivenDensityConfig },
  entries: readonly IContent[],
  { branch, slices }: { branch: Branch; slices: Slices },
): Promise<DensityResult> {
  for (let end = branch.ruledEntries + RUN_ENTRIES; end < entries.length; end += RUN_ENTRIES) {
    strategy.optimize(entries.slice(0, end), config);
    await slices.rest();
  }
  branch.ruledEntries = entries.length;
  await slices.rest();
  const found = strategy.optimize(entries, config);
  await slices.rest();
  return found;
}

/** The edits of a pruning run that shorten results, in the order of the history. Calls and messages are never removed. */
export async function waitingEdits(
  { edits = [], replacements }: DensityResult,
  sources: EditSources,
  slices: Slices,
): Promise<WaitingEdit[]> {
  const waiting: WaitingEdit[] = [];
  const reasons = new Map<string, EditReason>();
  for (const { entry, block, reason } of edits) reasons.set(`${entry} ${block}`, reason);
  for (const { result, at } of sources.placed) {
    const reason = reasons.get(`${at} ${result.blockAt}`);
    if (reason === undefined) continue;
    await slices.rest();
    const kept = replacements
      .get(at)
      ?.blocks.find((block) => block.type === 'tool_response' && block.callId === result.block.callId);
    const text =
      kept?.type !== 'tool_response' || isPruned(kept.result)
        ? marker(result, reason, sources)
        : textOf(kept, result, sources.dialect);
    if (text === undefined || result.text.length - text.length < LEAST_SAVED_CHARACTERS) continue;
    const frozen: FrozenResult = {
      id: result.id,
      kind: 'pruned',
      text,
      reason: explained(reason, sources),
      files: reason.rule === 'staleRead' ? [] : filesOf(result, sources),
    };
    const savedTokens = (result.text.length - text.length) / CHARACTERS_PER_TOKEN;
    waiting.push({ at, savedTokens, block: result.block, frozen });
  }
  return waiting;
}

function textOf(
  kept: ContentBlock & { type: 'tool_response' },
  before: LiveResult,
  dialect: LiveDialect,
): string | undefined {
  if (dialect.textOf) return dialect.textOf(kept, before.text);
  return typeof kept.result === 'string' && kept.error === before.block.error ? kept.result : undefined;
}

function filesOf({ block }: LiveResult, { calls, labels }: EditSources): readonly string[] {
  const call = calls.get(block.callId);
  return call === undefined ? [] : labels.files(call).reads;
}

function explained(reason: EditReason, { entries, labels }: EditSources): string {
  const call = ({ entry, block }: CallPlace): string => {
    const found = entries[entry]?.blocks[block];
    return labels.call(found?.type === 'tool_call' ? found : undefined);
  };
  return explainReason(reason, { call });
}

/** One line of constant text: what it was, why it was removed, how to get it back. */
function marker({ block }: LiveResult, reason: EditReason, sources: EditSources): string {
  const what = sources.labels.call(sources.calls.get(block.callId));
  const hash = createHash('sha256').update(JSON.stringify(block)).digest('hex').slice(0, HASH_CHARACTERS);
  const back = sources.isArchived ? `; full text: density show ${hash}` : '';
  return `[density: ${what}, removed: ${explained(reason, sources)}${back}]`.replaceAll('\n', ' ');
}
