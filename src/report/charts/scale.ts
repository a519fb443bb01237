const STEPS = [1, 2, 5, 10];

/** Round values from 0 to `top` for an axis, at least one above 0 and at most `count`, which is 3 or more. */
export function roundTicks(top: number, count: number): number[] {
  if (top <= 0) return [0];
  const power = 10 ** Math.floor(Math.log10(top / count));
  const step = STEPS.map((factor) => factor * power).find((size) => top / size <= count) ?? 10 * power;
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, index) => index * step);
}

/** A point of a curve. `x` is the position of a model call, 0-1. */
export interface CurvePoint {
  readonly x: number;
  readonly value: number;
}

/** The position (0-1) of a model call (from 1) on an axis of `turns` calls. */
export const positionOf = (turn: number, turns: number): number => (turns <= 1 ? 0.5 : (turn - 1) / (turns - 1));

/** The same if each call has a section of the axis: the middle of its section. */
export const middleOf = (turn: number, turns: number): number => (turn - 0.5) / turns;

/** At most five call numbers for an axis of `turns` calls, none close to its ends. */
export const callTicks = (turns: number): number[] =>
  roundTicks(turns, 5).filter((turn) => {
    const x = positionOf(turn, turns);
    return turn > 1 && Number.isInteger(turn) && x > 0.15 && x < 0.87;
  });

/**
 * The points of a series, reduced to four for each of `stretches`: first, smallest, largest and last, in order. The curve
 * keeps every peak and low. Linear.
 */
export function curvePoints(values: readonly number[], stretches: number): CurvePoint[] {
  const point = (index: number): CurvePoint => ({ x: positionOf(index + 1, values.length), value: values[index]! });
  if (values.length <= stretches * 4) return values.map((_, index) => point(index));
  return Array.from({ length: stretches }, (_, stretch) => {
    const from = Math.floor((stretch * values.length) / stretches);
    const to = Math.floor(((stretch + 1) * values.length) / stretches);
    let [least, most] = [from, from];
    for (let index = from; index < to; index++) {
      if (values[index]! < values[least]!) least = index;
      if (values[index]! > values[most]!) most = index;
    }
    return [...new Set([from, least, most, to - 1])].sort((one, other) => one - other).map(point);
  }).flat();
}

/** The largest value of each of at most `stretches` stretches of a series. */
export function largestValues(values: readonly number[], stretches: number): number[] {
  const count = Math.min(stretches, values.length);
  const largest = new Array<number>(count).fill(0);
  for (const [index, value] of values.entries()) {
    const stretch = Math.floor((index * count) / values.length);
    largest[stretch] = Math.max(largest[stretch]!, value);
  }
  return largest;
}
