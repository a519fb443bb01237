import type { ToolResponseBlock } from '../content/content.ts';
import { isPruned } from '../content/pruned-result.ts';
import { NUMBER_BEFORE_MARKER } from '../strategies/high-density/shapers/markers.ts';
import { isSummary } from '../strategies/high-density/summary.ts';

/** A marker that was sent to the model. */
export interface SentMarker {
  readonly text: string;
  /** What it stands for, without the hash and the way back. */
  readonly standsFor: string;
  /** The name of the whole text in the archive; absent where the marker has none. */
  readonly name?: string;
  /** Its words as `comparable` writes them, without hash, quotes and counts. */
  readonly words: string;
}

/** A marker at the end of a line of its own; earlier versions put it in square brackets. */
const LINES = new RegExp(`${NUMBER_BEFORE_MARKER.source}([⟦[]density: .*[⟧\\]])`, 'gm');
/** The start of the lines that it stands for, their hash, and how to get them. */
const TAIL =
  /(?:, from ".{0,60}")?(?: #[0-9a-z]{1,7})?(?:; (?:full text: )?(?:density show|recall) ([0-9a-f]+))?[⟧\]]$/;

/** Every form of marker has one of these. */
const SIGN = /density:|Result pruned|content cleared|(?:—|\\u2014) ?(?:success|error)/i;

/** True if a text may contain a marker. Linear, and cheaper than to look for one. */
export const mayHaveMarker = (text: string): boolean => SIGN.test(text);

/** The markers in a text that was sent, each on a line of its own. Linear. */
export const markersIn = (sent: string): readonly SentMarker[] =>
  sent.includes('density: ') ? Array.from(sent.matchAll(LINES), ([, marker]) => sentMarker(marker!)) : [];

/** The markers in a result, and the marker that it is. Linear. */
export function markersOf(response: ToolResponseBlock): readonly SentMarker[] {
  const { result } = response;
  if (typeof result !== 'string') return [];
  const found = markersIn(result);
  return found.length === 0 && (isPruned(result) || isSummary(response)) ? [sentMarker(result)] : found;
}

function sentMarker(text: string): SentMarker {
  const name = TAIL.exec(text)?.[1];
  const body = text.replace(TAIL, '');
  return {
    text,
    standsFor: body.replace(/^[⟦[](?:density: )?/, ''),
    ...(name !== undefined && { name }),
    words: comparable(body),
  };
}

const ESCAPED = /(?<!\\)\\+(?:u([0-9a-f]{4})|[nrt])/gi;
/** Blanks, quotes, and what begins the lines of comments and differences. */
const LEFT_OUT = /[\s"'`“”‘’«»+\-|>*/#;\\]+/g;

/** A text as markers are compared: without escapes, blanks, line ends, quotes and the signs at the start of lines; each number is 0. Linear. */
export const comparable = (text: string): string =>
  text
    .replace(ESCAPED, (_, code: string | undefined) => (code ? String.fromCharCode(Number.parseInt(code, 16)) : ''))
    .replaceAll('⟦', '[')
    .replaceAll('⟧', ']')
    .replace(LEFT_OUT, '')
    .replace(/\d+/g, '0');

/** What may follow the words of a marker, as `comparable` writes it. */
const AFTER = /^(?:\]|,from|fulltext:|densityshow|recall|[a-z0]{1,12}(?:\]|recall))/;

/** True if a text that is `comparable` contains these words of a marker, and no others before its end. */
export function hasWords(text: string, { words }: SentMarker): boolean {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1))
    if (AFTER.test(text.slice(at + words.length, at + words.length + LONGEST_AFTER))) return true;
  return false;
}
const LONGEST_AFTER = 24;
