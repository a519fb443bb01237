import { isDeepStrictEqual } from 'node:util';
import { pairCalls, unansweredCalls } from '../../content/calls/pairing.ts';
import type { ContentMetadata, IContent } from '../../content/content.ts';
import { madeOnce } from '../../content/group-by.ts';
import { resultText } from '../blocks/tool-result.ts';
import { liveHistory, type Session } from '../contract.ts';
import { alignBlocks, type BlockPair } from '../lines/alignment.ts';
import { changesOf, lossOfBlock } from './block-losses.ts';
import { LOSS_TITLES, type Loss, type LossKind } from './loss-kinds.ts';

class Losses {
  readonly #found = new Map<LossKind, { count: number; first?: number }>();

  add(kind: LossKind, entry?: number): void {
    const found = this.#found.get(kind) ?? { count: 0 };
    found.count++;
    if (entry !== undefined) found.first = Math.min(found.first ?? entry + 1, entry + 1);
    this.#found.set(kind, found);
  }

  list(): Loss[] {
    const order = Object.keys(LOSS_TITLES) as LossKind[];
    return order.flatMap((kind) => {
      const found = this.#found.get(kind);
      return found ? [{ kind, ...found }] : [];
    });
  }
}

/** Finds text in the texts and results of a history, for blocks that targets a part of another block. */
function textFinder(history: readonly IContent[]): (words: string) => boolean {
  let all: string | undefined;
  return (words) => {
    all ??= history
      .flatMap(({ blocks }) =>
        blocks.flatMap((block) =>
          block.type === 'text' ? block.text : block.type === 'tool_response' ? resultText(block.result) : [],
        ),
      )
      .join('\n\n');
    return all.includes(words);
  };
}

function compareBlocks(
  pairs: readonly BlockPair[],
  { systemText, ...histories }: Histories & { readonly systemText: string },
  losses: Losses,
): void {
  const containsText = textFinder(histories.after);
  for (const { before, after, isMoved } of pairs) {
    if (isMoved) losses.add('order', before.entry);
    if (after === undefined) {
      const isSystem = before.block.type === 'text' && systemText.includes(before.block.text);
      losses.add(isSystem ? 'speakers' : lossOfBlock(before.block, containsText), before.entry);
      continue;
    }
    for (const kind of changesOf(before.block, after.block)) losses.add(kind, before.entry);
    if (histories.before[before.entry]?.speaker !== histories.after[after.entry]?.speaker)
      losses.add('speakers', before.entry);
  }
}

interface Histories {
  readonly before: readonly IContent[];
  readonly after: readonly IContent[];
}

const FACTS: readonly (readonly [keyof ContentMetadata, LossKind])[] = [
  ['id', 'entry-ids'],
  ['answerId', 'entry-ids'],
  ['timestamp', 'timestamps'],
  ['model', 'models'],
  ['usage', 'usage'],
  ['isSummary', 'summary-marks'],
];
const FACT_FIELDS: ReadonlySet<string> = new Set(FACTS.map(([field]) => String(field)));

function compareFacts(before: ContentMetadata, after: ContentMetadata): LossKind[] {
  const kinds = FACTS.flatMap(([field, kind]) =>
    before[field] === undefined || isDeepStrictEqual(before[field], after[field]) ? [] : kind,
  );
  const isOther = Object.keys(before).some(
    (field) => !FACT_FIELDS.has(field) && !isDeepStrictEqual(before[field], after[field]),
  );
  return isOther ? [...kinds, 'entry-fields'] : kinds;
}

/** Compares the metadata of entries. The counterpart of an entry is the first one with a block of it. */
function compareEntries(pairs: readonly BlockPair[], { before, after }: Histories, losses: Losses): void {
  const targets = new Map<number, Set<number>>();
  const sources = new Map<number, Set<number>>();
  const note = (map: Map<number, Set<number>>, from: number, to: number): void => {
    madeOnce(map, from, () => new Set<number>()).add(to);
  };
  for (const pair of pairs) {
    if (pair.after === undefined) continue;
    note(targets, pair.before.entry, pair.after.entry);
    note(sources, pair.after.entry, pair.before.entry);
  }
  for (const [index, { metadata = {} }] of before.entries()) {
    const found = [...(targets.get(index) ?? [])].sort((one, other) => one - other);
    const [first] = found;
    const isAlone = found.length <= 1 && (first === undefined || sources.get(first)?.size === 1);
    if (!isAlone) losses.add('grouping', index);
    const facts = first === undefined ? {} : (after[first]?.metadata ?? {});
    for (const kind of compareFacts(metadata, facts)) losses.add(kind, index);
  }
}

/** The number of entries that were added and are not live any more. */
function earlierEntries({ events }: Session, live: readonly IContent[]): number {
  const kept = new Set(live);
  return events.filter((event) => event.kind === 'add' && !kept.has(event.content)).length;
}

/**
 * What the session `before` contains that the session `after` does not, found by comparing both, so it works for any two
 * formats. Empty if nothing was lost; in the order of `LOSS_TITLES`. O(n log n) in blocks.
 */
export function lossesBetween(before: Session, after: Session): Loss[] {
  const losses = new Losses();
  const histories = { before: liveHistory(before), after: liveHistory(after) };
  for (let count = earlierEntries(before, histories.before); count > 0; count--) losses.add('earlier-history');
  for (const _ of before.skipped) losses.add('skipped-lines');
  if (after.sideCalls === undefined) for (const _ of before.sideCalls ?? []) losses.add('usage');
  const facts = [
    ['systemText', 'system-text'],
    ['id', 'session-id'],
    ['model', 'session-model'],
    ['workspaceRoot', 'workspace'],
  ] as const;
  for (const [field, kind] of facts) {
    if (before[field] !== undefined && before[field] !== after[field]) losses.add(kind);
  }
  const pairs = alignBlocks(histories.before, histories.after);
  compareBlocks(pairs, { ...histories, systemText: after.systemText ?? '' }, losses);
  compareEntries(pairs, histories, losses);
  const pending = (history: readonly IContent[]): number => unansweredCalls(pairCalls(history)).length;
  for (let count = pending(histories.before) - pending(histories.after); count > 0; count--)
    losses.add('pending-calls');
  return losses.list();
}
