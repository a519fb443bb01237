import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const COMMAND = path.resolve(import.meta.dirname, '../../../../dist/density.js');

/** A process of the proxy of a team, which keeps its port when it is started again. */
export class Replica {
  readonly #redis: string;
  readonly #upstream: string;
  /** What it said: deadlines that it missed, above all. */
  readonly troubles: string[] = [];
  #port = 0;
  #child: ChildProcess | undefined;

  constructor(redis: string, upstream: string) {
    this.#redis = redis;
    this.#upstream = upstream;
  }

  /** Below it is the token of a user, and then the path of a request. */
  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The part of a path after the token. */
  get mount(): string {
    return `/${new URL(this.#upstream).host.replace(':', '-')}`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async start(): Promise<void> {
    const listen = `127.0.0.1:${this.#port}`;
    const args = ['proxy', '--team', this.#redis, '--listen', listen, '--upstream', this.#upstream, '--json'];
    // As in docs/Dockerfile.
    const env = { PATH: process.env['PATH'], HOME: '/nonexistent', MALLOC_MMAP_THRESHOLD_: '131072' };
    const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stderr.setEncoding('utf8').on('data', (part: string) => this.troubles.push(part.trim()));
    this.#child = child;
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    while (!text.includes('\n')) {
      if (child.exitCode !== null) throw new Error(`A replica ended with ${child.exitCode}.`);
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    }
    this.#port = (JSON.parse(text) as { port: number }).port;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }
}
