import { type AST, parseRegExpLiteral } from '@eslint-community/regexpp';

/** Stands for the start of the text before the first character, and for its end after the last. */
export const EDGE = -1;

/** What must be true between two characters (classes of characters, or `EDGE`). `isSure` is false if this is only possible. */
interface Condition {
  readonly isSure: boolean;
  allows(before: number, after: number): boolean;
}

/** A way to a character of the pattern, or from it: each condition must be true. */
interface Way {
  readonly at: number;
  readonly if: readonly Condition[];
}

/** Part of a pattern: where it starts and ends, and each way to match nothing. */
interface Part {
  readonly first: readonly Way[];
  readonly last: readonly Way[];
  readonly empty: readonly (readonly Condition[])[];
}

/** A character of the pattern: which classes it matches, and where it stands in the source. */
interface Place {
  readonly matches: readonly boolean[];
  readonly start: number;
  readonly end: number;
}

/** All ways of a backtracking engine through a pattern, and no fewer. */
export interface PatternGraph {
  readonly classes: number;
  readonly places: readonly Place[];
  /** Ways to the first characters, from one to the next, and from one to the end of the pattern. */
  readonly first: readonly Way[];
  readonly next: readonly (readonly Way[])[];
  readonly last: readonly Way[];
}

const NOTHING: Part = { first: [], last: [], empty: [[]] };
const MAYBE: Condition = { isSure: false, allows: () => true };
/** A higher bound of a repetition counts as none: it multiplies the time too often to be called constant. */
const HIGHEST_BOUND = 100;
const LINE_END = '[\\n\\r\\u2028\\u2029]';
const MOST_PLACES = 4000;

type Character = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;
const isCharacter = (node: AST.Node): node is Character =>
  /^(?:Character|CharacterSet|CharacterClass|ExpressionCharacterClass)$/.test(node.type);

function nodesOf(node: unknown, found: AST.Node[] = []): AST.Node[] {
  if (typeof node !== 'object' || node === null) return found;
  if ('type' in node && 'raw' in node) found.push(node as AST.Node);
  if (isCharacter(node as AST.Node)) return found;
  for (const [key, child] of Object.entries(node)) {
    if (!/^(?:pattern|alternatives|elements|element)$/.test(key)) continue;
    for (const one of [child].flat()) nodesOf(one, found);
  }
  return found;
}

