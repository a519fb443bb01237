import type { PolicyTotals } from '../../lab/totals.ts';
import { type ComparisonReport, change, regrettedRatio, share } from '../comparison-report.ts';
import { figuresTable } from '../document/figures-table.ts';
import { html, type Markup, NOTHING } from '../document/markup.ts';
import { counted, grouped } from '../figures.ts';
import { placedLabels } from './frontier-labels.ts';
import { PLOT_HEIGHT, round, roundTicks } from './scale.ts';
import { policySymbol } from './strategy-symbols.ts';

/** An axis is longer than its largest value. */
const HEADROOM = 1.12;
const MIN_TOP_RATIO = 0.02;

/** The profiles that no other one beats at both saving and regrets, sorted by saving. */
function frontierOf(totals: readonly PolicyTotals[]): PolicyTotals[] {
  const isBeaten = (one: PolicyTotals): boolean =>
    totals.some(
      (other) =>
        other.savedRatio >= one.savedRatio &&
        regrettedRatio(other) <= regrettedRatio(one) &&
        (other.savedRatio > one.savedRatio || regrettedRatio(other) < regrettedRatio(one)),
    );
  return totals.filter((one) => !isBeaten(one)).sort((one, other) => one.savedRatio - other.savedRatio);
}

const savedOf = ({ savedRatio }: PolicyTotals): number => Math.max(0, savedRatio);

function axesOf(totals: readonly PolicyTotals[]): { readonly saved: number; readonly regretted: number } {
  const top = (ratios: readonly number[]): number => HEADROOM * Math.max(MIN_TOP_RATIO, ...ratios);
  return { saved: top(totals.map(savedOf)), regretted: top(totals.map(regrettedRatio)) };
}

/** Savings and regrets of each profile: down and to the right is better. */
export function frontierChart({ totals }: ComparisonReport): Markup {
  const evidenced = totals[0]?.evidencedEdits ?? 0;
  if (evidenced === 0) {
    return html`<section><h2>The frontier</h2><p class="lead">No session edits text that was shown before, so there is no evidence of what was needed later.</p></section>`;
  }
  const axes = axesOf(totals);
  const points = totals.map((one) => ({
    x: savedOf(one) / axes.saved,
    y: regrettedRatio(one) / axes.regretted,
    label: one.policy,
  }));
  const frontier = frontierOf(totals);
  const path = frontier
    .map((one, at) => {
      const y = PLOT_HEIGHT * (1 - regrettedRatio(one) / axes.regretted);
      return `${at === 0 ? 'M' : 'L'}${round((savedOf(one) / axes.saved) * 1000)} ${round(y)}`;
    })
    .join('');
  const rows = roundTicks(axes.regretted, 5);
  const columns = roundTicks(axes.saved, 4);
  const tick = (ratio: number): string => `${round(100 * ratio)}%`;
  const descriptions = totals.map(
    (one) => `${one.policy}: ${share(one.savedRatio)} saved, ${share(regrettedRatio(one))} regretted`,
  );
  const isEnd = (at: number): string => (at === 0 ? 'first' : at / axes.saved > 0.92 ? 'last' : '');
  return html`<section>
<h2>The frontier</h2>
<p class="lead">Tokens saved, compared with edits whose text was no longer visible, out of ${counted(evidenced, 'edit')} of text that was shown before. Right and down is better. The line joins the profiles that no other profile beats at both.</p>
<figure>
<div class="plot frontier" role="img" aria-label="${descriptions.join('. ')}.">
<div class="values">${rows.map((ratio) => html`<span style="bottom:${round((ratio / axes.regretted) * 100)}%">${tick(ratio)}</span>`)}</div>
<div class="field">
<svg class="drawing" aria-hidden="true" viewBox="0 0 1000 ${PLOT_HEIGHT}" preserveAspectRatio="none">${rows.map((ratio) => html`<path class="grid" d="M0 ${round(PLOT_HEIGHT * (1 - ratio / axes.regretted))}H1000"/>`)}${columns.map((ratio) => html`<path class="grid" d="M${round((ratio / axes.saved) * 1000)} 0V${PLOT_HEIGHT}"/>`)}${frontier.length > 1 ? html`<path class="curve" style="color:var(--accent)" d="${path}"/>` : NOTHING}</svg>
${points.map(({ x, y }, at) => policySymbol(at, `left:${round(x * 100)}%;bottom:${round(y * 100)}%`))}${placedLabels(points, PLOT_HEIGHT).map(({ point, side, risePixels }) => html`<span class="name ${side}" style="${side === 'right' ? 'left' : 'right'}:${round(100 * (side === 'right' ? point.x : 1 - point.x))}%;bottom:calc(${round(point.y * 100)}% + ${risePixels - 8}px)">${point.label}</span>`)}
</div>
<div class="calls">${columns.map((ratio) => html`<span class="${isEnd(ratio)}" style="${isEnd(ratio) === '' ? `left:${round((ratio / axes.saved) * 100)}%` : ''}">${ratio === 0 ? 'saved 0%' : tick(ratio)}</span>`)}</div>
</div>
</figure>
${frontierTable(totals)}
</section>`;
}

const TITLES = ['saved', 'edits regretted', 'quotations', 'names', 'repeated calls', 'per million saved', 'cost'];

function frontierTable(totals: readonly PolicyTotals[]): Markup {
  const rows = totals.map((one, at) => ({
    name: html`<span class="key" aria-hidden="true">${policySymbol(at)}</span><span>${one.policy}</span>`,
    figures: [
      share(one.savedRatio),
      `${grouped(one.regrets.edit)} = ${share(regrettedRatio(one))}`,
      grouped(one.regrets.quotation),
      grouped(one.regrets.name),
      grouped(one.regrets.rerun),
      one.regretsPerMillion === null ? '–' : one.regretsPerMillion.toFixed(1),
      change(one.dollarsRatio),
    ],
  }));
  const caption = 'What each profile saves, and what was needed later';
  return figuresTable(rows, { caption, rowTitle: 'profile', columns: TITLES, hasSymbols: true });
}
