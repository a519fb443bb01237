import { isSecretField, SECRET_SHAPES } from './secret-shapes.ts';

/** A text with what looks like a secret taken out, and how many there were. */
export interface Redaction {
  readonly text: string;
  readonly hidden: number;
}

/** What stands where a secret stood. */
const mark = (name: string): string => `[hidden ${name}]`;

/** Hides secrets of known shapes in a text; what is hidden already stays as it is. Linear in the text. */
export function redact(text: string): Redaction {
  let hidden = 0;
  let redacted = text;
  for (const { name, pattern, isInnocent } of SECRET_SHAPES) {
    redacted = redacted.replace(pattern, (whole: string, ...rest: unknown[]) => {
      const found = groupOf(rest.at(-1)) ?? whole;
      if (isInnocent?.(found, whole)) return whole;
      hidden++;
      const start = whole.lastIndexOf(found);
      return whole.slice(0, start) + mark(name) + whole.slice(start + found.length);
    });
  }
  return { text: redacted, hidden };
}

/** The group of a match that took part in it, where the pattern has groups. */
function groupOf(groups: unknown): string | undefined {
  if (typeof groups !== 'object' || groups === null) return undefined;
  return Object.values(groups).find((group): group is string => typeof group === 'string');
}

/** Hides the secrets in the texts of many values, and counts them. */
export class Redactor {
  hidden = 0;

  readonly text = (text: string): string => {
    const { text: redacted, hidden } = redact(text);
    this.hidden += hidden;
    return redacted;
  };

  /** A text in which texts were cut at `…`: a key that was cut has lost the shape by which it is known. */
  readonly label = (text: string): string => this.text(text).replace(/(?<![\w+=.~-])[\w+=.~-]{6,}…/g, '…');

  /** A copy of plain data with every text in it redacted; keys stay. What holds no secret is the same object. */
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
    return mark('secret');
  }
}
