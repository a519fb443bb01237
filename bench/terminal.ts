import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawn } from '@lydell/node-pty';
import { Child } from './child.ts';
import { percentile, type Row, rowOf } from './row.ts';
import { chainedSession } from './sessions.ts';

const COMMAND = path.resolve(import.meta.dirname, '../src/cli/main.js');
const MODEL = 'claude-sonnet-4-5';
const SIZES = { '1M': 1_000_000, '10M': 10_000_000 } as const;
const ROUNDS = { '1M': 3, '10M': 1 } as const;
/** As fast as a person types in a burst. */
const KEY_EVERY_MS = 50;
/** A line that is longer is begun anew, so that it never wraps. */
const LONGEST_LINE = 40;
const PATIENCE_MS = 90_000;
const CLEAR_LINE = '\u0015';
const END = '\u0004';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The chat on a terminal of its own, and how long keys take until they are drawn. */
class TypedChat {
  readonly #pty: ReturnType<typeof spawn>;
  readonly #startedAt = performance.now();
  #seen = '';
  #line = '';
  /** Milliseconds from a key to the line that shows it. */
  echoMs: number[] = [];

  constructor(home: string, url: string) {
    const args = ['chat', '--resume', '--provider', 'anthropic', '--base-url', url, '--model', MODEL];
    const { PATH = '' } = process.env;
    const environment = { PATH, HOME: home, XDG_DATA_HOME: home, ANTHROPIC_API_KEY: 'none', TERM: 'xterm' };
    this.#pty = spawn(process.execPath, [COMMAND, ...args], { cols: 100, rows: 30, cwd: home, env: environment });
    this.#pty.onData((data) => {
      this.#seen += data;
    });
  }

  /** Milliseconds since the start of the process. */
  get ageMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Resolves when the text was written since `mark`. */
  async shows(text: string, since = 0): Promise<void> {
    const endsAt = performance.now() + PATIENCE_MS;
    while (!this.#seen.includes(text, since)) {
      if (performance.now() > endsAt)
        throw new Error(`Expected ${text} on the terminal, got ${this.#seen.slice(-500)}`);
      await pause(1);
    }
  }

  get mark(): number {
    return this.#seen.length;
  }

  /** One key, until it is drawn. */
  async key(character: string): Promise<void> {
    if (this.#line.length >= LONGEST_LINE) {
      this.#pty.write(CLEAR_LINE);
      this.#line = '';
      await pause(KEY_EVERY_MS);
    }
    this.#line += character;
    const { mark } = this;
    const startedAt = performance.now();
    this.#pty.write(character);
    await this.shows(this.#line, mark);
    this.echoMs.push(performance.now() - startedAt);
  }

  enter(text: string): void {
    this.#pty.write(`${CLEAR_LINE}${text}\r`);
    this.#line = '';
  }

  /** Types until `text` stands on the terminal, and hands over how long each key took. */
  async typeUntil(text: string, since: number): Promise<number[]> {
    this.echoMs = [];
    let isThere = false;
    const waiting = this.shows(text, since).then(() => {
      isThere = true;
    });
    for (let index = 0; !isThere; index++) {
      await this.key(String.fromCharCode(97 + (index % 26)));
      await pause(KEY_EVERY_MS);
    }
    await waiting;
    return this.echoMs;
  }

  async end(): Promise<void> {
    const exited = new Promise<void>((resolve) => this.#pty.onExit(() => resolve()));
    this.#pty.write(`${CLEAR_LINE}${END}`);
    const timer = setTimeout(() => this.#pty.kill('SIGKILL'), 10_000);
    await exited;
    clearTimeout(timer);
  }
}

/** A home whose one session has so many tokens, and what it is made of. */
function homeWith(tokens: number): { home: string; source: string } {
  const home = mkdtempSync(path.join(tmpdir(), 'density-terminal-'));
  const folder = path.join(home, 'high-density', 'sessions');
  mkdirSync(folder, { recursive: true });
  const { pieces, source } = chainedSession('high-density', { tokens, seed: 1 });
  const file = openSync(path.join(folder, '20260101-000000-0000.jsonl'), 'w');
  for (const piece of pieces) writeSync(file, piece);
  closeSync(file);
  return { home, source };
}

interface Measured {
  readonly readyMs: number;
  readonly loading: readonly number[];
  readonly gate: readonly number[];
  readonly compression: readonly number[];
}

/** A resume, a compression that is undone, and a turn whose gate run prunes and compresses; a person types all the while. */
async function measure(home: string, url: string): Promise<Measured> {
  const chat = new TypedChat(home, url);
  await chat.shows(MODEL);
  await chat.key('a');
  const readyMs = chat.ageMs;
  const loading = await chat.typeUntil('Resumed with', 0);
  const beforeCompression = chat.mark;
  chat.enter('/compress');
  const compression = await chat.typeUntil('with high-density', beforeCompression);
  const beforeUndo = chat.mark;
  chat.enter('/undo');
  await chat.shows('back.', beforeUndo);
  const beforeTurn = chat.mark;
  chat.enter('go on');
  const gate = await chat.typeUntil('state_snapshot', beforeTurn);
  await chat.end();
  return { readyMs, loading, gate, compression };
}

/** The session anew for each round, because a round writes to it. */
async function measureSize(size: keyof typeof ROUNDS, url: string): Promise<readonly Row[]> {
  const { home, source } = homeWith(SIZES[size]);
  console.log(`${size}: ${source}, seed 1`);
  const rounds: Measured[] = [];
  try {
    for (let round = 0; round < ROUNDS[size]; round++) {
      const own = `${home}-${round}`;
      cpSync(home, own, { recursive: true });
      rounds.push(await measure(own, url));
      rmSync(own, { recursive: true, force: true });
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  const echo = (name: 'loading' | 'gate' | 'compression'): Row[] => [
    rowOf(
      `terminal.echo.${size}.${name}-p50`,
      'ms',
      rounds.map((round) => percentile(round[name], 0.5)),
    ),
    rowOf(
      `terminal.echo.${size}.${name}-p99`,
      'ms',
      rounds.map((round) => percentile(round[name], 0.99)),
    ),
    rowOf(
      `terminal.echo.${size}.${name}-keys`,
      'count',
      rounds.map((round) => round[name].length),
    ),
  ];
  const ready = rowOf(
    `terminal.ready.${size}`,
    'ms',
    rounds.map(({ readyMs }) => readyMs),
  );
  return [ready, ...echo('loading'), ...echo('compression'), ...echo('gate')];
}

/** How soon a typed key is drawn while a session of a million tokens, and of ten, is read, compressed and pruned. */
export async function run(): Promise<readonly Row[]> {
  const server = new Child('model-server');
  try {
    const url = await server.ask<string>('start');
    return [...(await measureSize('1M', url)), ...(await measureSize('10M', url))];
  } finally {
    await server.end();
  }
}
