const SPEAKERS: ReadonlySet<unknown> = new Set(['human', 'ai', 'tool']);

/** Why `value` cannot stand in a history, `undefined` when it can: a known speaker and at least one block are needed. */
export function describeInvalidEntry(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return `\`${String(value)}\``;
  const { speaker, blocks } = value as { speaker?: unknown; blocks?: unknown };
  if (!SPEAKERS.has(speaker)) return `the speaker ${JSON.stringify(speaker) ?? String(speaker)}`;
  if (!Array.isArray(blocks)) return 'no list of blocks';
  if (blocks.length === 0) return 'an entry with zero blocks';
  return undefined;
}