/** Characters that stand for all: those of ASCII, each that the pattern names, and some that no pattern names. */
function samples(source: string, isUnicode: boolean): string[] {
  const codes = new Set([...Array(128).keys(), 0xa0, 0xe9, 0x2028, 0x2029, 0x4e2d, 0xe000, 0xd83d, 0xde00]);
  if (isUnicode) codes.add(0x1f600);
  for (const match of source.matchAll(/\\u\{?([0-9a-fA-F]{4,6})|\\x([0-9a-fA-F]{2})|[^\0-\x7f]/gu)) {
    const code = (match[1] ?? match[2]) ? Number.parseInt(match[1] ?? match[2]!, 16) : match[0].codePointAt(0)!;
    for (const near of [code - 1, code, code + 1])
      if (near >= 0 && near <= (isUnicode ? 0x10ffff : 0xffff)) codes.add(near);
  }
  return [...codes].map((code) => String.fromCodePoint(code));
}

/** Which classes each character of the pattern matches: characters that the pattern does not tell apart are one class. */
function characterClasses(source: string, flags: string, characters: readonly Character[]) {
  const tests = new Map(
    ['\\w', LINE_END, ...characters.map(({ raw }) => raw)].map((raw) => [raw, new RegExp(`^(?:${raw})$`, flags)]),
  );
  const classes = new Map<string, boolean[]>();
  for (const sample of samples(source, /[uv]/.test(flags))) {
    const answers = [...tests.values()].map((test) => test.test(sample));
    classes.set(answers.join(), answers);
  }
  const columns = [...classes.values()];
  const index = new Map([...tests.keys()].map((raw, at) => [raw, at]));
  return { count: columns.length, matchedBy: (raw: string) => columns.map((answers) => answers[index.get(raw)!]!) };
}

/** @throws Error if the pattern has more characters, with its repetitions written out, than can be examined */
export function patternGraph(source: string, flags: string): PatternGraph {
  const { pattern } = parseRegExpLiteral(new RegExp(source, flags));
  const plain = flags.replace(/[gmyd]/g, '');
  const classes = characterClasses(source, plain, nodesOf(pattern).filter(isCharacter));
  const isWord = classes.matchedBy('\\w');
  const isLineEnd = classes.matchedBy(LINE_END);
  const places: Place[] = [];
  const next: Way[][] = [];

  const both = (a: readonly Condition[], b: readonly Condition[]): Condition[] => [...a, ...b];
  const join = (from: readonly Way[], to: readonly Way[]): void => {
    for (const last of from) for (const first of to) next[last.at]!.push({ at: first.at, if: both(last.if, first.if) });
  };
  const under = (conditions: Part['empty'], ways: readonly Way[]): Way[] =>
    conditions.flatMap((one) => ways.map((way) => ({ at: way.at, if: both(one, way.if) })));
  const sequence = (a: Part, b: Part): Part => {
    join(a.last, b.first);
    return {
      first: [...a.first, ...under(a.empty, b.first)],
      last: [...b.last, ...under(b.empty, a.last)],
      empty: a.empty.flatMap((one) => b.empty.map((other) => both(one, other))).slice(0, 64),
    };
  };
  const unsure = (part: Part): Part => ({
    first: part.first,
    last: under([[MAYBE]], part.last),
    empty: part.empty.map((one) => both(one, [MAYBE])),
  });
  const only = (condition: Condition): Part => ({ ...NOTHING, empty: [[condition]] });
  const optional = (part: Part): Part => ({ ...part, empty: [[], ...part.empty] });

  const character = (node: Character): Part => {
    if (places.length >= MOST_PLACES) throw new Error(`Expected at most ${MOST_PLACES} characters in ${source}`);
    const at = places.push({ matches: classes.matchedBy(node.raw), start: node.start - 1, end: node.end - 1 }) - 1;
    next.push([]);
    return { first: [{ at, if: [] }], last: [{ at, if: [] }], empty: [] };
  };
  const alternatives = (list: readonly AST.Alternative[]): Part => {
    const parts = list.map(({ elements }) => elements.map(part).reduce(sequence, NOTHING));
    return {
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
      empty: parts.flatMap(({ empty }) => empty),
    };
  };
  const repetition = (node: AST.Quantifier): Part => {
    const copy = (): Part => part(node.element);
    const isEndless = node.max === Number.POSITIVE_INFINITY;
    const repeated = (): Part => {
      const one = copy();
      join(isEndless ? one.last : under([[MAYBE]], one.last), one.first);
      return one;
    };
    const isBounded = node.max <= HIGHEST_BOUND;
    if (!isBounded && node.min > HIGHEST_BOUND) return unsure(repeated());
    let tail = NOTHING;
    if (!isBounded) tail = node.min === 0 ? optional(repeated()) : repeated();
    else for (let count = node.min; count < node.max; count += 1) tail = optional(sequence(copy(), tail));
    const before = isBounded ? node.min : Math.max(0, node.min - 1);
    return sequence(Array.from({ length: before }, copy).reduce(sequence, NOTHING), tail);
  };
  /** What one character beside this place must be, if the lookaround asks for nothing else. */
  const beside = (node: AST.LookaroundAssertion): ((one: number) => boolean) | undefined => {
    const tests: ((one: number) => boolean)[] = [];
    for (const { elements } of node.alternatives) {
      const [element] = elements;
      if (elements.length !== 1 || !element) return;
      if (isCharacter(element)) {
        const matches = classes.matchedBy(element.raw);
        tests.push((one) => one !== EDGE && matches[one]!);
      } else if (element.type === 'Assertion' && (element.kind === 'start' || element.kind === 'end')) {
        tests.push((one) => one === EDGE || (flags.includes('m') && isLineEnd[one]!));
      } else return;
    }
    return (one) => tests.some((test) => test(one)) !== node.negate;
  };
  const assertion = (node: AST.Assertion): Part => {
    const isEdge = (one: number): boolean => one === EDGE || (flags.includes('m') && isLineEnd[one]!);
    const isIn = (one: number): boolean => one !== EDGE && isWord[one]!;
    if (node.kind === 'word') {
      return only({ isSure: true, allows: (before, after) => (isIn(before) !== isIn(after)) !== node.negate });
    }
    if (!('alternatives' in node)) {
      const isStart = node.kind === 'start';
      return only({ isSure: true, allows: (before, after) => isEdge(isStart ? before : after) });
    }
    const test = beside(node);
    if (test)
      return only({ isSure: true, allows: (before, after) => test(node.kind === 'lookahead' ? after : before) });
    const isEndless = nodesOf(node).some((one) => one.type === 'Quantifier' && one.max > HIGHEST_BOUND);
    if (node.kind === 'lookbehind' && isEndless) throw new Error(`Expected a bounded lookbehind in ${source}`);
    // The engine tries the text of a lookahead, then comes back: a branch that ends nowhere.
    return {
      first: node.kind === 'lookahead' ? alternatives(node.alternatives).first : [],
      last: [],
      empty: [[MAYBE]],
    };
  };
  function part(node: AST.Element): Part {
    if (isCharacter(node)) return character(node);
    if (node.type === 'Group' || node.type === 'CapturingGroup') return alternatives(node.alternatives);
    if (node.type === 'Quantifier') return repetition(node);
    if (node.type === 'Assertion') return assertion(node);
    if (node.type !== 'Backreference') throw new Error(`Expected only elements that are known in ${source}`);
    // What a group matched is one of the texts that it can match, or nothing.
    return unsure(optional(alternatives([node.resolved].flat().flatMap((group) => group.alternatives))));
  }

  const whole = alternatives(pattern.alternatives);
  return { classes: classes.count, places, next, first: whole.first, last: whole.last };
}
