import { html, type Markup } from '../document/markup.ts';
import { fullness } from '../figures.ts';
import type { PlayedStrategy, SessionReport } from '../session-report.ts';
import { PLOT_HEIGHT, type Plot, positionOf, round, share, short } from './scale.ts';

/** Pixels. Closer labels would touch. */
const LABEL_HEIGHT = 20;
/** Pixels: the widest character of a label, and the chart on a phone. */
const CHARACTER_WIDTH = 7;
const NARROWEST_PLOT = 310;

/** A horizontal line of the chart: the window, or the threshold of a strategy. */
interface Level {
  readonly name: 'limit' | 'threshold';
  readonly tokens: number;
  readonly label: string;
}

/** The levels, highest first. */
export function levelsOf({ played, chosen }: SessionReport): Level[] {
  const { contextLimit } = chosen.result;
  const limit: Level = { name: 'limit', tokens: contextLimit, label: `window ${short(contextLimit)}` };
  const thresholds = [...new Set(played.flatMap(({ thresholdTokens }) => thresholdTokens ?? []))];
  return [
    limit,
    ...thresholds.map(
      (tokens): Level => ({
        name: 'threshold',
        tokens,
        label: `threshold ${short(tokens)} (${fullness(tokens, contextLimit)})`,
      }),
    ),
  ].sort((one, other) => other.tokens - one.tokens);
}

/** Labels of the levels, on a side where no curve crosses them if possible. Labels that would touch become one. */
export function levelLabels(levels: readonly Level[], { played }: SessionReport, plot: Plot): Markup[] {
  const groups: { bottom: number; levels: Level[] }[] = [];
  for (const level of levels) {
    const isAbove = level.tokens > plot.top;
    const bottom = isAbove ? PLOT_HEIGHT - LABEL_HEIGHT : share(level.tokens, plot) * PLOT_HEIGHT;
    const group = groups.at(-1);
    if (group && group.bottom - bottom < LABEL_HEIGHT) group.levels.push(level);
    else groups.push({ bottom, levels: [level] });
  }
  return groups.map(({ bottom, levels: together }) => {
    const [first] = together;
    const arrow = first!.tokens > plot.top ? '↑ ' : '';
    const label = `${arrow}${together.map((level) => level.label).join(' · ')}`;
    const width = Math.min(1, (label.length * CHARACTER_WIDTH) / NARROWEST_PLOT);
    const isCrossed = (from: number, to: number): boolean =>
      played.some((one) => crosses(one, plot, { from, to, bottom, top: bottom + LABEL_HEIGHT }));
    const side = isCrossed(0, width) && !isCrossed(1 - width, 1) ? ' right' : '';
    return html`<span class="level ${first!.name}${side}" style="bottom:${round(bottom)}px">${label}</span>`;
  });
}

/** The place of a label: positions 0-1, and pixels from the bottom. */
interface LabelBox {
  readonly from: number;
  readonly to: number;
  readonly bottom: number;
  readonly top: number;
}

/** True if a curve crosses a label. */
function crosses({ turns }: PlayedStrategy, plot: Plot, { from, to, bottom, top }: LabelBox): boolean {
  const heightOf = ({ tokens }: { tokens: number }): number => (tokens / plot.top) * PLOT_HEIGHT;
  return turns.some((call, index) => {
    const x = positionOf(call.turn, plot.turns);
    if (x < from || x > to) return false;
    const heights = [heightOf(call), heightOf(turns[index - 1] ?? call)];
    return Math.min(...heights) <= top && Math.max(...heights) >= bottom;
  });
}
