/** Colours of the page as hexadecimal values. */
export interface Palette {
  readonly paper: string;
  /** Background of cards, tables and code. */
  readonly card: string;
  readonly ink: string;
  readonly muted: string;
  /** Thin separating lines. */
  readonly rule: string;
  /** The empty part of a bar. */
  readonly track: string;
  readonly accent: string;
  /** The area below the chosen curve. */
  readonly wash: string;
  readonly limit: string;
  readonly threshold: string;
  /** Curves, in the order of the strategies. */
  readonly curves: readonly [string, string, string, string, string];
}

export const LIGHT: Palette = {
  paper: '#faf9f6',
  card: '#ffffff',
  ink: '#1b1d21',
  muted: '#585d66',
  rule: '#e0ded7',
  track: '#ebe9e3',
  accent: '#0b6a57',
  wash: '#dcebe5',
  limit: '#b0281f',
  threshold: '#75570a',
  curves: ['#5c6370', '#1d5bb5', '#0b6a57', '#6a41b8', '#ad2457'],
};

export const DARK: Palette = {
  paper: '#14161a',
  card: '#1c1f24',
  ink: '#eceef1',
  muted: '#a9afb9',
  rule: '#2f343b',
  track: '#2a2f36',
  accent: '#55d0b1',
  wash: '#1b352f',
  limit: '#ff8f85',
  threshold: '#e2ba52',
  curves: ['#a6adb9', '#8db8ff', '#55d0b1', '#b9a0f7', '#f58fae'],
};

/** Pairs of text and background colours that occur on the page. */
export function meetingColors({
  paper,
  card,
  wash,
  ink,
  muted,
  accent,
  limit,
  threshold,
  curves,
}: Palette): [string, string][] {
  const texts = [ink, muted, accent, limit, threshold, ...curves];
  return [
    ...texts.flatMap((text): [string, string][] => [
      [text, paper],
      [text, card],
    ]),
    [ink, wash],
    [limit, wash],
    [threshold, wash],
  ];
}

/** The palette as CSS variables. */
export const variablesOf = ({ curves, ...colors }: Palette): string =>
  [
    ...Object.entries(colors).map(([name, value]) => `--${name}:${value}`),
    ...curves.map((value, index) => `--curve-${index}:${value}`),
  ].join(';');
