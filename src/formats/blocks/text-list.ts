import { type Fields, isRecord } from '../../content/foreign-value.ts';
import type { JsonChange } from '../json/json-change.ts';

type TextPart = Fields & { readonly text: string };

const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

const isTextPart = (part: unknown): part is TextPart =>
  isRecord(part) && TEXT_TYPES.has(part['type']) && typeof part['text'] === 'string';

/** The text of a content: a string, or the texts of a list, joined; `undefined` for one without text. */
export function contentText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  const texts = Array.isArray(content) ? content.filter(isTextPart) : [];
  return texts.length === 0 ? undefined : texts.map(({ text }) => text).join('\n');
}

/**
 * The changes of a list of parts after which its texts, joined, are `changed`: each keeps what is left of its own lines. A text of
 * which nothing is left is removed, because APIs reject empty ones. Other parts keep their places. Linear.
 */
export function textChanges(parts: readonly unknown[], changed: string): JsonChange[] {
  const places = parts.flatMap((part, at) => (isTextPart(part) ? at : []));
  const texts = places.map((at) => (parts[at] as TextPart).text);
  return dividedText(texts, changed).flatMap((text, index): JsonChange | [] => {
    const at = places[index]!;
    if (text === texts[index]) return [];
    return text === undefined ? { kind: 'remove', path: [at] } : { kind: 'set', path: [at, 'text'], value: text };
  });
}

/** A content with another text, divided as by `textChanges`; a list without texts gets one of this type before its parts. */
export function withText(content: unknown, text: string, type = 'text'): unknown {
  if (!Array.isArray(content)) return text;
  if (!content.some(isTextPart)) return text === '' ? content : [{ type, text }, ...content];
  const changes = new Map(textChanges(content, text).map((change) => [change.path[0], change]));
  return content.flatMap((part: unknown, at) => {
    const change = changes.get(at);
    if (change === undefined) return [part];
    return change.kind === 'set' ? [{ ...(part as TextPart), text: change.value }] : [];
  });
}

/**
 * The list of a result with another text, divided as by `textChanges`; of its other parts only those of `kept` are left, by their
 * place. Where the divided texts would be read as another text, it is one text.
 */
export function resultList(
  content: readonly unknown[],
  kept: ReadonlyMap<number, unknown>,
  text: string,
  type = 'text',
): unknown {
  if (text === '' && kept.size > 0) return [...kept.values()];
  const left = content.flatMap((part, at) => (kept.has(at) ? [kept.get(at)] : isTextPart(part) ? [part] : []));
  const divided = withText(left, text, type);
  return contentText(divided) === text ? divided : [{ type, text }, ...kept.values()];
}

/** What each of these texts has of `changed`; `undefined` for one that has nothing left. */
function dividedText(texts: readonly string[], changed: string): (string | undefined)[] {
  let first = 0;
  let last = texts.length - 1;
  let rest = changed;
  for (; first < last && rest.startsWith(`${texts[first]}\n`); first++) rest = rest.slice(texts[first]!.length + 1);
  for (; first < last && rest.endsWith(`\n${texts[last]}`); last--) rest = rest.slice(0, -texts[last]!.length - 1);
  const middle = dividedLines(texts.slice(first, last + 1), rest);
  return [...texts.slice(0, first), ...middle, ...texts.slice(last + 1)].map((text, at) =>
    text.trim() === '' && text !== texts[at] && changed.trim() !== '' ? undefined : text,
  );
}

/** Each line belongs to the text that has it next; a line that none has, to the text around it. */
function dividedLines(texts: readonly string[], changed: string): string[] {
  if (texts.length === 1) return [changed];
  const lines = changed.split('\n');
  const { places, ends } = placesOf(lines, texts);
  const shares: string[][] = texts.map(() => []);
  let next = 0;
  let owner = 0;
  for (const line of lines) {
    const left = places.get(line)!;
    while (left.length > 0 && left.at(-1)! < next) left.pop();
    const at = left.at(-1) ?? next;
    while (owner < texts.length - 1 && at >= ends[owner]!) owner++;
    shares[owner]!.push(line);
    if (left.length > 0) next = at + 1;
  }
  return shares.map((share) => share.join('\n'));
}

/** Where each of these lines is among the lines of all texts, the last place first, and where each text ends. */
function placesOf(lines: readonly string[], texts: readonly string[]) {
  const places = new Map(lines.map((line) => [line, [] as number[]]));
  const ends: number[] = [];
  let count = 0;
  for (const text of texts) {
    for (const line of text.split('\n')) {
      places.get(line)?.push(count);
      count++;
    }
    ends.push(count);
  }
  for (const found of places.values()) found.reverse();
  return { places, ends };
}
