import type { Encoding } from '../vocabulary/vocabulary.ts';
import { CLASS_OF_UNIT } from './character-class.ts';

/**
 * The automaton's classes of units: character classes in the order of `CHARACTER_CLASS`, then single units that patterns
 * name. Halves of surrogate pairs are `stop`: their class depends on two units.
 */
const COLUMNS = [
  'other',
  'white',
  'newline',
  'digit',
  'upper',
  'lower',
  'both',
  'mark',
  'stop',
  'space',
  'apostrophe',
  'slash',
] as const;
type Column = (typeof COLUMNS)[number];
const COLUMN_BITS = 4;

/** This state and higher ones end a scan. */
export const FINAL_STATE = 1 << 10;
/** The piece ended one or two units before the last unit read. */
const ENDED = FINAL_STATE + 1;
const ENDED_BEFORE_LAST = FINAL_STATE + 2;
/** In this state and higher ones the end needs another check. */
export const UNDECIDED_STATE = FINAL_STATE + 3;
/** White space with a line break ended one unit before the last unit read; the piece ends after the line break. */
export const BREAK_BEHIND_STATE = UNDECIDED_STATE + 1;

type Target = string | number;
type Rules = Readonly<Record<string, Partial<Readonly<Record<Column | 'else', Target>>>>>;

/** Rules that both patterns share: `\p{N}{1,3}` and `\s*[\r\n]+|\s+(?!\S)|\s+`. */
const SHARED_RULES: Rules = {
  digit: { digit: 'digits', else: ENDED },
  digits: { digit: 'threeDigits', else: ENDED },
  threeDigits: { else: ENDED },
  whites: { space: 'whites', white: 'whites', newline: 'break', else: ENDED_BEFORE_LAST },
  break: { newline: 'break', space: 'whitesAfterBreak', white: 'whitesAfterBreak', else: ENDED },
  whitesAfterBreak: {
    space: 'whitesAfterBreak',
    white: 'whitesAfterBreak',
    newline: 'break',
    else: BREAK_BEHIND_STATE,
  },
};

const SYMBOLS = { apostrophe: 'symbols', slash: 'symbols', other: 'symbols' } as const;
const WHITES = { space: 'whites', white: 'whites', newline: 'break' } as const;

/** The automaton of o200k_base; `start` reads the first unit of a piece. */
const O200K_RULES: Rules = {
  start: {
    space: 'space',
    white: 'white',
    newline: 'break',
    digit: 'digit',
    upper: 'upper',
    lower: 'lower',
    both: 'both',
    mark: UNDECIDED_STATE,
    apostrophe: 'symbol',
    slash: 'symbol',
    other: 'symbol',
  },
  ...SHARED_RULES,
  upper: { upper: 'upper', lower: 'lower', both: 'both', mark: 'both', apostrophe: UNDECIDED_STATE, else: ENDED },
  lower: { lower: 'lower', both: 'lower', mark: 'lower', apostrophe: UNDECIDED_STATE, else: ENDED },
  both: {
    upper: 'upperAfterBoth',
    lower: 'lower',
    both: 'both',
    mark: 'both',
    apostrophe: UNDECIDED_STATE,
    else: ENDED,
  },
  upperAfterBoth: { upper: 'upperAfterBoth', lower: 'lower', both: 'both', mark: 'both', else: UNDECIDED_STATE },
  space: { ...WHITES, ...SYMBOLS, upper: 'upper', lower: 'lower', both: 'both', mark: 'both', else: ENDED },
  white: { ...WHITES, upper: 'upper', lower: 'lower', both: 'both', mark: 'both', else: ENDED },
  symbol: {
    ...SYMBOLS,
    newline: 'symbolsBreak',
    upper: 'upper',
    lower: 'lower',
    both: 'both',
    mark: 'both',
    else: ENDED,
  },
  symbols: { ...SYMBOLS, mark: 'symbols', newline: 'symbolsBreak', else: ENDED },
  symbolsBreak: { newline: 'symbolsBreak', slash: 'symbolsBreak', else: ENDED },
};

const LETTERS = { upper: 'letters', lower: 'letters', both: 'letters' } as const;

/** The automaton of cl100k_base; `start` reads the first unit of a piece. */
const CL100K_RULES: Rules = {
  start: {
    space: 'space',
    white: 'white',
    newline: 'break',
    digit: 'digit',
    ...LETTERS,
    mark: 'symbol',
    apostrophe: 'apostrophe',
    slash: 'symbol',
    other: 'symbol',
  },
  ...SHARED_RULES,
  letters: { ...LETTERS, else: ENDED },
  space: { ...WHITES, ...SYMBOLS, mark: 'symbols', ...LETTERS, else: ENDED },
  white: { ...WHITES, ...LETTERS, else: ENDED },
  symbol: { ...SYMBOLS, mark: 'symbols', newline: 'symbolsBreak', ...LETTERS, else: ENDED },
  apostrophe: {
    upper: UNDECIDED_STATE,
    lower: UNDECIDED_STATE,
    both: UNDECIDED_STATE,
    ...SYMBOLS,
    mark: 'symbols',
    newline: 'symbolsBreak',
    else: ENDED,
  },
  symbols: { ...SYMBOLS, mark: 'symbols', newline: 'symbolsBreak', else: ENDED },
  symbolsBreak: { newline: 'symbolsBreak', else: ENDED },
};

/** The transition table. A state is its row times 16, `start` is 0; the next state is `transitions[state | column]`. */
function compile(rules: Rules): Uint16Array {
  const states = Object.keys(rules);
  const transitions = new Uint16Array(states.length << COLUMN_BITS).fill(UNDECIDED_STATE);
  states.forEach((state, row) => {
    const targets = rules[state] ?? {};
    COLUMNS.forEach((column, at) => {
      const target = column === 'stop' ? UNDECIDED_STATE : (targets[column] ?? targets.else ?? UNDECIDED_STATE);
      const next = typeof target === 'number' ? target : states.indexOf(target) << COLUMN_BITS;
      transitions[(row << COLUMN_BITS) | at] = next;
    });
  });
  return transitions;
}

/** The column of each unit. */
export const COLUMN_OF_UNIT: Uint8Array = CLASS_OF_UNIT.slice();
for (const [unit, column] of [
  [0x20, 'space'],
  [0x27, 'apostrophe'],
  [0x2f, 'slash'],
] as const) {
  COLUMN_OF_UNIT[unit] = COLUMNS.indexOf(column);
}

/** A unit that ends every scan undecided; it is written after the last one. */
export const STOP_UNIT = 0xd800;

/**
 * The next state by `state | column`, from 0 at the start of a piece, for each encoding. A scan needs one branch per piece;
 * the alternatives of the patterns need many that a processor cannot predict.
 */
export const TRANSITIONS: Readonly<Record<Encoding, Uint16Array>> = {
  o200k_base: compile(O200K_RULES),
  cl100k_base: compile(CL100K_RULES),
};
