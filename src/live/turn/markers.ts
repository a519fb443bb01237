import { notesOf } from '../../strategies/high-density/repeated-lines/line-notes.ts';
import type { FrozenResult } from '../conversation/frozen.ts';
import { agentNotes } from '../conversation/repeated-reads.ts';

const START = '[density: ';
const REPEAT_START = 'word for word the result of the earlier ';
const BACK = 'full text: density show ';
/** A marker that a model wrote down, perhaps with other words about the reason; its name in the archive. */
const QUOTED = /\[density: (?:(?!\[density: )[^\n])*?; full text: density show ([0-9a-f]{12})\]/g;

/** Why a result is the same as that of the call with this label. */
export const repeatReason = (label: string): string => `${REPEAT_START}${label}`;

/** What stands for a result that is word for word that of another call. */
export const repeatMarker = (reason: string, callId: string): string => `${START}${reason} (${callId})]`;

/** One line of constant text: what it was, why it was removed, how to get it back. */
export function removedMarker(what: string, reason: string, hash: string | undefined): string {
  const back = hash === undefined ? '' : `; ${BACK}${hash}`;
  return `${START}${what}${whyRemoved(reason)}${back}]`.replaceAll('\n', ' ');
}

const whyRemoved = (reason: string): string => `, removed: ${reason.replaceAll('\n', ' ')}`;

/** A marker, and the call whose result it stands for. */
type NamedMarker = readonly [marker: string, name: string];

function markersOf({ kind, text, reason, isCut, sources }: FrozenResult): readonly NamedMarker[] {
  if (isCut) return sources ? notesOf(text).map(({ start, end, label }) => [text.slice(start, end), label]) : [];
  if (kind === 'repeat' && reason.startsWith(REPEAT_START))
    return [[text.slice(0, text.length - agentNotes(text).length), reason.slice(REPEAT_START.length)]];
  const end = kind === 'pruned' ? text.indexOf(whyRemoved(reason)) : -1;
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
