import { isDeepStrictEqual } from 'node:util';
import type { ContentBlock, ContentMetadata, IContent } from '../content/content.ts';
import { pairCalls, unansweredCalls } from '../content/pairing.ts';
import { alignBlocks, type BlockPair } from './alignment.ts';
import { liveHistory, type Session } from './contract.ts';
import { resultText } from './json-text.ts';

/** Everything that a session can lose on its way into another format, in words for a person. */
export const LOSS_TITLES = {
  'earlier-history': 'entries from before a compaction or rewind',
  'skipped-lines': 'lines that could not be read',
  'system-text': 'system prompt and tool definitions',
  'session-id': 'id of the session',
  'session-model': 'model of the session',
  workspace: 'folder that the agent worked in',
  words: 'texts that are gone or changed',
  'joined-texts': 'texts that were joined with others',
  'blank-texts': 'texts of nothing but blanks',
  'code-blocks': 'code blocks that became text',
  speakers: 'blocks that somebody else says now, or the system prompt',
  grouping: 'entries that were joined or split',
  calls: 'tool calls that are gone',
  'call-ids': 'ids of tool calls',
  'tool-names': 'names of tools',
  parameters: 'parameters of tool calls, as they were',
  'pending-calls': 'calls without a response, which got a failed one',
  results: 'tool results that are gone or changed',
  'orphan-results': 'results without a call, which became text',
  'result-structure': 'tool results that are told in another shape',
  errors: 'failures of tool calls that are told as plain results',
  'error-texts': 'error messages, as they were',
  media: 'images and files',
  'media-names': 'names and captions of images and files',
  thinking: 'thinking',
  'thinking-signatures': 'signatures of thinking',
  'sealed-thinking': 'thinking that is sealed',
  'block-fields': 'blocks with fields that only their source has',
  'entry-ids': 'ids of entries',
  timestamps: 'times of entries',
  models: 'models of answers',
  usage: 'token counts that the provider reported',
  'summary-marks': 'marks of summaries',
  'entry-fields': 'entries with facts that only their source has',
} as const;

export type LossKind = keyof typeof LOSS_TITLES;

/** Something that `count` entries, blocks or calls do not have any more; `first` is the entry of the first, from 1. */
export interface Loss {
  readonly kind: LossKind;
  readonly count: number;
  readonly first?: number;
}

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

const fieldsBeyond = (block: ContentBlock, known: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(block).filter(([key, value]) => value !== undefined && !known.includes(key)));

/** What is compared field by field, of each type of block; any other field is one of the source's own. */
const KNOWN_FIELDS: Readonly<Record<ContentBlock['type'], readonly string[]>> = {
  text: ['type', 'text'],
  code: ['type', 'code'],
  media: ['type', 'mimeType', 'data', 'encoding', 'filename', 'caption'],
  thinking: ['type', 'thought', 'signature', 'encryptedContent'],
  tool_call: ['type', 'id', 'name', 'parameters'],
  tool_response: ['type', 'callId', 'toolName', 'result', 'error'],
};

/** What became of a block that has a counterpart, as kinds of loss. */
function changesOf(before: ContentBlock, after: ContentBlock): LossKind[] {
  const kinds: LossKind[] = [];
  const when = (isLost: boolean, kind: LossKind): void => {
    if (isLost) kinds.push(kind);
  };
  if (before.type === 'text' && after.type === 'text' && before.text !== after.text)
    kinds.push(after.text.includes(before.text) ? 'joined-texts' : 'words');
  if (before.type === 'code' && after.type === 'code') when(before.code !== after.code, 'words');
  if (before.type === 'media' && after.type === 'media') {
    when(before.data !== after.data || before.mimeType !== after.mimeType, 'media');
    when(before.filename !== after.filename || before.caption !== after.caption, 'media-names');
  }
  if (before.type === 'thinking' && after.type === 'thinking') {
    when(before.thought !== after.thought, 'thinking');
    when(before.signature !== undefined && before.signature !== after.signature, 'thinking-signatures');
    when(
      before.encryptedContent !== undefined && before.encryptedContent !== after.encryptedContent,
      'sealed-thinking',
    );
  }
  if (before.type === 'tool_call' && after.type === 'tool_call') {
    when(before.id !== after.id, 'call-ids');
    when(before.name !== after.name, 'tool-names');
    when(!isDeepStrictEqual(before.parameters, after.parameters), 'parameters');
  }
  if (before.type === 'tool_response' && after.type === 'tool_response') {
    const isTold = after.error !== undefined;
    when(before.error !== undefined && !isTold, 'errors');
    when(before.error !== undefined && isTold && before.error !== after.error, 'error-texts');
    const [text, textAfter] = [resultText(before.result), resultText(after.result)];
    // A failure that has no channel of its own is told in front of the result; media beside it may be put into it.
    const isInside = textAfter.includes(text) || textAfter.includes(JSON.stringify(text).slice(1, -1));
    if (!isInside) kinds.push('results');
    else when(!isDeepStrictEqual(before.result, after.result), 'result-structure');
  }
  const known = KNOWN_FIELDS[before.type];
  const own = fieldsBeyond(before, known);
  const theirs = fieldsBeyond(after, known);
  when(
    Object.keys(own).some((key) => !isDeepStrictEqual(own[key], theirs[key])),
    'block-fields',
  );
  return kinds;
}

