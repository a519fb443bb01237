import stripAnsi from 'strip-ansi';
import { printsOnly, type Shaper } from './shaper.ts';

/** What a line shows in the end that was written over and over again. */
const lastWritten = (line: string): string => {
  const end = line.endsWith('\r') ? line.length - 1 : line.length;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1);
};

const ESCAPE = '\u001b[';
/** One of these begins all noise. */
const NOISE = ['\u001b', '\u009b', '\r'] as const;
const COLOUR_CODE = /^([\d;]*)m/;

/** The colour after a code, of letters or behind them, where it was `before` it; empty: none. Others make letters bold, or faint. */
function colourAfter(code: string, before: string): string {
  if (/^0?$|(?:^|;)(?:0|39|49)$/.test(code)) return '';
  return /(?:^|;)(?:[34][0-8]|(?:9|10)[0-7])(?:;|$)/.test(code) ? code : before;
}

/** True if the colour changes within a word: it says what was removed there and what was added. */
function differsInWord(line: string): boolean {
  let colour = '';
  let shown = '';
  let shownIn = '';
  for (const [at, part] of line.split(ESCAPE).entries()) {
    const code = at === 0 ? undefined : COLOUR_CODE.exec(part);
    if (code) colour = colourAfter(code[1]!, colour);
    const text = code ? part.slice(code[0].length) : part;
    if (/\w$/.test(shown) && /^\w/.test(text) && colour !== shownIn) return true;
    if (text !== '') {
      shown = text;
      shownIn = colour;
    }
  }
  return false;
}

/** Colours, and progress that was written over. */
export const terminalNoise: Shaper = {
  name: 'terminalNoise',
  isLossy: false,
  appliesTo: (about) => printsOnly(about, 'tests', 'output'),
  shape(text) {
    if (!NOISE.some((sign) => text.includes(sign))) return text;
    return text
      .split('\n')
      .map((line) => lastWritten(differsInWord(line) ? line : stripAnsi(line)))
      .join('\n');
  },
};
