import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EngineName } from '../src/history/engine.ts';
import { type Row, rowOf } from './row.ts';
import { chainedSession } from './sessions.ts';

const ROUNDS = 10;
const CHAT = path.resolve(import.meta.dirname, '../examples/chat/chat.js');
const SIZES = { '1M': 1_000_000, '10M': 10_000_000 } as const;
/** Nothing is compressed: only what every send waits for is measured. */
const ENDLESS_WINDOW = '1000000000';

/** A model that refuses every request, and when the next one arrives. */
class RefusingModel {
  readonly #server = createServer((request, response) => {
    this.#arrived(performance.now());
    request.resume().on('end', () => response.writeHead(400, { 'content-type': 'application/json' }).end('{}'));
  });
  #arrived: (atMs: number) => void = () => {};

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  nextRequest(): Promise<number> {
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }

  close(): void {
    this.#server.close();
  }
}

/** From the start of the chat of the examples until the model receives the request that continues `session`. */
async function tookMs(session: string, engine: EngineName, { model, url }: { model: RefusingModel; url: string }) {
  const home = mkdtempSync(path.join(path.dirname(session), 'home-'));
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: home, XDG_DATA_HOME: home, ANTHROPIC_API_KEY: 'none' };
  const address = ['--provider', 'anthropic', '--base-url', url, '--model', 'claude-sonnet-4-5'];
  const args = ['--from', session, '--engine', engine, ...address];
  const request = model.nextRequest();
  const startedAt = performance.now();
  const chat = spawn(process.execPath, [CHAT, ...args], { cwd: home, env, stdio: ['pipe', 'ignore', 'ignore'] });
  chat.stdin.end(`/set context-limit ${ENDLESS_WINDOW}\ngo on\n`);
  const ended = new Promise<void>((resolve) => chat.once('exit', () => resolve()));
  const early = ended.then(() => Promise.reject(new Error('The chat ended without a request')));
  const arrivedAt = await Promise.race([request, early]);
  early.catch(() => {});
  chat.kill();
  await ended;
  return arrivedAt - startedAt;
}

/** The whole way of a person who goes on with a long session: inline, offloaded and inline again, in turn. */
export async function run(): Promise<readonly Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'density-first-request-'));
  const model = new RefusingModel();
  const url = await model.start();
  const rows: Row[] = [];
  try {
    for (const [size, tokens] of Object.entries(SIZES)) {
      const session = path.join(folder, `${size}.jsonl`);
      writeFileSync(session, Buffer.concat([...chainedSession('claude-code', { tokens, seed: 7 }).pieces]));
      const inline: number[] = [];
      const offloaded: number[] = [];
      const ratio: number[] = [];
      const same: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const before = await tookMs(session, 'inline', { model, url });
        const onThreads = await tookMs(session, 'offloaded', { model, url });
        const after = await tookMs(session, 'inline', { model, url });
        inline.push(before, after);
        offloaded.push(onThreads);
        ratio.push((2 * onThreads) / (before + after));
        same.push(before / after);
      }
      rows.push(
        rowOf(`first-request.inline.${size}`, 'ms', inline),
        rowOf(`first-request.offloaded.${size}`, 'ms', offloaded),
        rowOf(`first-request.ratio.${size}`, 'ratio', ratio),
        rowOf(`first-request.same.${size}`, 'ratio', same),
      );
    }
  } finally {
    model.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}
