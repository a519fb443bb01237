import type { PrunerStore } from './contract.ts';

/** Most conversations whose decisions are kept. */
const MAX_KEPT = 1000;

/** Decisions that live as long as this object. The version is the number of lines. */
export function memoryStore(): PrunerStore {
  const kept = new Map<string, string[]>();
  return {
    async load(conversation, after = 0) {
      const lines = kept.get(conversation) ?? [];
      const isWhole = after === 0 || after > lines.length;
      return { lines: lines.slice(isWhole ? 0 : after), version: lines.length, isWhole };
    },
    async append(conversation, more, expected) {
      const lines = kept.get(conversation) ?? [];
      if (expected !== undefined && expected !== lines.length) return undefined;
      for (const line of more) lines.push(line);
      kept.delete(conversation);
      kept.set(conversation, lines);
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      return lines.length;
    },
  };
}
