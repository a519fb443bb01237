import { withTenthNumbers } from '../repeated-lines/tenth-numbers.ts';
import { printsOnly, type Shaper } from './shaper.ts';

/** Keeps every tenth of the numbers that a tool writes before the lines of a file. The sign between a number and its line is kept too. */
export const tenthLineNumbers: Shaper = {
  name: 'tenthLineNumbers',
  isLossy: false,
  appliesTo: (about) => about.numbersLines || printsOnly(about, 'numbered'),
  shape: withTenthNumbers,
};
