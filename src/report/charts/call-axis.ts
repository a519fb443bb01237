import { html, type Markup, NOTHING } from '../document/markup.ts';
import { grouped } from '../figures.ts';
import { round } from './plot.ts';
import { callTicks, positionOf } from './scale.ts';

/** The numbers of model calls below a chart. `placeOf` returns the position of a call (0-1). */
export function callAxis(turns: number, placeOf: (turn: number, turns: number) => number = positionOf): Markup {
  const between = callTicks(turns).map(
    (turn) => html`<span style="left:${round(placeOf(turn, turns) * 100)}%">${grouped(turn)}</span>`,
  );
  const last = turns > 1 ? html`<span class="last">${grouped(turns)}</span>` : NOTHING;
  return html`<div class="calls"><span class="first">call 1</span>${between}${last}</div>`;
}
