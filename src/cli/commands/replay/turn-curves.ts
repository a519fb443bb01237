import type { ReplayTurn } from '../../../replay/result.ts';
import { compact, counted, grouped } from '../../../report/figures.ts';
import { padded } from '../../terminal/columns.ts';
import { peaks, sparkline } from '../../terminal/sparkline.ts';
import type { Screen } from '../../terminal/terminal.ts';

const LABEL_COLUMNS = 6;
/** ` up to 12.3k` */
const PEAK_COLUMNS = 13;

interface Call {
  readonly turn: number;
  readonly tokens: number;
}

const fullest = (calls: readonly Call[]): Call =>
  calls.reduce((most, call) => (call.tokens > most.tokens ? call : most), { turn: 0, tokens: 0 });

/** A curve in a sentence: its first, largest and last value. */
function inWords(label: string, calls: readonly Call[]): string {
  const peak = fullest(calls);
  const amount = (call: Call | undefined): string => `${counted(call?.tokens ?? 0, 'token')}`;
  return `${label}: ${amount(calls[0])} in the first call, ${amount(peak)} at most, in call ${grouped(peak.turn)}, ${amount(calls.at(-1))} in the last\n`;
}

/** A line with a symbol below each column that contains a compression. */
function symbolsBelow(compressed: readonly number[], calls: number, columns: number): string {
  if (compressed.length === 0) return '';
  const shown = Math.min(columns, calls);
  const symbols = new Array<string>(shown).fill(' ');
  for (const turn of compressed) symbols[Math.ceil((turn * shown) / calls) - 1] = '▲';
  return `${' '.repeat(LABEL_COLUMNS)}${symbols.join('').trimEnd()}\n${' '.repeat(LABEL_COLUMNS)}▲ compressed\n`;
}

const COMPRESSIONS_AT_MOST = 10;

function compressionsInWords(compressed: readonly number[]): string {
  if (compressed.length === 0) return '';
  const named = compressed.slice(0, COMPRESSIONS_AT_MOST).map(grouped).join(', ');
  const more = compressed.length - COMPRESSIONS_AT_MOST;
  return `compressed in call ${named}${more > 0 ? ` and ${grouped(more)} more` : ''}\n`;
}

/** The context over the model calls of a replay: two curves of one line each; sentences with `--plain`; empty without calls. */
export function turnCurves(turns: readonly ReplayTurn[], contextLimit: number, screen: Screen): string {
  if (turns.length === 0) return '';
  const raw = turns.map(({ turn, tokensRaw }) => ({ turn, tokens: tokensRaw }));
  const compressed = turns.filter(({ isCompressed }) => isCompressed).map(({ turn }) => turn);
  if (screen.isPlain)
    return `\n${inWords('as recorded', raw)}${inWords('sent', turns)}${compressionsInWords(compressed)}`;
  const { dim, cyan, yellow } = screen.colors;
  const columns = screen.columns - LABEL_COLUMNS - PEAK_COLUMNS;
  const top = Math.max(contextLimit, fullest(raw).tokens, fullest(turns).tokens);
  const curve = (label: string, calls: readonly Call[], paint: (text: string) => string): string => {
    const values = calls.map(({ tokens }) => tokens);
    const drawn = sparkline(peaks(values, columns), top);
    return `${dim(padded(label, LABEL_COLUMNS))}${paint(drawn)}${dim(` up to ${compact(fullest(calls).tokens)}`)}\n`;
  };
  const scale =
    top > contextLimit
      ? `${counted(top, 'token')}, the window is ${grouped(contextLimit)}`
      : `the window of ${counted(top, 'token')}`;
  return [
    `\n${dim(`${counted(turns.length, 'call')}, full height is ${scale}`)}\n`,
    curve('raw', raw, dim),
    curve('sent', turns, cyan),
    yellow(symbolsBelow(compressed, turns.length, columns)),
  ].join('');
}
