import { compact } from '../figures.ts';

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
