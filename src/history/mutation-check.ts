import { createHash, type Hash } from 'node:crypto';
import type { IContent } from '../content/content.ts';
import { CompressionStrategyError } from '../errors.ts';

/** Feeds every value reachable from `value`, with types and keys, into `hash`; an object met again is a reference to it. */
function feed(hash: Hash, value: unknown, seen: Map<object, number>): void {
  if (typeof value !== 'object' || value === null) {
    const text = String(value);
    hash.update(`${typeof value}:${text.length}:`).update(text);
    return;
  }
  const known = seen.get(value);
  if (known !== undefined) {
    hash.update(`ref:${known};`);
    return;
  }
  seen.set(value, seen.size);
  const entries = Object.entries(value);
  hash.update(`${Array.isArray(value) ? 'list' : 'object'}:${entries.length};`);
  for (const [key, inner] of entries) {
    hash.update(`${key.length}:${key}=`);
    feed(hash, inner, seen);
  }
}

function fingerprint(content: IContent): string {
  const hash = createHash('sha1');
  feed(hash, content, new Map());
  return hash.digest('base64');
}

/** Remembers what entries looked like when they were added, and finds those that were changed in place since. */
export class MutationCheck {
  readonly #fingerprints = new WeakMap<IContent, string>();

  remember(content: IContent): void {
    if (!this.#fingerprints.has(content)) this.#fingerprints.set(content, fingerprint(content));
  }

  /** @throws CompressionStrategyError `HISTORY_MUTATED` with the index of the first entry that changed. */
  verify(history: readonly IContent[]): void {
    for (const [index, content] of history.entries()) {
      const known = this.#fingerprints.get(content);
      if (known === undefined || known === fingerprint(content)) continue;
      throw new CompressionStrategyError(
        `Expected entries to stay as they were added, got a changed entry at index ${index}. ` +
          'Change an entry through `replaceAll` or a density result.',
        'HISTORY_MUTATED',
      );
    }
  }
}
