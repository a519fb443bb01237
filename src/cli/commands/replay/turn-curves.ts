import type { ReplayTurn } from '../../../replay/result.ts';
import { compact, counted, grouped } from '../../../report/figures.ts';
import { peaks, sparkline } from '../../terminal/sparkline.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { padded } from '../../terminal/text-width.ts';

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

/** The context over the model calls of a replay: two curves of one line each. */
export class TurnCurves {
  readonly #contextLimit: number;
  readonly #raw: Call[] = [];
  readonly #sent: Call[] = [];
  readonly #compressed: number[] = [];

  constructor(contextLimit: number) {
    this.#contextLimit = contextLimit;
  }

  add({ turn, tokensRaw, tokens, isCompressed }: ReplayTurn): void {
    this.#raw.push({ turn, tokens: tokensRaw });
    this.#sent.push({ turn, tokens });
    if (isCompressed) this.#compressed.push(turn);
  }

  /** The curves; sentences with `--plain`; empty without calls. */
  drawn(screen: Screen): string {
    if (this.#raw.length === 0) return '';
    if (screen.isPlain)
      return `\n${inWords('as recorded', this.#raw)}${inWords('sent', this.#sent)}${this.#compressions()}`;
    const { dim, cyan, yellow } = screen.colors;
    const columns = screen.columns - LABEL_COLUMNS - PEAK_COLUMNS;
    const top = Math.max(this.#contextLimit, fullest(this.#raw).tokens, fullest(this.#sent).tokens);
    const curve = (label: string, calls: readonly Call[], paint: (text: string) => string): string => {
      const drawn = sparkline(
        peaks(
          calls.map(({ tokens }) => tokens),
          columns,
        ),
        top,
      );
      return `${dim(padded(label, LABEL_COLUMNS))}${paint(drawn)}${dim(` up to ${compact(fullest(calls).tokens)}`)}\n`;
    };
    const isOver = top > this.#contextLimit;
    const scale = isOver
      ? `${counted(top, 'token')}, the window is ${grouped(this.#contextLimit)}`
      : `the window of ${counted(top, 'token')}`;
    return [
      `\n${dim(`${counted(this.#raw.length, 'call')}, full height is ${scale}`)}\n`,
      curve('raw', this.#raw, dim),
      curve('sent', this.#sent, cyan),
      yellow(this.#symbols(columns)),
    ].join('');
  }

  /** A line with a symbol below each column that contains a compression. */
  #symbols(columns: number): string {
    if (this.#compressed.length === 0) return '';
    const shown = Math.min(columns, this.#raw.length);
    const symbols = new Array<string>(shown).fill(' ');
    for (const turn of this.#compressed) symbols[Math.ceil((turn * shown) / this.#raw.length) - 1] = '▲';
    return `${' '.repeat(LABEL_COLUMNS)}${symbols.join('').trimEnd()}\n${' '.repeat(LABEL_COLUMNS)}▲ compressed\n`;
  }

  #compressions(): string {
    if (this.#compressed.length === 0) return '';
    const FIRST = 10;
    const named = this.#compressed.slice(0, FIRST).map(grouped).join(', ');
    const more = this.#compressed.length - FIRST;
    return `compressed in call ${named}${more > 0 ? ` and ${grouped(more)} more` : ''}\n`;
  }
}
