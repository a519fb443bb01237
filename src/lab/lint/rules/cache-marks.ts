import { type Fields, isRecord } from '../../../content/foreign-value.ts';
import { RuleBroken } from './rule-broken.ts';

/** How long a cache mark keeps its prefix. */
export type MarkLifetime = '5m' | '1h';

const MAX_MARKS = 4;
const UNMARKABLE = new Set(['thinking', 'redacted_thinking']);

/**
 * The cache marks of a request, checked in the order of the prompt: at most four, none on thinking, none of an hour after
 * one of five minutes. Source: errors of the Messages API as reported in https://github.com/Wei-Shaw/sub2api/issues/176,
 * https://github.com/Wei-Shaw/sub2api/issues/225 and https://github.com/cnighswonger/claude-code-cache-fix/issues/44.
 */
export class CacheMarks {
  #marks = 0;
  #hasShort = false;

  /** The mark of a part at `place`. @throws RuleBroken */
  of(part: Fields, place: string): MarkLifetime | undefined {
    const control = part['cache_control'];
    if (control === undefined || control === null) return undefined;
    const type = String(part['type']);
    if (UNMARKABLE.has(type)) throw new RuleBroken(`${place}.${type}.cache_control: Extra inputs are not permitted`);
    const lifetime = isRecord(control) && control['ttl'] === '1h' ? '1h' : '5m';
    if (lifetime === '1h' && this.#hasShort) {
      throw new RuleBroken(
        `${place}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`,
      );
    }
    this.#marks++;
    this.#hasShort ||= lifetime === '5m';
    return lifetime;
  }

  /** @throws RuleBroken if there are too many. */
  end(): void {
    if (this.#marks > MAX_MARKS) {
      throw new RuleBroken(
        `A maximum of ${MAX_MARKS} blocks with cache_control may be provided. Found ${this.#marks}.`,
      );
    }
  }
}
