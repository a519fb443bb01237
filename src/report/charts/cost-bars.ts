import type { PolicyTotals } from '../../lab/totals.ts';
import { type ComparisonReport, change } from '../comparison-report.ts';
import { html, type Markup, NOTHING } from '../document/markup.ts';
import { compactTokens, counted, dollars } from '../figures.ts';

type SetTotals = ComparisonReport['sets'][number];

/** Sets whose bill changes less under every profile are not drawn. */
const MIN_CHANGE_RATIO = 0.01;
/** Half of the width of 1000. The line in the middle means no change. */
const HALF = 500;

const largestChange = ({ totals }: SetTotals): number =>
  totals.reduce((most, { dollarsRatio }) => Math.max(most, Math.abs(dollarsRatio)), 0);

/** A bar from the middle: to the left if cheaper, to the right if more expensive. */
function bar(ratio: number, most: number): Markup {
  const length = Math.round((HALF * Math.abs(ratio)) / most);
  const start = ratio < 0 ? HALF - length : HALF;
  return html`<svg class="balance" aria-hidden="true" viewBox="0 0 1000 10" preserveAspectRatio="none"><path class="${ratio < 0 ? 'less' : 'more'}" d="M${start} 0h${length}v10H${start}Z"/><path class="middle" d="M${HALF} 0V10"/></svg>`;
}

function setBars({ set, totals }: SetTotals, most: number): Markup {
  const [first, ...others] = totals;
  if (first === undefined) return NOTHING;
  const rows = others.map(
    (one: PolicyTotals) =>
      html`<li><span class="name">${one.policy}</span>${bar(one.dollarsRatio, most)}<span class="amount">${change(one.dollarsRatio)}</span></li>`,
  );
  const facts = `${dollars(first.dollars)} for ${compactTokens(first.tokensSent)} in ${counted(first.calls, 'call')} of ${counted(first.sessions, 'session')}`;
  return html`<div class="costs"><h3>${set}</h3><p class="note">${facts} with ${first.policy}</p><ul>${rows}</ul></div>`;
}

/** The cost of each set of sessions under each profile, compared with the first. */
export function costBars({ sets, totals, priceNotes, usageNote }: ComparisonReport): Markup {
  const most = Math.max(MIN_CHANGE_RATIO, ...sets.map(largestChange));
  const drawn = sets.filter((one) => largestChange(one) >= MIN_CHANGE_RATIO);
  const others = sets.filter((one) => largestChange(one) < MIN_CHANGE_RATIO);
  const rest =
    others.length === 0
      ? NOTHING
      : html`<p class="note">No profile changes the bill by ${100 * MIN_CHANGE_RATIO}% or more for ${others.map(({ set }) => set).join(', ')}.</p>`;
  return html`<section>
<h2>Cost by set</h2>
<p class="lead">The cost of all model calls of a set, compared with ${totals[0]?.policy ?? 'no pruning'}: bars to the left are cheaper, to the right more expensive. All sets have the same scale, up to ${change(most)}. The prompt cache has the lifetime that was recorded, else the model’s own. ${priceNotes.join(' ')}${usageNote === undefined ? '' : ` ${usageNote}`}</p>
<div class="balances">${drawn.map((one) => setBars(one, most))}</div>
${rest}
</section>`;
}
