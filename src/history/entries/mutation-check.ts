import type { IContent } from '../../content/content.ts';
import { fieldOf, isList, keysOf } from '../../content/foreign-value.ts';
import { CompressionStrategyError } from '../../errors.ts';

/** Digest of every value reachable from `content`, with types and keys; an object met again is a reference to it. */
function fingerprint(content: IContent): string {
  // Loaded here, because only few histories are checked: importing it takes a tenth of the time that `.` takes to load.
  const hash = process.getBuiltinModule('node:crypto').createHash('sha1');
  const seen = new Map<object, number>();
  // A stack instead of recursion: tool parameters may be nested deeper than the call stack is.
  const open: unknown[] = [content];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) {
      const text = String(value);
      hash.update(`${typeof value}:${text.length}:`).update(text);
    } else if (seen.has(value)) {
      hash.update(`ref:${seen.get(value)};`);
    } else {
      seen.set(value, seen.size);
      const keys = keysOf(value);
      hash.update(`${isList(value) ? 'list' : 'object'}:${keys.length};`);
      for (const key of keys) {
        hash.update(`${key.length}:${key}=`);
        open.push(fieldOf(value, key));
      }
    }
  }
  return hash.digest('base64');
}

/** Hashes entries when they are added, and finds those that were changed in place since. */
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
        `Expected entries to be unchanged since they were added, got a changed entry at index ${index}. ` +
          'Change an entry through `replaceAll` or a density result.',
        'HISTORY_MUTATED',
      );
    }
  }
}
