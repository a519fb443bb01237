import stripAnsi from 'strip-ansi';
import { printsOnly, type Shaper } from './shaper.ts';

/** What a line shows in the end that was written over and over again. */
const lastWritten = (line: string): string => {
  const end = line.endsWith('\r') ? line.length - 1 : line.length;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1);
};

/** Colours, and progress that was written over. */
export const terminalNoise: Shaper = {
  name: 'terminalNoise',
  isLossy: false,
  appliesTo: (about) => printsOnly(about, 'tests', 'output'),
  shape(text) {
    const plain = stripAnsi(text);
    return plain.includes('\r') ? plain.split('\n').map(lastWritten).join('\n') : plain;
  },
};
