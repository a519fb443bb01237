import { createInterface, type Key } from 'node:readline';
import { counted, grouped } from '../../report/figures.ts';
import { cutEnd, widthOf } from '../terminal/columns.ts';
import { type Screen, terminal } from '../terminal/terminal.ts';
import { firstShown, fittingRows, type PickerRow, rowLine } from './picker-state.ts';

/** Lines beside the rows. */
const OTHER_LINES = 6;
const MAX_ROWS = 15;
const DEFAULT_ROWS = 24;
const WIDEST_COLUMNS = 120;
const QUESTION = 'Which session? ';
const INDENT = '  ';
/** The other keys that begin with Escape arrive at once. */
const ESCAPE_MS = 50;

interface Asked {
  readonly rows: readonly PickerRow[];
  /** The start of the first message of a session; slow, so that it is called for one row at a time, shown rows first. */
  readonly titleOf: (path: string) => string;
}

/** The list on standard error. The cursor of the terminal is in its first line, after the filter. */
class Picker {
  readonly #rows: readonly PickerRow[];
  readonly #titleOf: Asked['titleOf'];
  readonly #titles = new Map<string, string>();
  readonly #screen: Screen = terminal().notes;
  #filter = '';
  #chosen = 0;

  constructor({ rows, titleOf }: Asked) {
    this.#rows = rows;
    this.#titleOf = titleOf;
  }

  /** The row that Enter picks. */
  get chosen(): PickerRow | undefined {
    return this.#fitting[this.#chosen];
  }

  press(text: string | undefined, { name, ctrl, meta }: Key): void {
    const last = this.#fitting.length - 1;
    if (name === 'up') this.#chosen = Math.max(0, this.#chosen - 1);
    else if (name === 'down') this.#chosen = Math.min(last, this.#chosen + 1);
    else if (name === 'pageup') this.#chosen = Math.max(0, this.#chosen - this.#room);
    else if (name === 'pagedown') this.#chosen = Math.min(last, this.#chosen + this.#room);
    else if (name === 'backspace' || name === 'delete') this.#narrow(this.#filter.slice(0, -1));
    else if (ctrl && name === 'u') this.#narrow('');
    else if (text !== undefined && !ctrl && !meta && !/\p{Cc}/u.test(text)) this.#narrow(this.#filter + text);
  }

  /** Reads one title that is missing; false if there is none. */
  readTitle(): boolean {
    const untitled = [...this.#shown.rows, ...this.#rows].find(({ path }) => !this.#titles.has(path));
    if (untitled !== undefined) this.#titles.set(untitled.path, this.#titleOf(untitled.path));
    return untitled !== undefined;
  }

  draw(): void {
    const { bold } = this.#screen.colors;
    const filter = cutEnd(this.#filter, this.#columns - QUESTION.length - 1);
    const below = this.#lines().map((line) => `\n\r${line}`);
    const column = QUESTION.length + widthOf(filter);
    this.#screen.stream.write(
      `\r\u001b[J${bold(QUESTION)}${filter}${below.join('')}\u001b[${below.length}A\r\u001b[${column}C`,
    );
  }

  clear(): void {
    this.#screen.stream.write('\r\u001b[J');
  }

  #narrow(filter: string): void {
    this.#filter = filter;
    this.#chosen = 0;
  }

  get #fitting(): readonly PickerRow[] {
    return fittingRows(
      this.#rows.map((row) => ({ ...row, title: this.#titles.get(row.path) ?? row.title })),
      this.#filter,
    );
  }

  get #room(): number {
    return Math.max(1, Math.min(MAX_ROWS, (this.#screen.stream.rows || DEFAULT_ROWS) - OTHER_LINES));
  }

  get #columns(): number {
    return Math.min(WIDEST_COLUMNS, this.#screen.stream.columns || this.#screen.columns);
  }

  get #shown(): { readonly first: number; readonly rows: readonly PickerRow[] } {
    const fitting = this.#fitting;
    const first = firstShown(this.#chosen, fitting.length, this.#room);
    return { first, rows: fitting.slice(first, first + this.#room) };
  }

  /** The lines below the filter. */
  #lines(): string[] {
    const { dim, inverse } = this.#screen.colors;
    const { first, rows } = this.#shown;
    const columns = this.#columns;
    const lineOf = (row: PickerRow, at: number): string => {
      const line = rowLine(row, columns - INDENT.length);
      return first + at === this.#chosen ? inverse(`❯ ${line}`) : INDENT + line;
    };
    const lines = rows.map(lineOf);
    const own = rows.filter(({ isOwn }) => isOwn).length;
    const others = this.#rows[0]?.isOwn ? 'in other folders' : 'none of this folder; in other folders';
    const fitting = this.#fitting.length;
    const all = counted(this.#rows.length, 'session');
    const count = fitting === this.#rows.length ? all : `${grouped(fitting)} of ${all}`;
    return [
      ...(own > 0 ? [dim('in this folder')] : []),
      ...lines.slice(0, own),
      ...(own < rows.length ? [dim(others)] : []),
      ...lines.slice(own),
      dim(cutEnd(`${count} · type to filter · ↑ ↓ choose · Enter · Esc`, columns)),
    ];
  }
}

/** Asks for one of the rows on standard error; resolves with its path, undefined if the user chose none. */
export async function askForRow(asked: Asked): Promise<string | undefined> {
  const { stdin } = process;
  const { stream } = terminal().notes;
  const picker = new Picker(asked);
  const draw = (): void => picker.draw();
  // Without an output it only reads keys: it decodes them, and sets the terminal back when it is closed.
  const keys = createInterface({ input: stdin, terminal: true, escapeCodeTimeout: ESCAPE_MS });
  let titles: NodeJS.Immediate | undefined;
  const readTitles = (): void => {
    titles = undefined;
    if (!picker.readTitle()) return;
    draw();
    titles = setImmediate(readTitles);
  };
  draw();
  titles = setImmediate(readTitles);
  let onKey: (text: string | undefined, key: Key) => void = () => {};
  try {
    return await new Promise((resolve) => {
      onKey = (text, key) => {
        if (key.name === 'escape' || (key.ctrl && key.name === 'd')) resolve(undefined);
        else if (key.name !== 'return' && key.name !== 'enter') {
          picker.press(text, key);
          draw();
        } else if (picker.chosen !== undefined) resolve(picker.chosen.path);
      };
      stdin.on('keypress', onKey);
      stream.on('resize', draw);
      // Ctrl-C, or the end of the input.
      keys.on('close', () => resolve(undefined));
    });
  } finally {
    clearImmediate(titles);
    stdin.off('keypress', onKey);
    stream.off('resize', draw);
    keys.close();
    picker.clear();
  }
}
