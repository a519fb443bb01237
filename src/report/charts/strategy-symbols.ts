import { html, type Markup } from '../document/markup.ts';

/** How a curve differs from others without colour: the dashes of its line and the shape of its symbols. */
interface CurveStyle {
  /** Lengths in pixels; none: a solid line. */
  readonly dashes: string;
  /** In a square from -6 to 6. */
  readonly shape: string;
}

const STYLES: readonly CurveStyle[] = [
  { dashes: '7 4', shape: 'M0-4.6A4.6 4.6 0 1 1-.01-4.6Z' },
  { dashes: '2 4', shape: 'M-4-4H4V4H-4Z' },
  { dashes: '', shape: 'M0-5.4L5.2 4.2H-5.2Z' },
  { dashes: '9 3 2 3', shape: 'M0-5.6L5.6 0 0 5.6-5.6 0Z' },
  { dashes: '4 3', shape: 'M0 5.4L5.2-4.2H-5.2Z' },
];

/** The dashes of the curve with this number. */
export const dashesOf = (curve: number): string => STYLES[curve % STYLES.length]!.dashes;

const symbol = ({ color, shape }: { color: number; shape: number }, at: string): Markup =>
  html`<svg class="symbol" viewBox="-7 -7 14 14" aria-hidden="true" style="color:var(--curve-${color});${at}"><path d="${STYLES[shape]!.shape}"/></svg>`;

/** The symbol of the curve with this number; `at` is a style that places it. */
export const symbolOf = (curve: number, at = ''): Markup => symbol({ color: curve, shape: curve % STYLES.length }, at);

/** The line and the symbol of a curve, for a legend. */
export const keyOf = (curve: number): Markup =>
  html`<span class="key" aria-hidden="true"><svg viewBox="0 0 36 14" width="36" height="14" style="color:var(--curve-${curve})"><path class="line" d="M1 7H35" stroke-dasharray="${dashesOf(curve)}"/><path class="dot" transform="translate(18 7)" d="${STYLES[curve % STYLES.length]!.shape}"/></svg></span>`;

/** The symbol of the profile with this number. More profiles than styles combine shapes with other colours. */
export function policySymbol(policy: number, at = ''): Markup {
  const color = policy % STYLES.length;
  const shape = (policy + Math.floor(policy / STYLES.length)) % STYLES.length;
  return symbol({ color, shape }, at);
}
