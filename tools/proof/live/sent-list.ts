import { isRecord } from '../../../src/content/foreign-value.ts';

/** The list of a request: as the agent wrote it, and as it was sent. */
export interface SentList {
  readonly list: readonly unknown[];
  readonly sent: readonly unknown[];
}

/** The messages, items or contents of a body. */
export const listOf = (body: object): readonly unknown[] => {
  const fields = body as Readonly<Record<string, unknown>>;
  return (fields['messages'] ?? fields['input'] ?? fields['contents']) as readonly unknown[];
};

const textOf = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner));

/** True for elements with equal meaning: the last one of a request had a cache mark, which moves. */
export const isSame = (one: unknown, other: unknown): boolean => one === other || textOf(one) === textOf(other);

/** Elements that the agent sends again unchanged, and that are sent in another form. */
export function changedPrefix(before: SentList, now: SentList): number {
  let changed = 0;
  for (let at = 0; at < before.list.length && isSame(before.list[at], now.list[at]); at++)
    if (!isSame(before.sent[at], now.sent[at])) changed++;
  return changed;
}

/** The texts that are sent in place of others, by their places in the list. */
export function formsIn({ list, sent }: SentList): Map<string, string> {
  const forms = new Map<string, string>();
  for (const [at, element] of list.entries()) addForms(element, sent[at], String(at), forms);
  return forms;
}

function addForms(before: unknown, now: unknown, place: string, forms: Map<string, string>): void {
  if (before === now) return;
  if (typeof now === 'string') forms.set(place, now);
  else if (Array.isArray(before) && Array.isArray(now))
    for (const [at, inner] of before.entries()) addForms(inner, now[at], `${place}.${at}`, forms);
  else if (isRecord(before) && isRecord(now))
    for (const [key, inner] of Object.entries(before)) addForms(inner, now[key], `${place}.${key}`, forms);
}
