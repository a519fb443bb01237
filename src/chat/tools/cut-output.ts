import { cutText } from '../../content/lines/one-line.ts';

/** The longest result of one call, in UTF-16 units: about 10,000 tokens. */
const LONGEST_CHARS = 40_000;

/** Cuts the end of a long text and says how much is missing. `hint`: how to get the rest. */
export function cutOutput(text: string, hint: string): string {
  if (text.length <= LONGEST_CHARS) return text;
  const kept = cutText(text, LONGEST_CHARS);
  return `${kept}\n[cut: ${text.length - kept.length} more characters. ${hint}]`;
}

/** Cuts the middle of a long text: the last lines of a command matter as much as its first ones. */
export function cutMiddle(text: string): string {
  if (text.length <= LONGEST_CHARS) return text;
  const half = LONGEST_CHARS / 2;
  return `${cutText(text, half)}\n[cut: ${text.length - LONGEST_CHARS} characters in the middle]\n${text.slice(-half)}`;
}
