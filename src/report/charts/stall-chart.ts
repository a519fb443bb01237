import { figuresTable } from '../document/figures-table.ts';
import { html, type Markup, NOTHING } from '../document/markup.ts';
import { counted, duration, grouped } from '../figures.ts';
import type { SessionReport } from '../session-report.ts';
import { callAxis, largestValues, middleOf, round, roundTicks } from './scale.ts';
import { keyOf } from './strategy-symbols.ts';

/** Pixels, at every width of the page. */
export const STALL_HEIGHT = 150;
const BARS_AT_MOST = 150;
/** A pressed key should appear within this time. Source: REQ of the terminal, 50 ms at the 99th percentile. */
const FELT_MS = 50;
/** Shorter stalls would be shown as 0.0 ms. */
const MIN_SHOWN_MS = 0.05;

/** A tick of an axis up to `top`, in milliseconds or seconds. */
function timeOf(tick: number, top: number): string {
  if (tick === 0) return '0';
  return top >= 2_000 ? `${tick / 1_000} s` : `${grouped(tick)} ms`;
}

/** How long each gate run of the chosen strategy blocked the main thread, and the times of all strategies. */
export function stallChart({ played, chosen }: SessionReport): Markup {
  const { result, turns } = chosen;
  const stalls = largestValues(
    turns.map(({ stallMs }) => stallMs),
    BARS_AT_MOST,
  );
  const top = Math.max(FELT_MS * 1.3, result.stallMs.max * 1.08);
  const ticks = roundTicks(top, 4);
  const bottomOf = (milliseconds: number): number => round((milliseconds / top) * 100);
  const width = 1000 / Math.max(1, stalls.length);
  const bars = stalls.map((stall, index) => {
    const height = round(Math.max(stall > 0 ? 1 : 0, (stall / top) * STALL_HEIGHT));
    return html`<path d="M${round(index * width + width * 0.15)} ${STALL_HEIGHT}v-${height}h${round(width * 0.7)}v${height}z"/>`;
  });
  const line = (milliseconds: number, name: string): Markup =>
    html`<path class="${name}" d="M0 ${round(STALL_HEIGHT * (1 - milliseconds / top))}H1000"/>`;
  const longer = turns.filter(({ stallMs }) => stallMs > FELT_MS).length;
  const verdict =
    longer === 0
      ? result.stallMs.max < MIN_SHOWN_MS
        ? 'never'
        : `never longer than ${duration(result.stallMs.max)}`
      : `${duration(result.stallMs.max)} at most, longer than ${FELT_MS} ms in ${counted(longer, 'call')}`;
  const rows = played.map(({ result: { strategy, stallMs, gateMs } }, index) => ({
    name: html`${keyOf(index)}<span>${strategy}</span>`,
    figures: [stallMs.max, stallMs.p99, gateMs.p50, gateMs.p99, gateMs.max].map(duration),
  }));
  const table = figuresTable(rows, {
    caption: 'How long the main thread was blocked, and how long the gate took',
    rowTitle: 'strategy',
    columns: ['blocked, longest', 'blocked, p99', 'gate, median', 'gate, p99', 'gate, longest'],
  });
  const warmUp =
    played.length > 1
      ? html`<p class="note">${played[0].result.strategy} was played first: its times include the start of the threads.</p>`
      : NOTHING;
  return html`<section>
<h2>Stalls of the main thread</h2>
<p class="lead">How long the gate blocked the program before each call with ${result.strategy}, on the ${result.engine} engine, when this report was made: ${verdict}.</p>
<figure>
<div class="plot stalls" role="img" aria-label="Milliseconds that the main thread was blocked over ${counted(turns.length, 'call')}: ${verdict}.">
<div class="values">${ticks.map((tick) => html`<span style="bottom:${bottomOf(tick)}%">${timeOf(tick, top)}</span>`)}</div>
<div class="field"><svg class="drawing" aria-hidden="true" viewBox="0 0 1000 ${STALL_HEIGHT}" preserveAspectRatio="none">${ticks.map((tick) => line(tick, 'grid'))}<g class="bars">${bars}</g>${line(FELT_MS, 'threshold')}</svg><span class="level threshold" style="bottom:${round((FELT_MS / top) * STALL_HEIGHT)}px">noticeable from ${FELT_MS} ms</span></div>
${callAxis(turns.length, middleOf)}
</div>
</figure>
${table}
${warmUp}
</section>`;
}
