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
