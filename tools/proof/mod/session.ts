import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ProviderRequest, Said } from '../../../src/strict-provider/contract.ts';
import { providerServer } from '../../../src/strict-provider/provider-server.ts';
import { StrictProvider } from '../../../src/strict-provider/strict-provider.ts';
import { AGENTS, makeHome } from '../agents.ts';

/** The folder of this checkout. */
export const ROOT = path.resolve(import.meta.dirname, '../../../..');
const DENSITY = path.join(ROOT, 'dist/density.js');
/** Where the plugin is in this checkout. */
export const PLUGIN = path.join(ROOT, 'plugins/density');
export const AGENT = AGENTS.find(({ program }) => program === 'claude')!;
const SUMMARY = /CRITICAL: Respond with TEXT ONLY/;
const TOO_LONG = /^prompt is too long/;

export interface SessionOptions {
  /** None: the agent alone. */
  readonly plugin?: string | undefined;
  /** What the model says, one after the other, given its work folder, and where it depends on it, the prompt. */
  readonly steps: (folder: string) => readonly (Said | ((prompt: string) => Said))[];
  readonly model?: string;
  readonly isWrapped?: boolean;
  readonly variables?: Readonly<Record<string, string>>;
  /** Called once, before the agent starts. */
  readonly prepare?: (home: string) => void;
  /** False: no command `density` is on the PATH. */
  readonly hasCommand?: boolean;
}

/** A request of the agent, and when it arrived in milliseconds. */
export interface Arrived extends ProviderRequest {
  readonly at: number;
}

/** Claude Code in one process after the other, which is spoken to, with a home of its own. */
export class Session {
  readonly home = mkdtempSync(path.join(os.tmpdir(), 'density-mod-'));
  readonly requests: Arrived[] = [];
  /** Tokens of the longest prompt. */
  longest = 0;
  readonly #program: string;
  readonly #options: SessionOptions;
  readonly #server;
  readonly #refused: string[] = [];

  constructor(program: string, options: SessionOptions) {
    this.#program = program;
    this.#options = options;
    const steps = [...options.steps(path.join(this.home, 'work'))];
    this.#server = providerServer(new StrictProvider(), {
      now: Date.now,
      script: ({ body }) => {
        const prompt = JSON.stringify(body);
        if (SUMMARY.test(prompt)) return { text: 'What was done.' };
        const step = steps.shift() ?? { text: 'Done.' };
        return typeof step === 'function' ? step(prompt) : step;
      },
      onRequest: (request, outcome) => {
        this.requests.push({ ...request, at: performance.now() });
        if (outcome.status !== 200) return void this.#refused.push(outcome.message);
        const { uncached, read, written, writtenForAnHour } = outcome.tokens;
        this.longest = Math.max(this.longest, uncached + read + written + writtenForAnHour);
      },
    });
  }

  /**
   * Says the prompts, one after the other, and returns what was answered. The agent is killed once `killedAt` exists. Milliseconds
   * between a prompt and its answer are in `took`.
   */
  async say(
    prompts: readonly string[],
    { more = [], killedAt, took = [] }: { more?: readonly string[]; killedAt?: string; took?: number[] } = {},
  ): Promise<readonly string[]> {
    const {
      plugin,
      model = 'claude-opus-4-5',
      isWrapped = false,
      variables,
      prepare,
      hasCommand = true,
    } = this.#options;
    if (!this.#server.listening) {
      this.#server.listen(0, '127.0.0.1');
      await once(this.#server, 'listening');
      makeHome(this.home, AGENT, this.#port);
      if (hasCommand) symlinkSync(DENSITY, path.join(this.home, 'density'));
      prepare?.(this.home);
    }
    const args = [
      ...AGENT.start(this.#port, '').slice(0, -2),
      '--model',
      model,
      ...(plugin === undefined ? [] : ['--plugin-dir', plugin]),
      ...more,
      '-p',
      '--verbose',
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
    ];
    const [program, all] = isWrapped ? [process.execPath, [DENSITY, 'wrap', 'claude', ...args]] : [this.#program, args];
    const child = spawn(program, all, {
      cwd: path.join(this.home, 'work'),
      env: { ...this.environment, ...AGENT.environment(this.#port), ...variables },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const closed = once(child, 'close');
    const watch = setInterval(() => killedAt !== undefined && existsSync(killedAt) && child.kill('SIGKILL'), 50);
    const left = [...prompts];
    let saidAt = 0;
    const next = (): void => {
      const content = left.shift();
      saidAt = performance.now();
      if (content === undefined) child.stdin.end();
      else child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
    };
    child.stdin.on('error', () => {});
    next();
    const answers: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const { type, result } = JSON.parse(line) as { type: string; result?: string };
      if (type !== 'result') continue;
      answers.push(result ?? '');
      took.push(performance.now() - saidAt);
      next();
    }
    await closed;
    clearInterval(watch);
    return answers;
  }

  get environment(): Readonly<Record<string, string>> {
    const PATH = `${this.home}:${path.dirname(this.#program)}:${process.env['PATH']}`;
    return { PATH, HOME: this.home };
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The newest prompt, as text. */
  get prompt(): string {
    return JSON.stringify(this.requests.at(-1)?.body ?? {});
  }

  /** The prompts in which a summary was asked for. */
  get summaryPrompts(): readonly string[] {
    return this.requests.map(({ body }) => JSON.stringify(body)).filter((text) => SUMMARY.test(text));
  }

  get summaries(): number {
    return this.summaryPrompts.length;
  }

  /** A prompt was longer than the window. */
  get isFull(): boolean {
    return this.#refused.some((message) => TOO_LONG.test(message));
  }

  /** Nothing was refused but for its length: then an agent compacts. */
  get isAccepted(): boolean {
    return this.#refused.every((message) => TOO_LONG.test(message));
  }

  /** The agent's own files of the conversation, as text. */
  get transcript(): string {
    const folder = path.join(this.home, '.claude/projects');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => readFileSync(path.join(folder, name), 'utf8'))
      .join('');
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    rmSync(this.home, { recursive: true, force: true });
  }
}
