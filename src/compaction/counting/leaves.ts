/** A larger value is not compared: it counts as changed unless it is the same object. */
const MAX_VALUES = 100_000;

/**
 * The keys, scalars and list lengths of a value as a flat list. Equal lists mean equal values. Strings are not copied.
 */
export function leavesOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  const leaves: unknown[] = [];
  const pending: unknown[] = [value];
  while (pending.length > 0 && leaves.length < MAX_VALUES) {
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
  // Too large: a new symbol makes this list unequal to any other.
  if (pending.length > 0) leaves.push(Symbol('unfinished'));
  // A copy without the spare capacity of a grown list: it lives as long as its message.
  return leaves.slice();
}

export function sameLeaves(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((leaf, index) => Object.is(leaf, right[index]));
}
