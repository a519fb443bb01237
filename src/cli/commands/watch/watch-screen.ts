import type { Screen } from '../../terminal/terminal.ts';
import { cutEnd } from '../../terminal/text-width.ts';

const UP_AND_CLEAR = '\u001b[1A\u001b[2K';

/** The columns of a line that does not wrap. */
export const columnsOf = ({ stream, columns }: Screen): number => Math.max(20, (stream.columns || columns) - 1);

/** Lines at the end of a terminal that are drawn over each other. Changes no setting of the terminal. */
export class WatchScreen {
  readonly #screen: Screen;
  #drawn = 0;
  #last = '';

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  async draw(lines: readonly string[]): Promise<void> {
    // A line that wraps would not be cleared.
    const cut = lines.map((line) => cutEnd(line, columnsOf(this.#screen)));
    const text = cut.map((line) => `${line}\n`).join('');
    if (text === this.#last) return;
    const drawn = this.#drawn;
    // Before the text is out: another drawing may begin meanwhile.
    this.#drawn = cut.length;
    this.#last = text;
    await this.#screen.print(`${UP_AND_CLEAR.repeat(drawn)}${text}`);
  }
}
