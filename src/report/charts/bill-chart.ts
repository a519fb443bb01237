import { priceOf, ratesFor } from '../../economics/prices.ts';
import { SAVING_CAUSES } from '../../lab/played/cause-savings.ts';
import type { CallBill } from '../../lab/played/played-bill.ts';
import type { SessionWorth } from '../../lab/played/session-worth.ts';
import { figuresTable } from '../document/figures-table.ts';
import { html, type Markup, NOTHING } from '../document/markup.ts';
import { changeInDollars, compact, counted, dollars, grouped } from '../figures.ts';
import { type SessionReport, shownText } from '../session-report.ts';
import { CAUSE_WORDS, regretWords } from '../worth-words.ts';
import { callAxis, curvePath, PLOT_HEIGHT, type Plot, round, roundTicks, share } from './scale.ts';

/** The parts of a bill, each with the colour of a curve. */
const PARTS = [
  { name: 'read from the cache', rate: 'cachedRead', of: (call: CallBill) => call.cachedTokens },
  { name: 'written to the cache', rate: 'write', of: (call: CallBill) => call.writtenTokens },
  { name: 'written for an hour', rate: 'writeHour', of: (call: CallBill) => call.writtenHourTokens },
  { name: 'output', rate: 'output', of: (call: CallBill) => call.outputTokens },
] as const;

interface Part {
  readonly name: string;
  readonly tokens: number;
  readonly dollars: number;
}

/** Tokens and dollars of each part of these calls. */
function partsOf(calls: readonly CallBill[], model: string): readonly Part[] {
  const price = priceOf(model);
  return PARTS.map(({ name, rate, of }) => {
    let tokens = 0;
    let amount = 0;
    for (const call of calls) {
      const prompt = call.cachedTokens + call.writtenTokens + call.writtenHourTokens + call.uncachedTokens;
      tokens += of(call);
      amount += (of(call) * ratesFor(price, prompt)[rate]) / 1e6;
    }
    return { name, tokens, dollars: amount };
  });
}

/** What the calls up to each one cost. */
function sums(calls: readonly CallBill[]): number[] {
  let total = 0;
  return calls.map((call) => (total += call.dollars));
}

const swatch = (part: number): Markup =>
  html`<svg class="swatch" aria-hidden="true" viewBox="0 0 12 12" width="12" height="12"><path d="M0 0H12V12H0Z" style="fill:var(--curve-${part})"/></svg>`;

/** The parts side by side, as wide as their dollars beside `whole`. */
function stack(name: string, parts: readonly Part[], whole: number): Markup {
  let from = 0;
  const pieces = parts.map((part, at) => {
    const width = (part.dollars / whole) * 1000;
    const piece = html`<path d="M${round(from)} 0h${round(width)}v10h-${round(width)}z" style="fill:var(--curve-${at})"/>`;
    from += width;
    return piece;
  });
  const total = parts.reduce((sum, part) => sum + part.dollars, 0);
  return html`<li><span class="name">${name}</span><svg class="balance" aria-hidden="true" viewBox="0 0 1000 10" preserveAspectRatio="none">${pieces}</svg><span class="amount">${dollars(total)}</span></li>`;
}

function partsTable(recorded: readonly Part[], pruned: readonly Part[]): Markup {
  const rows = recorded.flatMap((part, at) => {
    const after = pruned[at]!;
    if (part.tokens === 0 && after.tokens === 0) return [];
    const figures = [compact(part.tokens), compact(after.tokens), dollars(part.dollars), dollars(after.dollars)];
    return [{ name: html`${swatch(at)}<span>${part.name}</span>`, figures }];
  });
  return figuresTable(rows, {
    caption: 'What the calls are billed for, not pruned and pruned',
    rowTitle: 'billed for',
    columns: ['tokens not pruned', 'tokens pruned', 'bill not pruned', 'bill pruned'],
    shortTitles: { 'tokens not pruned': 'tokens before', 'bill not pruned': 'bill before' },
  });
}

