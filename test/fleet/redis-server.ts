import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openRedis } from '../../src/fleet/redis.ts';
import { RedisLink } from '../../src/fleet/team/redis-link.ts';
import { killed } from './killed.ts';

/** True if this machine has a Redis server; otherwise one message per test file says that it has not. */
export const haveRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!haveRedis) console.log('redis-server is absent: tests on it are skipped.');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('Expected an address with a port.');
  return address.port;
}

/** Somebody else may take a port after it was chosen, or while its server is down. */
const MAX_TRIES = 100;

/** False if the server ends before it is ready. */
function isReady(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    let text = '';
    child.stdout!.setEncoding('utf8').on('data', (said: string) => {
      text += said;
      if (text.includes('Ready to accept connections')) resolve(true);
    });
    child.once('exit', () => resolve(false));
  });
}

/** How soon a server answers is not what is tested. */
const BUSY_MACHINE_MS = 60_000;

/** Redis writes before it answers, so a killed one keeps what it answered. With "everysec" it answers first while an fsync takes long. */
const KEEPS_WHAT_IT_ANSWERED = ['--appendonly', 'yes', '--appendfsync', 'no', '--maxmemory-policy', 'noeviction'];

/** A Redis of its own, with its files in a folder of its own, that can be killed and started again. */
export class RedisServer {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'density-redis-'));
  readonly #options: readonly string[];
  #port = 0;
  #child: ChildProcess | undefined;

  constructor(options: readonly string[] = KEEPS_WHAT_IT_ANSWERED) {
    this.#options = options;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async start(): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const port = this.#port || (await freePort());
      const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', this.folder, '--save', ''];
      const child = spawn('redis-server', [...place, ...this.#options], { stdio: ['ignore', 'pipe', 'inherit'] });
      if (!(await isReady(child))) continue;
      this.#port = port;
      this.#child = child;
      return;
    }
    throw new Error(`Expected redis-server to start, got an early end ${MAX_TRIES} times.`);
  }

  /** A connection of its own, as a replica has, that waits as long as a busy machine may need. */
  async link(): Promise<RedisLink> {
    return new RedisLink(await openRedis(this.url, { failsAtOnce: true }), { waitMs: BUSY_MACHINE_MS });
  }

  /** Ends it without letting it write anything. */
  kill(): Promise<void> {
    return killed(this.#child);
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
