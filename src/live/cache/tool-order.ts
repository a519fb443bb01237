import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { hashOf } from '../conversation/hash-of.ts';

/** Enough to tell the tools of one request apart. */
const HASH_CHARACTERS = 12;

const withoutMark = ({ cache_control: _, ...tool }: Fields): Fields => tool;

/** The names of the definitions of a list of tools, in its order; undefined where there is nothing to sort. */
export function toolOrder(tools: unknown): readonly string[] | undefined {
  if (!Array.isArray(tools) || tools.length < 2 || !tools.every(isRecord)) return undefined;
  return tools.map((tool) => hashOf(JSON.stringify(withoutMark(tool))).slice(0, HASH_CHARACTERS));
}

/** True if both have the same definitions. */
export const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && isSame([...one].sort(), [...other].sort());

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.every((name, at) => name === other[at]);

/** The same tools in another order, with marks at the places where they are; undefined if they are other ones, or in this order. */
export function inOrder(tools: unknown, order: readonly string[]): readonly Fields[] | undefined {
  const own = toolOrder(tools);
  if (own === undefined || !isSameSet(own, order) || isSame(own, order)) return undefined;
  const given = tools as readonly Fields[];
  const places = new Map<string, number[]>();
  for (const [at, name] of own.entries()) places.set(name, [...(places.get(name) ?? []), at]);
  return order.map((name, at) => {
    const { cache_control: mark } = given[at]!;
    return { ...withoutMark(given[places.get(name)!.shift()!]!), ...(mark !== undefined && { cache_control: mark }) };
  });
}
