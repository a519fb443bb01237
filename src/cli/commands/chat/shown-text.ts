import { grouped } from '../../../report/figures.ts';
import { printable } from '../../terminal/printable.ts';

/** What a model wrote, without what a terminal would act on: controls go, line ends and tabs stay. */
export const shownText = (text: string): string =>
  text.replaceAll('\t', '  ').replace(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '');

/** A notice names all that it is about, each dropped message for one: the report holds that, a screen only its beginning. */
const LONGEST_NOTICE_CHARS = 600;

/** What is told beside the conversation, on one line of bearable length. */
export function shownNotice(text: string): string {
  if (text.length <= LONGEST_NOTICE_CHARS) return printable(text);
  const cut = text.lastIndexOf(' ', LONGEST_NOTICE_CHARS);
  const kept = text.slice(0, cut > 0 ? cut : LONGEST_NOTICE_CHARS);
  return `${printable(kept)} … and ${grouped(text.length - kept.length)} more characters`;
}
