/** Values visited before the rest of a value is taken as it is: whatever is larger was changed as a whole or not at all. */
const MOST_VALUES = 100_000;

/**
 * Everything that a value is made of, flat: keys and scalars in order, and the length of each list. Equal leaves mean
 * equal values. Holds strings, copies none.
 */
export function leavesOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  const leaves: unknown[] = [];
  const pending: unknown[] = [value];
  while (pending.length > 0 && leaves.length < MOST_VALUES) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) {
      leaves.push(next);
    } else if (Array.isArray(next)) {
      leaves.push(next.length);
      for (let index = next.length - 1; index >= 0; index--) pending.push(next[index]);
    } else {
      const keys = Object.keys(next);
      leaves.push(...keys, keys.length);
      for (let index = keys.length - 1; index >= 0; index--) pending.push(Reflect.get(next, keys[index]!));
    }
  }
  // Too large to be told apart: only the same object is the same then.
  if (pending.length > 0) leaves.push(Symbol('unfinished'));
  // They are kept for as long as their message: without the room that growing left.
  return leaves.slice();
}

export function sameLeaves(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((leaf, index) => Object.is(leaf, right[index]));
}
