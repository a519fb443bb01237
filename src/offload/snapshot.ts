import type { IContent } from '../content/content.ts';
import type { Change, TextPlace } from './protocol.ts';

type Keys = readonly (string | number)[];

/**
 * Text that `value` holds, in UTF-16 units: what posting it to a thread costs, near enough. Stops at `limit`,
 * follows each object once.
 */
export function textUnits(value: unknown, limit = Number.POSITIVE_INFINITY): number {
  const seen = new Set<object>();
  let units = 0;
  const walk = (part: unknown): void => {
    if (units >= limit) return;
    if (typeof part === 'string') units += part.length;
    else if (typeof part === 'object' && part !== null && !seen.has(part)) {
      seen.add(part);
      for (const inner of Object.values(part)) walk(inner);
    } else units += 8;
  };
  walk(value);
  return units;
}

/** A copy of `value` with every string over `longUnits` emptied and handed to `cut`; `value` itself when it has none. */
function withoutLongTexts(value: unknown, longUnits: number, cut: (keys: Keys, text: string) => void): unknown {
  const open = new Set<object>();
  const walk = (part: unknown, keys: Keys): unknown => {
    if (typeof part === 'string') {
      if (part.length <= longUnits) return part;
      cut(keys, part);
      return '';
    }
    if (typeof part !== 'object' || part === null || open.has(part)) return part;
    open.add(part);
    const list = Array.isArray(part);
    let copy: Record<string | number, unknown> | undefined;
    for (const [key, inner] of Object.entries(part)) {
      const place = list ? Number(key) : key;
      const kept = walk(inner, [...keys, place]);
      if (kept === inner) continue;
      copy ??= (list ? [...part] : { ...part }) as Record<string | number, unknown>;
      copy[place] = kept;
    }
    open.delete(part);
    return copy ?? part;
  };
  return walk(value, []);
}

interface OpenSplice {
  readonly kind: 'splice';
  readonly start: number;
  readonly deleteCount: number;
  readonly entries: IContent[];
  readonly texts: TextPlace[];
}

/**
 * The same changes in messages of about `limitUnits` of text each, so that posting one does not block the sender:
 * long splices are split, and the long strings of an entry over `2 × limitUnits` go ahead in parts. Applied in
 * order they make the same history (law 6). Source: DESIGN 3.1, "Slices".
 */
export function* slices(changes: Iterable<Change>, limitUnits: number): Generator<readonly Change[]> {
  let message: Change[] = [];
  let units = 0;
  let open: OpenSplice | undefined;
  let nextTextId = 0;
  const isFull = (more: number): boolean => message.length > 0 && units + more > limitUnits;
  const take = (): readonly Change[] => {
    const taken = message;
    message = [];
    units = 0;
    open = undefined;
    return taken;
  };
  for (const change of changes) {
    open = undefined;
    if (change.kind !== 'splice' || change.entries.length === 0) {
      message.push(change);
      continue;
    }
    let { start, deleteCount } = change;
    for (const entry of change.entries) {
      const long: { textId: number; keys: Keys; text: string }[] = [];
      const isLarge = textUnits(entry, 2 * limitUnits) >= 2 * limitUnits;
      const sent = isLarge
        ? (withoutLongTexts(entry, limitUnits >> 1, (keys, text) =>
            long.push({ textId: nextTextId++, keys, text }),
          ) as IContent)
        : entry;
      for (const { textId, text } of long) {
        for (let from = 0; from < text.length; from += limitUnits) {
          const part = text.slice(from, from + limitUnits);
          if (isFull(part.length)) yield take();
          message.push({ kind: 'text-part', textId, text: part });
          units += part.length;
          open = undefined;
        }
      }
      const size = textUnits(sent, 2 * limitUnits);
      if (isFull(size)) yield take();
      if (open === undefined) {
        open = { kind: 'splice', start, deleteCount, entries: [], texts: [] };
        message.push(open);
        deleteCount = 0;
      }
      for (const { textId, keys } of long) open.texts.push({ textId, entry: open.entries.length, keys });
      open.entries.push(sent);
      start++;
      units += size;
    }
  }
  if (message.length > 0) yield take();
}
