import { figuresTable } from '../document/figures-table.ts';
import { html, type Markup, NOTHING } from '../document/markup.ts';
import { compact, counted, fullness, grouped, percent } from '../figures.ts';
import type { PlayedStrategy, SessionReport } from '../session-report.ts';
import { levelLabels, levelsOf } from './level-labels.ts';
import { callAxis, curvePath, PLOT_HEIGHT, type Plot, positionOf, round, roundTicks, share, short } from './scale.ts';
import { dashesOf, keyOf, symbolOf } from './strategy-symbols.ts';

/** Curves above this many windows leave the chart at its top, so that lower curves remain visible. */
const MAX_WINDOWS = 2.5;
const HEADROOM = 1.08;
/** If the window is more than this many times the fullest call, the chart shows only its name: the curves would be flat. */
const MAX_EMPTY = 5;
/** Symbols of one curve that are closer than this share of the width become one. */
const NEAREST_SYMBOLS = 0.012;

const callsPath = ({ turns }: PlayedStrategy, plot: Plot): string =>
  curvePath(
    turns.map(({ tokens }) => tokens),
    plot,
  );

function curve(one: PlayedStrategy, index: number, { plot, isChosen }: { plot: Plot; isChosen: boolean }): Markup {
  return html`<path class="curve${isChosen ? ' chosen' : ''}" d="${callsPath(one, plot)}" stroke-dasharray="${dashesOf(index)}" style="color:var(--curve-${index})"><title>${one.result.strategy}</title></path>`;
}

/** A symbol at each compression. */
function compressionSymbols({ turns }: PlayedStrategy, index: number, plot: Plot): Markup[] {
  const at = (turn: number, tokens: number): string =>
    `left:${round(positionOf(turn, plot.turns) * 100)}%;bottom:${round(share(tokens, plot) * 100)}%`;
  let last = Number.NEGATIVE_INFINITY;
  return turns.flatMap(({ turn, tokens, isCompressed }) => {
    const x = positionOf(turn, plot.turns);
    if (!isCompressed || x - last < NEAREST_SYMBOLS) return [];
    last = x;
    return [symbolOf(index, at(turn, tokens))];
  });
}

/** The curves that leave the chart at its top, in words. */
function leavingNote({ played }: SessionReport, plot: Plot): Markup {
  const leaving = played.filter(({ result }) => result.tokensPeak > plot.top);
  if (leaving.length === 0) return NOTHING;
  const notes = leaving.map(
    ({ result, turns }) =>
      `${result.strategy} leaves the chart at call ${grouped(turns.find(({ tokens }) => tokens > plot.top)?.turn ?? 0)} and reaches ${compact(result.tokensPeak)}`,
  );
  return html`<p class="note">${notes.join('; ')} tokens.</p>`;
}

function describe({ played, chosen }: SessionReport): string {
  const peaks = played.map(
    ({ result }) =>
      `${result.strategy}: ${counted(result.tokensPeak, 'token')} at most, ${counted(result.compressions, 'compression')}`,
  );
  return `Tokens of the context over ${counted(chosen.result.turns, 'model call')}, in a window of ${grouped(chosen.result.contextLimit)}. ${peaks.join('. ')}.`;
}

const NOT_FITTING = 'calls that did not fit';

function legend({ played, chosen }: SessionReport): Markup {
  const rows = played.map((one, index) => {
    const { result } = one;
    const saved = result.tokensSentRaw - result.tokensSent;
    return {
      name: html`${keyOf(index)}<span>${result.strategy}</span>`,
      figures: [
        grouped(result.tokensPeak),
        fullness(result.tokensPeak, result.contextLimit),
        compact(result.tokensSent),
        saved > 0 ? percent(saved, result.tokensSentRaw) : '–',
        grouped(result.compressions),
        grouped(result.strategy === 'none' ? result.turnsOverLimit : result.turnsRefused),
      ],
      isChosen: one === chosen,
    };
  });
  return figuresTable(rows, {
    caption: 'Each strategy over the whole session',
    rowTitle: 'strategy',
    columns: ['fullest call', 'of the window', 'all calls', 'saved', 'compressions', NOT_FITTING],
    shortTitles: { [NOT_FITTING]: 'did not fit' },
  });
}

/** Tokens at the top of the chart: above the window and all curves, except those that would flatten the others. */
function topOf({ played, chosen }: SessionReport): number {
  const { contextLimit } = chosen.result;
  const peak = Math.max(1, ...played.map(({ result }) => result.tokensPeak));
  if (contextLimit > peak * MAX_EMPTY) return peak * 1.5;
  return Math.min(Math.max(contextLimit, peak) * HEADROOM, contextLimit * MAX_WINDOWS);
}

/** The context over model calls under each strategy. */
export function contextChart(report: SessionReport): Markup {
  const { played, chosen } = report;
  const { turns } = chosen.result;
  const plot: Plot = { top: topOf(report), turns };
  const ticks = roundTicks(plot.top, 5);
  const levels = levelsOf(report);
  const line = (tokens: number, name: string): Markup => {
    const y = round(PLOT_HEIGHT * (1 - share(tokens, plot)));
    return html`<path class="${name}" d="M0 ${y}H1000"/>`;
  };
  const hasCompressions = played.some(({ result }) => result.compressions > 0);
  const bottomOf = (tokens: number): number => round(share(tokens, plot) * 100);
  // Draw the chosen curve last, on top.
  const drawn = played
    .map((one, index) => ({ one, index }))
    .sort((one, other) => Number(one.one === chosen) - Number(other.one === chosen));
  return html`<section>
<h2>Context over model calls</h2>
<p class="lead">Tokens in the context at each of ${counted(turns, 'model call')}, under each strategy.</p>
<figure>
<div class="plot" role="img" aria-label="${describe(report)}">
<div class="values">${ticks.map((tokens) => html`<span style="bottom:${bottomOf(tokens)}%">${short(tokens)}</span>`)}</div>
<div class="field">
<svg class="drawing" aria-hidden="true" viewBox="0 0 1000 ${PLOT_HEIGHT}" preserveAspectRatio="none"><path class="area" d="${callsPath(chosen, plot)}V${PLOT_HEIGHT}H0Z"/>${ticks.map((tokens) => line(tokens, 'grid'))}${drawn.map(({ one, index }) => curve(one, index, { plot, isChosen: one === chosen }))}${levels.filter(({ tokens }) => tokens <= plot.top).map(({ tokens, name }) => line(tokens, name))}</svg>
${drawn.map(({ one, index }) => html`${compressionSymbols(one, index, plot)}`)}${levelLabels(levels, report, plot)}
</div>
${callAxis(turns)}
</div>
<figcaption>${hasCompressions ? html`<p class="note">Each symbol on a curve is a compression.</p>` : NOTHING}${leavingNote(report, plot)}</figcaption>
</figure>
${legend(report)}
</section>`;
}
