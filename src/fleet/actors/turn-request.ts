import type { IContent } from '../../content/content.ts';
import { contentProblem, isContent } from '../../content/content-guard.ts';
import { isRecord } from '../../content/foreign-value.ts';

/** Entries that a host adds to a session at once; none: only the view is wanted. */
export interface TurnRequest {
  /** The host's own id: sending a turn again does nothing. */
  readonly turn: string;
  readonly entries: readonly IContent[];
}

const ID = /^[\w.:-]{1,200}$/;

/** True for names that may be a part of keys and paths. */
export const isId = (text: unknown): text is string => typeof text === 'string' && ID.test(text);

/** The request in a body, or what is wrong with it. */
export function turnRequest(body: unknown): TurnRequest | string {
  if (!isRecord(body)) return 'Expected an object with `turn` and `entries`.';
  const { turn, entries } = body;
  if (!isId(turn)) return 'Expected `turn` to be an id: 1 to 200 letters, digits or ._:-';
  if (!Array.isArray(entries)) return 'Expected `entries` to be a list.';
  const wrong = entries.findIndex((entry) => !isContent(entry));
  if (wrong !== -1) return `Expected \`entries[${wrong}]\` to be an entry: ${contentProblem(entries[wrong])}.`;
  return { turn, entries };
}
