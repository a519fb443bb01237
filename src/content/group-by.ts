/** The items in groups by key, groups and items in the order in which they come. Linear. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** What the key has; made at the first question. */
export function madeOnce<Key, Value>(
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

/** Puts an item behind those that the key has; it may be the first. */
export function addTo<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = groups.get(key);
  if (known === undefined) groups.set(key, [item]);
  else known.push(item);
}

/** The items of `after` in excess of those of the same name in `before`. Linear. */
export function inExcess<Item>(
  before: readonly Item[],
  after: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] {
  const allowed = new Map<string, number>();
  for (const item of before) allowed.set(nameOf(item), (allowed.get(nameOf(item)) ?? 0) + 1);
  return after.filter((item) => {
    const left = allowed.get(nameOf(item)) ?? 0;
    allowed.set(nameOf(item), left - 1);
    return left <= 0;
  });
}
