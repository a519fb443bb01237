import type { Screen } from '../../terminal/terminal.ts';
import { cutEnd } from '../../terminal/text-width.ts';

const UP_AND_CLEAR = '\u001b[1A\u001b[2K';

/** Lines at the end of a terminal that are drawn over each other. Changes no setting of the terminal. */
export class WatchScreen {
  readonly #screen: Screen;
  #drawn = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  async draw(lines: readonly string[]): Promise<void> {
    const { stream, columns } = this.#screen;
    // A line that wraps would not be cleared.
    const width = Math.max(20, (stream.columns || columns) - 1);
    const cut = lines.map((line) => cutEnd(line, width));
    const text = `${UP_AND_CLEAR.repeat(this.#drawn)}${cut.map((line) => `${line}\n`).join('')}`;
    // Before the text is out: another drawing may begin meanwhile.
    this.#drawn = cut.length;
    await this.#screen.print(text);
  }
}
