import { compact } from '../figures.ts';

/** Pixels; the page gives the drawing this height at every width. */
export const PLOT_HEIGHT = 300;

/** What places a value in a drawing. */
export interface Plot {
  /** The value at the top edge. */
  readonly top: number;
  readonly turns: number;
}

/** Two digits after the point are finer than a screen. */
export const round = (value: number): number => Math.round(value * 100) / 100;

/** Height of a value above the floor of a drawing, from 0 to 1. */
export const share = (tokens: number, { top }: Plot): number => Math.min(1, tokens / top);

/** `40k`, not `40.0k`. */
export const short = (tokens: number): string => compact(tokens).replace('.0', '');
