import { EDGE, type PatternGraph, patternGraph } from './pattern-graph.ts';

/**
 * A node is a place of the pattern and the class of the character that it matched. The search is place 0, which goes over the text
 * one character at a time; the places of the pattern follow it.
 */
interface Nodes {
  readonly count: number;
  readonly classes: number;
  readonly next: readonly (readonly number[])[];
  /** Nodes from which every text matches: the engine never comes back to what it tried before them. */
  readonly cannotFail: readonly boolean[];
  placeOf(node: number): number;
}

function nodesOf(graph: PatternGraph, isSticky: boolean): Nodes {
  const { classes } = graph;
  const width = classes + 1;
  const count = (graph.places.length + 1) * width;
  const next: number[][] = Array.from({ length: count }, () => []);
  /** Those of `next` that are more than possible. */
  const sure: number[][] = Array.from({ length: count }, () => []);
  const range = [...Array(classes).keys()];
  const ends = Array.from({ length: count }, () => new Set<number>());
  for (let place = 0; place <= graph.places.length; place += 1) {
    for (const before of place === 0 ? [EDGE, ...range] : range) {
      const node = place * width + before + 1;
      if (place > 0 && !graph.places[place - 1]!.matches[before]) continue;
      if (place === 0 && !isSticky) for (const after of range) next[node]!.push(after + 1);
      for (const way of place === 0 ? graph.first : graph.next[place - 1]!) {
        for (const after of range) {
          if (!graph.places[way.at]!.matches[after] || !way.if.every((one) => one.allows(before, after))) continue;
          const one = (way.at + 1) * width + after + 1;
          next[node]!.push(one);
          if (way.if.every(({ isSure }) => isSure)) sure[node]!.push(one);
        }
      }
      for (const way of place === 0 ? [] : graph.last.filter(({ at }) => at === place - 1)) {
        for (const after of [EDGE, ...range]) {
          if (way.if.every((one) => one.isSure && one.allows(before, after))) ends[node]!.add(after);
        }
      }
    }
  }
  const cannotFail = next.map((_, node) => node >= width);
  const goesOn = (node: number, after: number): boolean =>
    ends[node]!.has(after) || sure[node]!.some((one) => one % width === after + 1 && cannotFail[one]);
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    cannotFail.forEach((can, node) => {
      if (!can || [EDGE, ...range].every((after) => goesOn(node, after))) return;
      cannotFail[node] = false;
      isChanged = true;
    });
  }
  return { count, classes: width, next, cannotFail, placeOf: (node) => Math.floor(node / width) };
}

/** The loop that each place is part of, by a number; undefined for a place that the engine does not come back to, or not if it cannot fail. */
function loopsOf(nodes: Nodes): (number | undefined)[] {
  const places = nodes.placeOf(nodes.count);
  const next = Array.from({ length: places }, () => new Set<number>());
  for (const [node, list] of nodes.next.entries()) {
    for (const one of list) {
      if (!nodes.cannotFail[node] && !nodes.cannotFail[one]) next[nodes.placeOf(node)]!.add(nodes.placeOf(one));
    }
  }
  const index: number[] = [];
  const low: number[] = [];
  const open: number[] = [];
  const loops: (number | undefined)[] = Array(places).fill(undefined);
  const isClosed: boolean[] = [];
  let visited = 0;
  const visit = (place: number): void => {
    index[place] = visited;
    low[place] = visited;
    visited++;
    open.push(place);
    for (const one of next[place]!) {
      if (index[one] === undefined) visit(one);
      if (!isClosed[one]) low[place] = Math.min(low[place]!, low[one]!);
    }
    if (low[place] !== index[place]) return;
    const members = open.splice(open.lastIndexOf(place));
    for (const one of members) isClosed[one] = true;
    if (members.length > 1 || next[place]!.has(place)) for (const one of members) loops[one] = place;
  };
  for (let place = 0; place < places; place += 1) if (index[place] === undefined) visit(place);
  return loops;
}

const MOST_STEPS = 4_000_000;
/** Three numbers of nodes make one number that is exact. */
const MOST_NODES = 200_000;

/** The next nodes of a node, by the class of their character. */
type Steps = (node: number) => readonly (readonly number[])[];

/** `next` by class, found once for each node. */
function stepsOf(classes: number, next: (node: number) => readonly number[]): Steps {
  const known: number[][][] = [];
  return (node) => {
    const found = known[node];
    if (found) return found;
    const lists: number[][] = [];
    for (const one of next(node)) {
      const list = lists[one % classes];
      if (list) list.push(one);
      else lists[one % classes] = [one];
    }
    known[node] = lists;
    return lists;
  };
}

