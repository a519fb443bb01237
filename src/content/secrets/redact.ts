import { isSecretField, SECRET_SHAPES } from './secret-shapes.ts';

/** A text without its secrets, and how many were hidden. */
export interface Redaction {
  readonly text: string;
  readonly hidden: number;
}

/** The marker in place of a secret. */
const marker = (name: string): string => `[hidden ${name}]`;

/** Replaces secrets of known shapes in a text by markers. Applying it twice changes nothing more. Linear in the text. */
export function redact(text: string): Redaction {
  let hidden = 0;
  let redacted = text;
  for (const { name, pattern, isInnocent } of SECRET_SHAPES) {
    redacted = redacted.replace(pattern, (whole: string, ...rest: unknown[]) => {
      const found = groupOf(rest.at(-1)) ?? whole;
      if (isInnocent?.(found, whole)) return whole;
      hidden++;
      const start = whole.lastIndexOf(found);
      return whole.slice(0, start) + marker(name) + whole.slice(start + found.length);
    });
  }
  return { text: redacted, hidden };
}

/** The named group that matched; `undefined` if the pattern has none. */
function groupOf(groups: unknown): string | undefined {
  if (typeof groups !== 'object' || groups === null) return undefined;
  return Object.values(groups).find((group): group is string => typeof group === 'string');
}

/** Redacts many values and counts the secrets in all of them. */
export class Redactor {
  hidden = 0;

  readonly text = (text: string): string => {
    const { text: redacted, hidden } = redact(text);
    this.hidden += hidden;
    return redacted;
  };

  /** Redacts a text with parts that were cut at `…`: what precedes the cut may be a key that lost its shape. */
  readonly label = (text: string): string => this.text(text).replace(/(?<![\w+=.~-])[\w+=.~-]{6}[\w+=.~-]*…/g, '…');

  /** A copy of plain data with all texts redacted and all keys kept. Parts without a secret are the same objects. */
  value<Value>(value: Value): Value {
    return this.#copy(value) as Value;
  }

  #copy(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#copy(item));
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value);
    const copies = fields.map(([key, field]) => [key, this.#copyOfField(key, field)] as const);
    return copies.every(([, copy], index) => copy === fields[index]?.[1]) ? value : Object.fromEntries(copies);
  }

  #copyOfField(name: string, value: unknown): unknown {
    const copy = this.#copy(value);
    if (copy !== value || typeof value !== 'string' || !isSecretField(name, value)) return copy;
    this.hidden++;
    return marker('secret');
  }
}
