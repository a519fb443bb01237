import type { ReplayTurn } from '../../../replay/result.ts';
import { compact, duration, fullness } from '../../../report/figures.ts';
import { gauge } from '../../terminal/bar.ts';
import { padded } from '../../terminal/columns.ts';
import { type Screen, terminal } from '../../terminal/terminal.ts';
import { turnCurves } from './turn-curves.ts';

const GAUGE_COLUMNS = 24;

/** The titles above the lines of `turnLine`. */
function turnHeading(strategy: string, { colors, isPlain }: Screen): string {
  const { bold, dim } = colors;
  const window = isPlain ? padded('window', 6, 'right') : padded('window', GAUGE_COLUMNS + 6);
  const titles = `${padded('call', 5, 'right')}  ${padded('raw', 6, 'right')}  ${padded('sent', 6, 'right')}  ${window}  ${padded('gate', 8, 'right')}`;
  return `${bold(strategy)}\n${dim(titles)}\n`;
}

/** One model call: tokens without and with pruning, the share of the window, the time of the gate. */
function turnLine(
  { turn, tokensRaw, tokens, gateMs, isCompressed, isRefused }: ReplayTurn,
  { contextLimit, screen }: { contextLimit: number; screen: Screen },
): string {
  const { cyan, dim, red, yellow } = screen.colors;
  const { filled, track } = gauge(tokens / contextLimit, GAUGE_COLUMNS);
  const paint = tokens > contextLimit ? red : cyan;
  const event = isRefused ? red('  did not fit') : isCompressed ? yellow('  compressed') : '';
  const share = fullness(tokens, contextLimit);
  const cells = [
    padded(String(turn), 5, 'right'),
    dim(padded(compact(tokensRaw), 6, 'right')),
    padded(compact(tokens), 6, 'right'),
    screen.isPlain ? padded(share, 6, 'right') : `${paint(filled)}${dim(track)} ${padded(share, 5, 'right')}`,
    padded(duration(gateMs), 8, 'right'),
  ];
  return `${cells.join('  ')}${event}\n`;
}

/** Prints model calls. */
interface TurnPrinter {
  print(turn: ReplayTurn): void;
  /** Draws all calls as curves; resolves when everything is printed. @throws the first error of printing. */
  done(): Promise<void>;
}

/** Prints a line for each model call, in order: for a person, or as JSON. */
export function turnPrinter(options: {
  readonly file: string;
  readonly strategy: string;
  readonly contextLimit: number;
  readonly json: boolean | undefined;
}): TurnPrinter {
  const { file, strategy, contextLimit, json } = options;
  const { out } = terminal();
  const turns: ReplayTurn[] = [];
  let printed = json ? Promise.resolve() : out.print(turnHeading(strategy, out));
  return {
    print(turn) {
      turns.push(turn);
      const line = json
        ? `${JSON.stringify({ file, strategy, ...turn })}\n`
        : turnLine(turn, { contextLimit, screen: out });
      printed = printed.then(() => out.print(line));
      // `done` rethrows it; until then it must not count as unhandled.
      printed.catch(() => {});
    },
    async done() {
      await printed;
      if (!json) await out.print(`${turnCurves(turns, contextLimit, out)}\n`);
    },
  };
}
