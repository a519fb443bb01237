import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { COMMAND, PATH } from './command.ts';

const { Terminal } = xterm;

/** Runs the built command, or another `program`, in a terminal and reads its screen. */
export class TestTerminal {
  readonly #pty: IPty;
  readonly #screen: InstanceType<typeof Terminal>;
  /** The exit code, when everything that was written is on the screen. */
  readonly exited: Promise<number>;
  #seen = '';

  constructor(
    args: readonly string[],
    {
      cwd,
      home,
      columns = 80,
      rows = 30,
      environment = {},
      program,
    }: {
      cwd: string;
      home: string;
      columns?: number;
      rows?: number;
      environment?: Readonly<Record<string, string>>;
      program?: string;
    },
  ) {
    this.#screen = new Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
    this.#pty = spawn(program ?? process.execPath, [...(program === undefined ? [COMMAND] : []), ...args], {
      cols: columns,
      rows,
      cwd,
      name: 'xterm-256color',
      env: { PATH: PATH(), HOME: home, TERM: 'xterm-256color', ...environment },
    });
    this.#pty.onData((data) => {
      this.#seen += data;
      this.#screen.write(data);
    });
    this.exited = new Promise((resolve) =>
      this.#pty.onExit(({ exitCode }) => this.#screen.write('', () => resolve(exitCode))),
    );
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Everything that was written to the terminal, escape sequences included. */
  get raw(): string {
    return this.#seen;
  }

  /** Every visible or scrolled line without trailing blanks. */
  lines(): string[] {
    const { active } = this.#screen.buffer;
    return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '');
  }

  text(): string {
    return this.lines().join('\n').trimEnd();
  }

  /** Everything that is shown inverted. */
  inverted(): string {
    const { active } = this.#screen.buffer;
    const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row));
    const cells = rows.flatMap((row) => Array.from({ length: this.#screen.cols }, (_, column) => row?.getCell(column)));
    return cells.map((cell) => (cell?.isInverse() ? cell.getChars() : '')).join('');
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.#pty.resize(columns, rows);
    this.#screen.resize(columns, rows);
  }

  kill(signal = 'SIGKILL'): void {
    this.#pty.kill(signal);
  }

  /** Resolves with the text when it matches. @throws with the screen when that takes too long or the command ends. */
  async shows(pattern: RegExp | string, timeoutMs = 240_000): Promise<string> {
    await this.#until(
      () => (typeof pattern === 'string' ? this.text().includes(pattern) : pattern.test(this.text())),
      `${pattern} on the screen`,
      timeoutMs,
    );
    return this.text();
  }

  /** Resolves when `text` was written, blanks at its end included. @throws as `shows`. */
  async writes(text: string, timeoutMs = 240_000): Promise<void> {
    await this.#until(() => this.#seen.includes(text), `${JSON.stringify(text)} to be written`, timeoutMs);
  }

  async #until(isTrue: () => boolean, wanted: string, timeoutMs: number): Promise<void> {
    const endsAt = performance.now() + timeoutMs;
    while (!isTrue()) {
      if (performance.now() > endsAt) throw new Error(`Expected ${wanted}, got:\n${this.text()}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
