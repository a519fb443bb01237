import type { ContentBlock, IContent } from '../../content/content.ts';
import { footprint } from '../../content/footprint.ts';
import { fieldOf, isList, jsonOf, keysOf } from '../../content/foreign-value.ts';
import { jsonText } from '../../content/json-text.ts';

const MAX_LEVELS = 400;

/**
 * `entry` as data that a structured clone carries, with the same tokens and the same fields to look at: what is no
 * plain data is replaced by what JSON makes of it. Fields that are plain are the entry's own objects. Parts nested deeper
 * than 400 levels are cut off, so that such an entry may count less.
 */
export function plainCopy(entry: IContent): IContent {
  const { speaker, blocks, ...rest } = entry;
  return { speaker, blocks: blocks.map((block) => plainFields(block) as ContentBlock), ...plainFields(rest) };
}

function plainFields<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, plainValue(value)])) as Fields;
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return null;
  if (typeof value !== 'object' || value === null || footprint(value).isPlain) return value;
  const text = [...jsonText(value)].join('');
  const parsed = jsonOf(text);
  return parsed !== undefined && footprint(parsed).isPlain && [...jsonText(parsed)].join('') === text
    ? parsed
    : writtenOnce(value);
}

/** What counts as `jsonText` of a value that JSON refuses: each object once, `null` for what has no text. */
function writtenOnce(value: object): unknown {
  const seen = new Set<object>();
  const copy = (part: unknown, level: number): unknown => {
    if (typeof part === 'function' || typeof part === 'symbol' || part === undefined) return null;
    if (typeof part !== 'object' || part === null) return part;
    if (seen.has(part) || level > MAX_LEVELS) return '…';
    seen.add(part);
    const fields = keysOf(part).map((key) => [key, copy(fieldOf(part, key), level + 1)] as const);
    return isList(part) ? fields.map(([, inner]) => inner) : Object.fromEntries(fields);
  };
  return copy(value, 0);
}