/** What became of a block that has no counterpart. */
function absence(block: ContentBlock, isSaid: (words: string) => boolean): LossKind {
  switch (block.type) {
    case 'text':
      if (block.text.trim() === '') return 'blank-texts';
      return isSaid(block.text) ? 'joined-texts' : 'words';
    case 'code':
      return isSaid(block.code) ? 'code-blocks' : 'words';
    case 'media':
      return 'media';
    case 'thinking':
      return block.encryptedContent !== undefined ? 'sealed-thinking' : 'thinking';
    case 'tool_call':
      return 'calls';
    case 'tool_response':
      return isSaid(resultText(block.result)) ? 'orphan-results' : 'results';
  }
}

/** All that is said in text or results: what stands in another block now is found here. */
function saidIn(history: readonly IContent[]): (words: string) => boolean {
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
  const isSaid = saidIn(histories.after);
  for (const { before, after } of pairs) {
    if (after === undefined) {
      const isSystem = before.block.type === 'text' && systemText.includes(before.block.text);
      losses.add(isSystem ? 'speakers' : absence(before.block, isSaid), before.entry);
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

/** What is known of entries beside their blocks; an entry became the one that its first block came to stand in. */
function compareEntries(pairs: readonly BlockPair[], { before, after }: Histories, losses: Losses): void {
  const became = new Map<number, Set<number>>();
  const cameFrom = new Map<number, Set<number>>();
  const note = (map: Map<number, Set<number>>, from: number, to: number): void => {
    map.set(from, (map.get(from) ?? new Set()).add(to));
  };
  for (const pair of pairs) {
    if (pair.after === undefined) continue;
    note(became, pair.before.entry, pair.after.entry);
    note(cameFrom, pair.after.entry, pair.before.entry);
  }
  for (const [index, { metadata = {} }] of before.entries()) {
    const places = [...(became.get(index) ?? [])].sort((one, other) => one - other);
    const [first] = places;
    const isAlone = places.length <= 1 && (first === undefined || cameFrom.get(first)?.size === 1);
    if (!isAlone) losses.add('grouping', index);
    const facts = first === undefined ? {} : (after[first]?.metadata ?? {});
    for (const kind of compareFacts(metadata, facts)) losses.add(kind, index);
  }
}

/** Entries that were said and are not live any more. */
function goneEntries({ events }: Session, live: readonly IContent[]): number {
  const kept = new Set(live);
  return events.filter((event) => event.kind === 'add' && !kept.has(event.content)).length;
}

/**
 * What `before` says that `after`, read back from what was made of it, does not: found by comparing both, so it holds
 * for any format. Empty when nothing was lost. Order of kinds as in `LOSS_TITLES`. O(n log n) in blocks.
 */
export function lossesBetween(before: Session, after: Session): Loss[] {
  const losses = new Losses();
  const histories = { before: liveHistory(before), after: liveHistory(after) };
  for (let count = goneEntries(before, histories.before); count > 0; count--) losses.add('earlier-history');
  for (const _ of before.skipped) losses.add('skipped-lines');
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
