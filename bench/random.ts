/** A repeatable source of chance: equal seeds give equal sequences. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** An integer in [0, `below`). */
  integer(below: number): number;
  pick<T>(choices: readonly T[]): T;
  /** The same choices in another order. */
  shuffle<T>(choices: readonly T[]): T[];
  /** `length` characters of `0-9a-f`. */
  hex(length: number): string;
}

/** Source: mulberry32, a 32-bit generator in the public domain. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const integer = (below: number): number => Math.floor(next() * below);
  return {
    next,
    integer,
    pick: (choices) => choices[integer(choices.length)] as (typeof choices)[number],
    shuffle: (choices) => {
      const left = [...choices];
      return choices.map(() => left.splice(integer(left.length), 1)[0] as (typeof choices)[number]);
    },
    hex: (length) => Array.from({ length }, () => integer(16).toString(16)).join(''),
  };
}
