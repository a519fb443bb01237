import { type AST, parseRegExpLiteral, visitRegExpAST } from '@eslint-community/regexpp';

/** A text of any length, in the words of recheck: each `pump` is repeated after its `prefix`. */
export interface AttackText {
  readonly pumps: readonly { readonly prefix: string; readonly pump: string }[];
  readonly suffix: string;
}

/** Ends at which most expressions fail, so that the engine tries every other way. */
const SUFFIXES = ['', '\0', '\n\0'];
const CANDIDATES = [...'a0A_ \t\n\r.,:;-/\\"\'()[]{}<>=!#*`|@$%~é⟦'];
/** The first alternatives of a group, each in texts of its own. */
const CHOICES = [0, 1, 2];

/** Texts made of the expression's own parts: what leads to each repetition, then what it or a neighbour matches, many times. */
export function attackTexts(source: string, flags: string): AttackText[] {
  const { pattern } = parseRegExpLiteral(new RegExp(source, flags));
  const literals: string[] = [];
  const sets: string[] = [];
  const quantifiers: AST.Quantifier[] = [];
  const alternatives: AST.Alternative[] = [];
  visitRegExpAST(pattern, {
    onCharacterEnter: ({ value }) => void literals.push(String.fromCodePoint(value)),
    onCharacterClassEnter: ({ raw }) => void sets.push(raw),
    onCharacterSetEnter: ({ raw }) => void sets.push(raw),
    onQuantifierEnter: (node) => void (node.max > 1 && quantifiers.push(node)),
    onAlternativeEnter: (node) => void alternatives.push(node),
  });

  const tests = new Map(sets.map((raw) => [raw, new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ''))]));
  const classOf = (one: string): string => [...tests.values()].map((test) => test.test(one)).join();
  const candidates = [...new Set([...literals, ...CANDIDATES])];
  const oneOfEach = [...new Map(candidates.map((one) => [classOf(one), one])).values()];
  const matching = (raw: string): string[] => oneOfEach.filter((one) => tests.get(raw)!.test(one));
  const sample = (node: AST.Element, choice: number): string => {
    switch (node.type) {
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'Group':
      case 'CapturingGroup':
        return sampleOf(node.alternatives[choice % node.alternatives.length]!.elements, choice);
      case 'Quantifier':
        return sample(node.element, choice).repeat(Math.max(1, node.min));
      case 'Assertion':
        return '';
      case 'Backreference':
        return sample([node.resolved].flat()[0]!, choice);
      default: {
        const ones = matching(node.raw);
        return ones[choice % ones.length] ?? '';
      }
    }
  };
  const sampleOf = (elements: readonly AST.Element[], choice: number): string =>
    elements.map((one) => sample(one, choice)).join('');
  const leadingTo = (node: AST.Node, choice: number): string => {
    const { parent } = node;
    if (!parent) return '';
    const before =
      parent.type === 'Alternative' ? parent.elements.slice(0, parent.elements.indexOf(node as never)) : [];
    return leadingTo(parent, choice) + sampleOf(before, choice);
  };

  /** Behind each element that repeats something, and behind the last one. */
  const endsOf = (elements: readonly AST.Element[]): number[] =>
    elements.flatMap(({ start, end }, at) =>
      at === elements.length - 1 || quantifiers.some((one) => one.start >= start && one.end <= end) ? [at + 1] : [],
    );
  const pumps = CHOICES.flatMap((choice) => [
    ...quantifiers.map(({ element }) => sample(element, choice)),
    ...alternatives.flatMap(({ elements }) => endsOf(elements).map((end) => sampleOf(elements.slice(0, end), choice))),
  ]);
  const single = [...literals.filter((one) => /\W/.test(one)), ...oneOfEach];
  const distinct = [...new Set([...single, ...pumps])].filter((one) => one !== '');
  const prefixes = CHOICES.flatMap((choice) => quantifiers.map((node) => leadingTo(node, choice)));
  return [...new Set(['', ...prefixes])].flatMap((prefix) =>
    distinct.flatMap((pump) => SUFFIXES.map((suffix) => ({ pumps: [{ prefix, pump }], suffix }))),
  );
}
