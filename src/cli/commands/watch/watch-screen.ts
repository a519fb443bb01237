import { cutEnd } from '../../terminal/columns.ts';
import type { Screen } from '../../terminal/terminal.ts';

const UP_AND_CLEAR = '\u001b[1A\u001b[2K';

/** The columns of a line that does not wrap. */
export const columnsOf = ({ stream, columns }: Screen): number => Math.max(20, (stream.columns || columns) - 1);

/** Draws lines at the end of a terminal over those that it drew before. Changes no setting of the terminal. */
export function drawnOver(screen: Screen): (lines: readonly string[]) => Promise<void> {
  let [drawn, last] = [0, ''];
  return async (lines) => {
    // A line that wraps would not be cleared.
    const cut = lines.map((line) => cutEnd(line, columnsOf(screen)));
    const text = cut.map((line) => `${line}\n`).join('');
    if (text === last) return;
    const before = drawn;
    // Before the text is out: another drawing may begin meanwhile.
    [drawn, last] = [cut.length, text];
    await screen.print(`${UP_AND_CLEAR.repeat(before)}${text}`);
  };
}
