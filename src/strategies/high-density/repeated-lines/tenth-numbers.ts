import { textUnits } from '../../../content/lines/text-units.ts';
import { NUMBERS_APART, numberingOf } from './line-numbers.ts';

const TAB = '\t';

/**
 * A text with fewer line numbers. A line keeps its number if the number is the first, the first after a gap, or a multiple of ten. The other
 * lines keep only the tab after the number. The same text if it has that form already, or if it could not be had from the form again. Linear.
 */
export function withTenthNumbers(text: string): string {
  if (withAllNumbers(text) !== text) return text;
  const { starts, lengths, numbered } = numberingOf(text, textUnits(text));
  let form = '';
  let from = 0;
  for (const { first, last, number } of numbered) {
    if (text[starts[first]! + lengths[first]! - 1] !== TAB) continue;
    const numberAt = (line: number): number => number + line - first;
    // Two numbers with others between them show the form: from the first one, or from the next if that is a tenth.
    const start = numberAt(first + 1) % NUMBERS_APART === 0 ? first + 1 : first;
    if (start + NUMBERS_APART - (numberAt(start) % NUMBERS_APART) > last) continue;
    for (let line = start + 1; line <= last; line++) {
      if (numberAt(line) % NUMBERS_APART === 0) continue;
      form += text.slice(from, starts[line]!);
      from = starts[line]! + lengths[line]! - 1;
    }
  }
  form += text.slice(from);
  return withAllNumbers(form) === text ? form : text;
}

/** The text from which `withTenthNumbers` made this one; the same text if it does not have that form. Linear. */
export function withAllNumbers(text: string): string {
  if (!text.includes(`\n${TAB}`)) return text;
  const { starts, lengths, numbered } = numberingOf(text, textUnits(text));
  let whole = '';
  let from = 0;
  for (const { first, last, number } of numbered) {
    let before = '';
    for (let line = first; line <= last; line++) {
      const start = starts[line]!;
      if (lengths[line]! > TAB.length) {
        before = text.slice(start, text.indexOf(TAB, start));
        continue;
      }
      whole += text.slice(from, start) + numberLike(before, number + line - first);
      from = start;
    }
  }
  return whole + text.slice(from);
}

/** A text with tenth numbers after a change of its lines, which is made of the text with all numbers; any other text after the same change. */
export function withChangedLines(text: string, change: (lines: string) => string): string {
  const whole = withAllNumbers(text);
  return whole === text ? change(text) : withTenthNumbers(change(whole));
}

/** As wide as the number before it, with what that begins with. */
const numberLike = (before: string, number: number): string =>
  `${number}`.padStart(before.length, before.startsWith('0') ? '0' : ' ');
