import { closeSync, cpSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawn } from '@lydell/node-pty';
import { Child } from './child.ts';
import { type Limits, printLimits } from './limits.ts';
import { percentile, type Row, rowOf } from './row.ts';
import { chainedSession } from './sessions.ts';

const CHAT = path.resolve(import.meta.dirname, '../examples/chat/chat.js');
const MODEL = 'claude-sonnet-4-5';
const SIZES = { '1M': 1_000_000, '10M': 10_000_000 } as const;
type Size = keyof typeof SIZES;
const ROUNDS: Readonly<Record<Size, number>> = { '1M': 5, '10M': 3 };
/** What keeps the chat busy while a person types. */
const PHASES = ['loading', 'compression', 'undo', 'gate'] as const;
type Phase = (typeof PHASES)[number];
/** The repeat rate of a pressed key. */
const KEY_EVERY_MS = 30;
/** Letters that nothing else on the screen has, so that what is drawn is the key. A line with all of them is started again. */
const KEYS = [...'абвгдежзийклмнопрстуфхцчшщъыьэюя'];
const PATIENCE_MS = 90_000;
const CLEAR_LINE = '\u0015';
const END = '\u0004';

const LIMITS: Limits = {
  'terminal.ready.1M': ['<=', 1_000],
  'terminal.ready.10M': ['<=', 1_000],
  'terminal.echo.p99.compression.1M': ['<=', 50],
  'terminal.echo.p99.compression.10M': ['<=', 50],
  'terminal.echo.p99.gate.1M': ['<=', 50],
  'terminal.echo.p99.gate.10M': ['<=', 50],
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Awaited {
  readonly text: string;
  /** The position to search from: the text before it was searched. */
  from: number;
  readonly found: () => void;
}

/** The chat on a terminal of its own, and how long keys take until they are drawn. */
class TypedChat {
  readonly #pty: ReturnType<typeof spawn>;
  readonly #startedAt = performance.now();
  readonly #awaited = new Set<Awaited>();
  #seen = '';
  #typed = 0;

  constructor(home: string, url: string) {
    const args = ['--session', sessionIn(home), '--provider', 'anthropic', '--base-url', url, '--model', MODEL];
    const { PATH = '' } = process.env;
    const environment = { PATH, HOME: home, XDG_DATA_HOME: home, ANTHROPIC_API_KEY: 'none', TERM: 'xterm' };
    this.#pty = spawn(process.execPath, [CHAT, ...args], { cols: 100, rows: 30, cwd: home, env: environment });
    this.#pty.onData((data) => {
      this.#seen += data;
      for (const one of this.#awaited) this.#look(one);
    });
  }

  /** Milliseconds since the start of the process. */
  get ageMs(): number {
    return performance.now() - this.#startedAt;
  }

  get position(): number {
    return this.#seen.length;
  }

  /** Resolves when the text was written since `from`. */
  async shows(text: string, from = 0): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((found, reject) => {
      const one: Awaited = { text, from, found };
      timer = setTimeout(() => {
        this.#awaited.delete(one);
        reject(new Error(`Expected ${text} on the terminal, got ${this.#seen.slice(-500)}`));
      }, PATIENCE_MS);
      this.#awaited.add(one);
      this.#look(one);
    });
    clearTimeout(timer);
  }

  #look(one: Awaited): void {
    if (this.#seen.includes(one.text, one.from)) {
      this.#awaited.delete(one);
      one.found();
    } else one.from = Math.max(one.from, this.#seen.length - one.text.length);
  }

  /** One key; the milliseconds until it is drawn. */
  async key(): Promise<number> {
    if (this.#typed === KEYS.length) {
      this.#pty.write(CLEAR_LINE);
      this.#typed = 0;
      await pause(KEY_EVERY_MS);
    }
    const key = KEYS[this.#typed++]!;
    const drawn = this.shows(key, this.position);
    const startedAt = performance.now();
    this.#pty.write(key);
    await drawn;
    return performance.now() - startedAt;
  }

  enter(text: string): void {
    this.#pty.write(`${CLEAR_LINE}${text}\r`);
    this.#typed = 0;
  }

  /** Types until `text` was written since `from`, and hands over how long each key took. */
  async typeUntil(text: string, from: number): Promise<number[]> {
    const echoMs: number[] = [];
    let isThere = false;
    const waiting = this.shows(text, from).then(() => {
      isThere = true;
    });
    while (!isThere) {
      echoMs.push(await this.key());
      await pause(KEY_EVERY_MS);
    }
    await waiting;
    return echoMs;
  }

  async end(): Promise<void> {
    const exited = new Promise<void>((resolve) => this.#pty.onExit(() => resolve()));
    this.#pty.write(`${CLEAR_LINE}${END}`);
    const timer = setTimeout(() => this.#pty.kill('SIGKILL'), 10_000);
    await exited;
    clearTimeout(timer);
  }
}

const sessionIn = (home: string): string => path.join(home, 'session.jsonl');

/** A home whose one session has so many tokens, and what it is made of. */
function homeWith(tokens: number): { home: string; source: string } {
  const home = mkdtempSync(path.join(tmpdir(), 'density-terminal-'));
  const { pieces, source } = chainedSession('high-density', { tokens, seed: 1 });
  const file = openSync(sessionIn(home), 'w');
  for (const piece of pieces) writeSync(file, piece);
  closeSync(file);
  return { home, source };
}

interface Measured {
  /** From the start of the process to the first key that is drawn, and to the whole screen. */
  readonly readyMs: number;
  readonly screenMs: number;
  readonly echoMs: Readonly<Record<Phase, readonly number[]>>;
}

/** A resume, a compression that is undone, and a turn whose gate run prunes and compresses; a person types all the while. */
async function measure(home: string, url: string): Promise<Measured> {
  const chat = new TypedChat(home, url);
  await chat.shows('> ');
  await chat.key();
  const readyMs = chat.ageMs;
  await chat.shows(MODEL);
  const screenMs = chat.ageMs;
  const loading = await chat.typeUntil('Resumed with', 0);
  const busy = async (typed: string, until: string): Promise<number[]> => {
    const { position } = chat;
    chat.enter(typed);
    return chat.typeUntil(until, position);
  };
  const compression = await busy('/compress', 'Compressed with high-density');
  const undo = await busy('/undo', 'restored.');
  const gate = await busy('go on', 'state_snapshot');
  await chat.end();
  return { readyMs, screenMs, echoMs: { loading, compression, undo, gate } };
}

/** A new copy of the session for each round, because a round writes to it. */
async function measureSize(size: Size, url: string): Promise<readonly Row[]> {
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
  const row = (id: string, unit: Row['unit'], pick: (round: Measured) => number): Row =>
    rowOf(`terminal.${id}.${size}`, unit, rounds.map(pick));
  return [
    row('ready', 'ms', ({ readyMs }) => readyMs),
    row('screen', 'ms', ({ screenMs }) => screenMs),
    ...PHASES.flatMap((phase) => [
      row(`echo.p50.${phase}`, 'ms', ({ echoMs }) => percentile(echoMs[phase], 0.5)),
      row(`echo.p99.${phase}`, 'ms', ({ echoMs }) => percentile(echoMs[phase], 0.99)),
      row(`echo.keys.${phase}`, 'count', ({ echoMs }) => echoMs[phase].length),
    ]),
  ];
}

/** How soon a typed key is drawn while a session of a million tokens, and of ten, is read, compressed and pruned. */
export async function run(): Promise<readonly Row[]> {
  const server = new Child('model-server');
  try {
    const url = await server.ask<string>('start');
    const rows = [...(await measureSize('1M', url)), ...(await measureSize('10M', url))];
    printLimits(rows, LIMITS);
    return rows;
  } finally {
    await server.end();
  }
}
