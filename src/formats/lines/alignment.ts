import type { ContentBlock, IContent } from '../../content/content.ts';
import { addTo } from '../../content/group-by.ts';
import { resultText } from '../blocks/tool-result.ts';

/** A block and the index of its entry. */
interface PositionedBlock {
  readonly block: ContentBlock;
  readonly entry: number;
}

/** A block and its counterpart in the other history; `after` is absent if there is none. */
export interface BlockPair {
  readonly before: PositionedBlock;
  readonly after?: PositionedBlock;
  /** The order of the block among others has changed. */
  readonly isMoved?: true;
}

/** The text by which a block is found in the other history. */
function wordsOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'code':
      return block.code;
    case 'media':
      return block.data;
    case 'thinking':
      return `${block.thought}\n${block.encryptedContent ?? ''}`;
    case 'tool_call':
      return `${block.name}\n${resultText(block.parameters)}`;
    case 'tool_response':
      return resultText(block.result);
  }
}

function byType(history: readonly IContent[]): Map<string, PositionedBlock[]> {
  const groups = new Map<string, PositionedBlock[]>();
  for (const [entry, { blocks }] of history.entries()) {
    for (const block of blocks) addTo(groups, block.type, { block, entry });
  }
  return groups;
}

function placesByWords(words: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, text] of words.entries()) addTo(places, text, index);
  return places;
}

/** The indices of the longest increasing subsequence of `values`. */
function longestRising(values: readonly number[]): number[] {
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [index, value] of values.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[tails[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? tails[low - 1]! : -1;
    tails[low] = index;
  }
  const run: number[] = [];
  for (let at = tails.at(-1) ?? -1; at !== -1; at = previous[at]!) run.push(at);
  return run.reverse();
}

/** Pairs of positions with equal texts, increasing on both sides, for texts that both sides contain equally often. */
function anchors(before: readonly string[], after: readonly string[]): [number, number][] {
  const theirs = placesByWords(after);
  const pairs: [number, number][] = [];
  for (const [text, places] of placesByWords(before)) {
    const others = theirs.get(text);
    if (others?.length === places.length) for (const [at, place] of places.entries()) pairs.push([place, others[at]!]);
  }
  pairs.sort(([one], [other]) => one - other);
  return longestRising(pairs.map(([, place]) => place)).map((index) => pairs[index]!);
}

const idOf = (block: ContentBlock): string | undefined =>
  block.type === 'tool_call' ? block.id : block.type === 'tool_response' ? block.callId : undefined;

/** True if two blocks of one type may be counterparts: equal ids, or one text contains the other. */
function isLike(before: ContentBlock, after: ContentBlock): boolean {
  const id = idOf(before);
  const words = wordsOf(before);
  return (id !== undefined && id === idOf(after)) || (words !== '' && wordsOf(after).includes(words));
}

/** How many blocks are searched for a counterpart if the numbers of blocks differ. */
const LOOK_AHEAD = 64;

/** For each position in `before`, the position of its counterpart in `after`: by equal texts, and in order between those. */
function matchedPlaces(before: readonly ContentBlock[], after: readonly ContentBlock[]): (number | undefined)[] {
  const places: (number | undefined)[] = before.map(() => undefined);
  let from = 0;
  let fromAfter = 0;
  const ends = [...anchors(before.map(wordsOf), after.map(wordsOf)), [before.length, after.length] as const];
  for (const [end, endAfter] of ends) {
    const isEven = end - from === endAfter - fromAfter;
    let cursor = fromAfter;
    for (let at = from; at < end; at++) {
      const limit = Math.min(endAfter, cursor + LOOK_AHEAD);
      let found = cursor;
      while (!isEven && found < limit && !isLike(before[at]!, after[found]!)) found++;
      if (found >= limit) continue;
      places[at] = found;
      cursor = found + 1;
    }
    if (end < before.length) places[end] = endAfter;
    from = end + 1;
    fromAfter = endAfter + 1;
  }
  return places;
}

/** Pairs blocks without a counterpart on both sides that have the same id: such a block was moved. */
function movedPlaces(
  before: readonly ContentBlock[],
  after: readonly ContentBlock[],
  places: readonly (number | undefined)[],
): Map<number, number> {
  const taken = new Set(places);
  const free = new Map<string, number[]>();
  for (const [place, block] of after.entries()) {
    const id = idOf(block);
    if (id === undefined || taken.has(place)) continue;
    addTo(free, id, place);
  }
  const moved = new Map<number, number>();
  for (const [index, block] of before.entries()) {
    const id = idOf(block);
    const place = id === undefined || places[index] !== undefined ? undefined : free.get(id)?.shift();
    if (place !== undefined) moved.set(index, place);
  }
  return moved;
}

/**
 * Each block of `before` with its counterpart in `after`, within one type and in order: first by equal texts; between
 * those in order, or by ids and contained texts; the rest by ids alone. O(n log n) in blocks if few were lost.
 */
export function alignBlocks(before: readonly IContent[], after: readonly IContent[]): BlockPair[] {
  const theirs = byType(after);
  return [...byType(before)].flatMap(([type, ours]) => {
    const others = theirs.get(type) ?? [];
    const blocks = ours.map(({ block }) => block);
    const theirBlocks = others.map(({ block }) => block);
    const places = matchedPlaces(blocks, theirBlocks);
    const moved = movedPlaces(blocks, theirBlocks, places);
    return ours.map((standing, index): BlockPair => {
      const place = places[index];
      if (place !== undefined) return { before: standing, after: others[place]! };
      const elsewhere = moved.get(index);
      return elsewhere === undefined
        ? { before: standing }
        : { before: standing, after: others[elsewhere]!, isMoved: true };
    });
  });
}
