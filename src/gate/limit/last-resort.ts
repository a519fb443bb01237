import { append } from '../../content/append.ts';
import { pairGroups } from '../../content/calls/boundary.ts';
import type { IContent, ToolResponseBlock } from '../../content/content.ts';
import { groupBy } from '../../content/group-by.ts';
import { shortenResult } from './shorten-result.ts';

/** No tool result is cut to less than this: a shorter one is of too little use. */
const SMALLEST_RESULT_TOKENS = 200;

/** Edits that make a history fit. Indices refer to the history that was planned for. */
export interface LastResortPlan {
  readonly removals: readonly number[];
  readonly replacements: ReadonlyMap<number, IContent>;
}

interface Situation {
  readonly history: readonly IContent[];
  readonly tokensPerEntry: readonly number[];
  /** The most tokens that all entries together may have. */
  readonly allowedTokens: number;
  readonly estimateTokens: (contents: readonly IContent[]) => Promise<number>;
}

/**
 * Plans how to make a history fit with the smallest loss. It removes the oldest ai and tool groups, only as a whole and
 * never the last entry's. If that is not enough, it first cuts the largest tool results, then removes groups, then human
 * entries, oldest first and never the last one. Returns `undefined` if the history cannot fit.
 * Source: docs/readings.md, rows 13 and 17.
 */
export async function planLastResort(situation: Situation): Promise<LastResortPlan | undefined> {
  const { history, tokensPerEntry, allowedTokens } = situation;
  const excessTokens = sum(tokensPerEntry) - allowedTokens;
  const groups = droppableGroups(history, tokensPerEntry);
  if (excessTokens <= sum(groups.map((group) => group.tokens))) {
    return { removals: oldestOf(groups, excessTokens), replacements: new Map() };
  }
  const shrunk = await shrinkResults(situation, excessTokens);
  const shrunkTokens = tokensPerEntry.map((tokens, index) => shrunk.tokens.get(index) ?? tokens);
  const humans = droppableHumans(history, shrunkTokens);
  const candidates = [...droppableGroups(history, shrunkTokens), ...humans];
  const stillOver = sum(shrunkTokens) - allowedTokens;
  if (stillOver > sum(candidates.map((candidate) => candidate.tokens))) return undefined;
  const removals = oldestOf(candidates, stillOver);
  const removed = new Set(removals);
  const replacements = new Map([...shrunk.replacements].filter(([index]) => !removed.has(index)));
  return { removals, replacements };
}

interface Droppable {
  readonly entries: readonly number[];
  readonly tokens: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The ai and tool entries by group, oldest first, without groups that contain a human entry or the last entry. */
function droppableGroups(history: readonly IContent[], tokensPerEntry: readonly number[]): Droppable[] {
  const leaders = pairGroups(history);
  const kept = new Set([leaders[history.length - 1]]);
  for (const [index, entry] of history.entries()) if (entry.speaker === 'human') kept.add(leaders[index]);
  const droppable = [...history.keys()].filter((index) => !kept.has(leaders[index]));
  return [...groupBy(droppable, (index) => leaders[index]).values()].map((entries) => ({
    entries,
    tokens: sum(entries.map((index) => tokensPerEntry[index] ?? 0)),
  }));
}

/** Human entries that are groups of their own, oldest first, without the last one. */
function droppableHumans(history: readonly IContent[], tokensPerEntry: readonly number[]): Droppable[] {
  const leaders = pairGroups(history);
  const groups = groupBy(leaders, (leader) => leader);
  const humans = [...history.keys()].filter((index) => history[index]!.speaker === 'human');
  return humans
    .slice(0, -1)
    .filter((index) => groups.get(leaders[index]!)!.length === 1)
    .map((index) => ({ entries: [index], tokens: tokensPerEntry[index] ?? 0 }));
}

/** The entries of the first candidates that together have at least `tokens`, in ascending order. */
function oldestOf(candidates: readonly Droppable[], tokens: number): number[] {
  const removals: number[] = [];
  let saved = 0;
  for (const candidate of candidates) {
    if (saved >= tokens) break;
    saved += candidate.tokens;
    append(removals, candidate.entries);
  }
  return removals.sort((a, b) => a - b);
}

interface Shrinkable {
  readonly entry: number;
  readonly block: number;
  readonly response: ToolResponseBlock;
  readonly tokens: number;
}

interface Shrunk {
  readonly replacements: ReadonlyMap<number, IContent>;
  /** New counts of the replaced entries. */
  readonly tokens: ReadonlyMap<number, number>;
}

/** Cuts the largest results to one common size: the largest that saves `excessTokens`, or the smallest allowed. */
async function shrinkResults(situation: Situation, excessTokens: number): Promise<Shrunk> {
  const { history, estimateTokens } = situation;
  const countTokens = (response: ToolResponseBlock): Promise<number> =>
    estimateTokens([{ speaker: 'tool', blocks: [response] }]);
  const shrinkable = await largeResults(situation, countTokens);
  const limitTokens = commonLimit(
    shrinkable.map(({ tokens }) => tokens),
    excessTokens,
  );
  const replacements = new Map<number, IContent>();
  for (const { entry, block, response, tokens } of shrinkable) {
    if (tokens <= limitTokens) continue;
    const shortened = await shortenResult(response, { tokens, limitTokens, countTokens });
    if (shortened === undefined) continue;
    const content = replacements.get(entry) ?? history[entry]!;
    replacements.set(entry, { ...content, blocks: content.blocks.with(block, shortened.response) });
  }
  const tokens = new Map<number, number>();
  for (const [index, content] of replacements) tokens.set(index, await estimateTokens([content]));
  return { replacements, tokens };
}

async function largeResults(
  { history, tokensPerEntry }: Situation,
  countTokens: (response: ToolResponseBlock) => Promise<number>,
): Promise<Shrinkable[]> {
  const found: Shrinkable[] = [];
  for (const [entry, { blocks }] of history.entries()) {
    if ((tokensPerEntry[entry] ?? 0) <= SMALLEST_RESULT_TOKENS) continue;
    for (const [block, response] of blocks.entries()) {
      if (response.type !== 'tool_response') continue;
      const tokens = await countTokens(response);
      if (tokens > SMALLEST_RESULT_TOKENS) found.push({ entry, block, response, tokens });
    }
  }
  return found;
}

/** The largest limit that saves at least `excessTokens` when all larger sizes are cut to it; not below the smallest. */
function commonLimit(sizes: readonly number[], excessTokens: number): number {
  const descending = [...sizes].sort((a, b) => b - a);
  let total = 0;
  for (const [index, size] of descending.entries()) {
    total += size;
    const limit = Math.floor((total - excessTokens) / (index + 1));
    const next = descending[index + 1] ?? 0;
    if (limit >= next) return Math.max(SMALLEST_RESULT_TOKENS, limit);
  }
  return SMALLEST_RESULT_TOKENS;
}