function causesTable({ savedBy }: SessionWorth): Markup {
  const causes = SAVING_CAUSES.filter((cause) => savedBy[cause] !== undefined);
  if (causes.length === 0) return NOTHING;
  const rows = causes.map((cause) => {
    const { moves, tokens, dollars: saved } = savedBy[cause]!;
    return { name: html`${CAUSE_WORDS[cause]}`, figures: [grouped(moves), compact(tokens), changeInDollars(saved, 0)] };
  });
  return figuresTable(rows, {
    caption: 'What was saved, by why it was removed when it was',
    rowTitle: 'when text was removed',
    columns: ['times', 'tokens saved', 'bill'],
  });
}

/** What the calls cost not pruned and pruned: over the calls, by part, and what saved it. Nothing where no price is known. */
export function billChart(report: SessionReport): Markup {
  const { worth, result } = report.chosen;
  if (worth === undefined || worth.calls.length === 0) return NOTHING;
  const model = shownText(worth.pricedAs, report);
  if (worth.priceMatch === 'unknown') {
    return html`<section><h2>The bill</h2><p class="lead">No price is known for the model of this session. Was removed text needed later? ${regretWords(worth)}.</p></section>`;
  }
  const recorded = worth.calls.map((call) => call.recorded);
  const pruned = worth.calls.map((call) => call.pruned);
  const before = sums(recorded);
  const after = sums(pruned);
  const plot: Plot = { top: Math.max(1e-9, worth.dollarsRaw, worth.dollars) * 1.08, turns: worth.calls.length };
  const ticks = roundTicks(plot.top, 4);
  const line = (amount: number): Markup =>
    html`<path class="grid" d="M0 ${round(PLOT_HEIGHT * (1 - share(amount, plot)))}H1000"/>`;
  const partsBefore = partsOf(recorded, result.model);
  const partsAfter = partsOf(pruned, result.model);
  const whole = Math.max(worth.dollarsRaw, worth.dollars, 1e-9);
  const change = changeInDollars(worth.dollarsRaw, worth.dollars);
  const guess = worth.priceMatch === 'guess' ? ' (a guess from its name)' : '';
  return html`<section>
<h2>The bill</h2>
<p class="lead">${dollars(worth.dollars)} with ${result.strategy} instead of ${dollars(worth.dollarsRaw)}: ${change}, at list prices of ${model}${guess}. Both are simulated for the recorded calls at their recorded times, so neither is what was paid: density bill adds up that. Was removed text needed later? ${regretWords(worth)}.</p>
<figure>
<div class="plot bill" role="img" aria-label="Dollars over ${counted(worth.calls.length, 'model call')}: ${dollars(worth.dollarsRaw)} not pruned, ${dollars(worth.dollars)} pruned.">
<div class="values">${ticks.map((amount) => html`<span style="bottom:${round(share(amount, plot) * 100)}%">${amount === 0 ? '0' : dollars(amount)}</span>`)}</div>
<div class="field"><svg class="drawing" aria-hidden="true" viewBox="0 0 1000 ${PLOT_HEIGHT}" preserveAspectRatio="none"><path class="area" d="${curvePath(after, plot)}V${PLOT_HEIGHT}H0Z"/>${ticks.map(line)}<path class="curve" d="${curvePath(before, plot)}" stroke-dasharray="7 4" style="color:var(--curve-0)"><title>not pruned</title></path><path class="curve chosen" d="${curvePath(after, plot)}" style="color:var(--accent)"><title>pruned</title></path></svg></div>
${callAxis(worth.calls.length)}
</div>
<figcaption><p class="note">All calls up to each one. Dashed: not pruned. Filled: pruned.</p></figcaption>
</figure>
<div class="costs parts"><ul>${stack('not pruned', partsBefore, whole)}${stack('pruned', partsAfter, whole)}</ul></div>
${partsTable(partsBefore, partsAfter)}
${causesTable(worth)}
</section>`;
}
