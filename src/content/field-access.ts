/** The keys of a value from outside; none where asking throws, as a proxy may (REQ-HD-013.5). */
export function keysOf(value: object): readonly string[] {
  try {
    return Object.keys(value);
  } catch {
    return [];
  }
}

/** A field of a value from outside; `undefined` where reading it throws, as a getter or a proxy may (REQ-HD-013.5). */
export function fieldOf(value: object, key: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[key];
  } catch {
    return undefined;
  }
}
