import { notesOf } from '../../strategies/high-density/repeated-lines/line-notes.ts';
import type { FrozenResult } from '../conversation/frozen.ts';

const START = '[density: ';
/** Earlier versions put it in place of a whole result, before the notes that the agent adds at its end. */
const REPEAT = /^\[density: word for word the result of the earlier (.*?) \([^\s()]*\)\]/;
const BACK = 'full text: density show ';

/** How to get the text with this name back. */
export const wayBack = (name: string): string => `${BACK}${name}`;

/** How a marker ends that a model wrote down, perhaps with other words about the reason; its name in the archive. */
const QUOTED_END = /; full text: density show ([0-9a-f]{12})\]/g;

/**
 * One line of constant text: what it was, and how to get it back. It is sent with every later call: a sentence why took a
 * fourteenth of what was saved (docs/live.md).
 */
export function removedMarker(what: string, hash: string | undefined): string {
  const back = hash === undefined ? '' : `; ${BACK}${hash}`;
  return `${START}${what}${REMOVED}${back}]`.replaceAll('\n', ' ');
}

const REMOVED = ', removed';
/** Earlier versions said why. */
const removedFor = (reason: string): string => `${REMOVED}: ${reason.replaceAll('\n', ' ')}`;

/** A marker, and the call whose result it stands for. */
type NamedMarker = readonly [marker: string, name: string];

function markersOf({ kind, text, reason, isCut, sources }: FrozenResult): readonly NamedMarker[] {
  if (isCut) return sources ? notesOf(text).map(({ start, end, label }) => [text.slice(start, end), label]) : [];
  const repeat = kind === 'repeat' && REPEAT.exec(text);
  if (repeat) return [[repeat[0], repeat[1]!]];
  if (kind !== 'pruned') return [];
  const why = text.indexOf(removedFor(reason));
  const end = why === -1 ? text.lastIndexOf(REMOVED) : why;
  return end === -1 ? [] : [[text, text.slice(START.length, end)]];
}

/** A text in which each marker of these forms is the name of what it stands for. Others stay. */
export function withNames(text: string, forms: Iterable<FrozenResult>): string {
  const names = new Map<string, string>();
  let named = text;
  for (const form of forms) {
    for (const [marker, name] of markersOf(form)) {
      named = named.replaceAll(marker, () => name);
      const hash = marker.slice(marker.lastIndexOf(BACK) + BACK.length, -1);
      if (marker.includes(BACK)) names.set(hash, name);
    }
  }
  return withQuotedNames(named, names);
}

function withQuotedNames(text: string, names: ReadonlyMap<string, string>): string {
  let named = '';
  let done = 0;
  for (const { 0: marked, 1: hash, index } of text.matchAll(QUOTED_END)) {
    const before = text.slice(done, index);
    const start = before.lastIndexOf(START);
    const name = start === -1 || before.includes('\n', start) ? undefined : names.get(hash!);
    const end = index + marked.length;
    named += name === undefined ? text.slice(done, end) : before.slice(0, start) + name;
    done = end;
  }
  return named + text.slice(done);
}
