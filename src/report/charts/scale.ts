import { html, type Markup, NOTHING } from '../document/markup.ts';
import { compact, grouped } from '../figures.ts';

const STEPS = [1, 2, 5, 10];

/** Round values from 0 to `top` for an axis, at least one above 0 and at most `count`, which is 3 or more. */
export function roundTicks(top: number, count: number): number[] {
  if (top <= 0) return [0];
  const power = 10 ** Math.floor(Math.log10(top / count));
  const step = STEPS.map((factor) => factor * power).find((size) => top / size <= count) ?? 10 * power;
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, index) => index * step);
}

/** A point of a curve. `x` is the position of a model call, 0-1. */
interface CurvePoint {
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
    let least = from;
    let most = from;
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

/** Pixels, at every width of the page. */
export const PLOT_HEIGHT = 300;

/** The scale of a chart. */
export interface Plot {
  /** The value at the top edge. */
  readonly top: number;
  readonly turns: number;
}

/** Two digits after the point are more exact than a screen. */
export const round = (value: number): number => Math.round(value * 100) / 100;

/** The height of a value above the bottom of a chart, 0-1. */
export const share = (tokens: number, { top }: Plot): number => Math.min(1, tokens / top);

/** `40k`, not `40.0k`. */
export const short = (tokens: number): string => compact(tokens).replace('.0', '');

/** The numbers of model calls below a chart. `placeOf` returns the position of a call (0-1). */
export function callAxis(turns: number, placeOf: (turn: number, turns: number) => number = positionOf): Markup {
  const between = callTicks(turns).map(
    (turn) => html`<span style="left:${round(placeOf(turn, turns) * 100)}%">${grouped(turn)}</span>`,
  );
  const last = turns > 1 ? html`<span class="last">${grouped(turns)}</span>` : NOTHING;
  return html`<div class="calls"><span class="first">call 1</span>${between}${last}</div>`;
}

/** Points of a curve at most, in stretches of four. */
const STRETCHES = 220;

/** The path of a curve in a box of 1000 by `PLOT_HEIGHT`. */
export function curvePath(values: readonly number[], plot: Plot): string {
  // A single call is drawn as a horizontal line.
  return curvePoints(values.length === 1 ? [values[0]!, values[0]!] : values, STRETCHES)
    .map(({ x, value }, index) => {
      // A point above the chart keeps its height (up to a limit), so that the line leaves the chart at the right place.
      const y = PLOT_HEIGHT * (1 - Math.min(4, value / plot.top));
      return `${index === 0 ? 'M' : 'L'}${round(x * 1000)} ${round(y)}`;
    })
    .join('');
}
