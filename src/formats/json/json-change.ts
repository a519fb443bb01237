/** The keys and array indices from the root of a JSON text to a value. */
export type JsonPath = readonly (string | number)[];

/** The value at `path`; `undefined` if there is none. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>)[key] : undefined,
    value,
  );
}

/** A copy with another value at `path`, which may be a new key at its end; everything else is the same objects. */
export function withValueAt(value: unknown, [key, ...rest]: JsonPath, inner: unknown): unknown {
  if (key === undefined) return inner;
  const changed = withValueAt(valueAt(value, [key]), rest, inner);
  return Array.isArray(value) ? value.with(Number(key), changed) : { ...(value as object), [key]: changed };
}

/**
 * One change of a JSON text. `set` replaces the value at `path`, or adds it if `path` ends with a new key or with the
 * index after the last element. `remove` removes a member or an element. `insert` adds elements before the one at `path`,
 * or after the last one. All indices are those of the original text.
 */
export type JsonChange =
  | { readonly kind: 'set'; readonly path: JsonPath; readonly value: unknown }
  | { readonly kind: 'remove'; readonly path: JsonPath }
  | { readonly kind: 'insert'; readonly path: JsonPath; readonly values: readonly unknown[] };
