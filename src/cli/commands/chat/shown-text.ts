import { counted } from '../../../report/figures.ts';
import { printable } from '../../terminal/terminal.ts';

/** Text of a model without control characters, which a terminal would act on. Line ends remain, tabs become blanks. */
export const shownText = (text: string): string =>
  text.replaceAll('\t', '  ').replace(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '');

/** A notice may list every dropped message. The report contains all of it, the screen only the start. */
const LONGEST_NOTICE_CHARS = 600;

/** A notice on one line, cut to a readable length. */
export function shownNotice(text: string): string {
  if (text.length <= LONGEST_NOTICE_CHARS) return printable(text);
  const cut = text.lastIndexOf(' ', LONGEST_NOTICE_CHARS);
  const kept = text.slice(0, cut > 0 ? cut : LONGEST_NOTICE_CHARS);
  return `${printable(kept)} … and ${counted(text.length - kept.length, 'more character')}`;
}
