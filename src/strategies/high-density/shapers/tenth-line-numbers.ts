import { withTenthNumbers } from '../repeated-lines/tenth-numbers.ts';
import { printsOnly, type Shaper } from './shaper.ts';

/** Of the numbers that a tool writes before the lines of a file, every tenth stays. What it writes between a number and its line stays too. */
export const tenthLineNumbers: Shaper = {
  name: 'tenthLineNumbers',
  isLossy: false,
  appliesTo: (about) => about.numbersLines || printsOnly(about, 'numbered'),
  shape: withTenthNumbers,
};
