import type { ReportText } from '../../../../content/agent-text/report-text.ts';
import type { SkillText } from '../../../../content/agent-text/skill-text.ts';
import { counted } from '../../../../content/counted.ts';
import { leftOutMarker } from '../../shapers/markers.ts';

/** The whole lines within so many characters are kept: what a report found, or what a skill is for. */
const KEPT_CHARACTERS = 400;
/** Less is not worth a marker. */
const MIN_CHARACTERS = 500;

/** A text whose first lines say enough later. */
export type ShortenedText = ReportText | SkillText;

const NAMES: Readonly<Record<ShortenedText['kind'], string>> = { report: 'a report', skill: 'a skill' };

/** The text of a block with its first whole lines, then a marker on a line of its own; all around it is kept. `undefined` if little would be left out. Linear. */
export function shortenedText(text: string, { kind, start, end, lineEnd }: ShortenedText): string | undefined {
  let kept = start;
  let lines = 1;
  for (const at of lineEndsIn(text, { start, end, lineEnd })) {
    const next = at + lineEnd.length;
    if (next - start <= KEPT_CHARACTERS) kept = next;
    else lines++;
  }
  if (end - kept < MIN_CHARACTERS) return undefined;
  const isAtLineStart = kept > start || start === 0;
  const before = text.slice(0, kept) + (isAtLineStart ? '' : lineEnd);
  const after = text.slice(end);
  const isAtLineEnd = after === '' || after.startsWith('\n') || lineEnd !== '\n';
  return `${before}${leftOutMarker(`${counted(lines, 'line')} of ${NAMES[kind]}`)}${isAtLineEnd ? '' : lineEnd}${after}`;
}

/** Where lines end. In JSON a backslash may be escaped itself. */
function* lineEndsIn(
  text: string,
  { start, end, lineEnd }: Pick<ShortenedText, 'start' | 'end' | 'lineEnd'>,
): Generator<number> {
  if (lineEnd === '\n') {
    for (let at = text.indexOf(lineEnd, start); at !== -1 && at < end; at = text.indexOf(lineEnd, at + 1)) yield at;
    return;
  }
  for (let at = text.indexOf('\\', start); at !== -1 && at < end; at = text.indexOf('\\', at + 2))
    if (text[at + 1] === 'n') yield at;
}