/** Walks that read the same text side by side, from `start` until `isFound`. */
function walkTogether(
  start: readonly (readonly number[])[],
  steps: readonly Steps[],
  isFound: (nodes: readonly number[]) => boolean,
  left: { steps: number },
): boolean {
  const seen = new Set<number>();
  const open = [...start];
  for (let nodes = open.pop(); nodes; nodes = open.pop()) {
    const [first, ...others] = nodes.map((node, at) => steps[at]!(node));
    for (const [character, ones] of first!.entries()) {
      if (ones === undefined) continue;
      const lists = others.map((by) => by[character]);
      if (lists.includes(undefined)) continue;
      for (const way of product([ones, ...(lists as (readonly number[])[])])) {
        left.steps -= 1;
        if (left.steps < 0) throw new Error('Expected a pattern with fewer paths');
        if (isFound(way)) return true;
        const key = way.reduce((sum, one) => sum * MOST_NODES + one, 0);
        if (!seen.has(key)) open.push(way);
        seen.add(key);
      }
    }
  }
  return false;
}

/** One of each list, in all ways. */
const product = (lists: readonly (readonly number[])[]): readonly (readonly number[])[] =>
  lists.reduce<readonly (readonly number[])[]>(
    (ways, list) =>
      list.length === 1
        ? ways.map((way) => [...way, list[0]!])
        : ways.flatMap((way) => list.map((one) => [...way, one])),
    [[]],
  );

/**
 * Why a backtracking engine needs more than linear time for some text, or undefined if it never does. A pattern is exponential if
 * one text leads from a place back to it in two ways, and polynomial if one text leads from a place to itself, from it to another
 * place, and from that to itself; the search for the start of a match is such a place too. What is unsure counts as slow.
 * Source: Weideman, van der Merwe, Berglund, Watson: "Analyzing Matching Time Behavior of Backtracking Regular Expression Matchers".
 *
 * @throws Error if the pattern is too large to decide, or looks behind without a bound
 */
export function slowness(source: string, flags: string): string | undefined {
  const graph = patternGraph(source, flags);
  const nodes = nodesOf(graph, flags.includes('y'));
  if (nodes.count > MOST_NODES) throw new Error(`Expected at most ${MOST_NODES} nodes, got ${nodes.count}`);
  const loops = loopsOf(nodes);
  const loopOf = (node: number): number | undefined => loops[nodes.placeOf(node)];
  const isSearch = (node: number): boolean => nodes.placeOf(node) === 0;
  const fails = nodes.cannotFail.map((can) => !can);
  const left = { steps: MOST_STEPS };
  const within = (node: number): number[] =>
    nodes.next[node]!.filter((one) => fails[one] && loopOf(one) === loopOf(node));
  const text = (node: number): string => {
    if (isSearch(node)) return 'the search for a start';
    const { start, end } = graph.places[nodes.placeOf(node) - 1]!;
    return `\`${source.slice(start, end)}\` at ${start}`;
  };
  const withinSteps = stepsOf(nodes.classes, within);
  const looping = nodes.next.flatMap((list, node) =>
    list.length > 0 && fails[node] && loopOf(node) !== undefined ? [node] : [],
  );

  for (const node of looping) {
    const ones = within(node);
    if (new Set(ones).size < ones.length) return `exponential: ${text(node)} repeats in two ways`;
    const isFound = ([a, b]: readonly number[]): boolean => a === b;
    const start = ones.flatMap((a) =>
      ones.filter((b) => a < b && a % nodes.classes === b % nodes.classes).map((b) => [a, b]),
    );
    if (walkTogether(start, [withinSteps, withinSteps], isFound, left))
      return `exponential: ${text(node)} repeats in two ways`;
  }

  const leading = new Map<number, ReadonlySet<number>>();
  const leadingTo = (loop: number): ReadonlySet<number> => {
    const found = new Set(nodes.next.flatMap((_, node) => (loopOf(node) === loop ? [node] : [])));
    for (let size = -1; size < found.size; ) {
      size = found.size;
      for (const [node, list] of nodes.next.entries()) if (list.some((one) => found.has(one))) found.add(node);
    }
    leading.set(loop, found);
    return found;
  };
  const ways = new Map<string, Steps>();
  /** From one node to a loop, by nodes that lead to it. */
  const between = (loop: number, isFromSearch: boolean): Steps => {
    const key = `${loop} ${isFromSearch}`;
    const isOnWay = leading.get(loop) ?? leadingTo(loop);
    const found =
      ways.get(key) ??
      stepsOf(nodes.classes, (node) =>
        nodes.next[node]!.filter((one) => isOnWay.has(one) && (isFromSearch || fails[one])),
      );
    ways.set(key, found);
    return found;
  };
  for (const to of looping) {
    if (isSearch(to)) continue;
    const isOnWay = leading.get(loopOf(to)!) ?? leadingTo(loopOf(to)!);
    for (const from of looping) {
      if (from === to || from % nodes.classes !== to % nodes.classes || !isOnWay.has(from)) continue;
      const along = [withinSteps, between(loopOf(to)!, isSearch(from)), withinSteps];
      const isFound = ([a, b, c]: readonly number[]): boolean => a === from && b === to && c === to;
      if (walkTogether([[from, from, to]], along, isFound, left)) {
        return `polynomial: ${text(from)}, then ${text(to)}`;
      }
    }
  }
  return undefined;
}
