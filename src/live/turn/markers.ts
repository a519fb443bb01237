import { notesOf } from '../../strategies/high-density/repeated-lines/line-notes.ts';
import type { FrozenResult } from '../conversation/frozen.ts';
import { agentNotes } from '../conversation/repeated-reads.ts';

const START = '[density: ';
const REPEAT_START = 'word for word the result of the earlier ';
const BACK = 'full text: density show ';

/** How to get the text with this name back. */
export const wayBack = (name: string): string => `${BACK}${name}`;

/** A marker that a model wrote down, perhaps with other words about the reason; its name in the archive. */
const QUOTED = /\[density: (?:(?!\[density: )[^\n])*?; full text: density show ([0-9a-f]{12})\]/g;

/** Why a result is the same as that of the call with this label. */
export const repeatReason = (label: string): string => `${REPEAT_START}${label}`;

/** What stands for a result that is word for word that of another call. */
export const repeatMarker = (reason: string, callId: string): string => `${START}${reason} (${callId})]`;

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
  if (kind === 'repeat' && reason.startsWith(REPEAT_START))
    return [[text.slice(0, text.length - agentNotes(text).length), reason.slice(REPEAT_START.length)]];
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
  return named.replace(QUOTED, (marker, hash: string) => names.get(hash) ?? marker);
}
