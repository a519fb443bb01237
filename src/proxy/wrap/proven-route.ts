import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import spawn from 'cross-spawn';
import { within } from '../../deadline.ts';
import { messageOf } from '../../errors.ts';
import { apiOfPath } from '../../formats/api-path.ts';
import type { WrappedAgent } from '../agents/agent.ts';
import { turnAway } from '../intake/unreadable-requests.ts';
import { processFolder } from './process-folder.ts';

const LONGEST_MS = 30_000;
/** The most characters that are kept of the agent's output. */
const MAX_OUTPUT = 4_096;

/** Whether the requests of an installed agent go where `density wrap` points it. */
export interface ProvenRoute {
  readonly isDiverted: boolean;
  /** Why not: one line. */
  readonly why?: string;
  readonly tookMs: number;
}

interface ProvingOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limitMs?: number;
}

/**
 * Starts an agent with an invented key in an empty home folder, pointed at a port of this computer as `density wrap` does
 * it, and waits until a request for an answer arrives there; nothing is answered, and the agent is ended at once. Other
 * requests of it are sent to a proxy that refuses them. No file of the person is read or written. Never rejects.
 */
export async function provenRoute(
  agent: WrappedAgent,
  { environment, limitMs = LONGEST_MS }: ProvingOptions,
): Promise<ProvenRoute> {
  const startedAt = performance.now();
  const folder = await processFolder('route');
  const token = randomBytes(16).toString('base64url');
  let arrive = (): void => {};
  const arrived = new Promise<undefined>((resolve) => {
    arrive = () => resolve(undefined);
  });
  const listener = createServer((request, response) => {
    const [pathname = ''] = (request.url ?? '').split('?');
    const isAnswer = request.method === 'POST' && apiOfPath(pathname)?.isCount === false;
    if (pathname.startsWith(`/${token}/`) && isAnswer) arrive();
    // Grok asks first whether its key is good, and stops where it is refused.
    refuse(response, request.method === 'GET' ? 404 : 401);
  }).on('upgrade', (_request, socket) => turnAway(socket, '426 Upgrade Required'));
  const outside = createServer((_request, response) => refuse(response, 401)).on('connect', (_request, socket) =>
    turnAway(socket, '403 Forbidden'),
  );
  let child: ChildProcess | undefined;
  try {
    const [port, wall] = await Promise.all([listen(listener), listen(outside)]);
    const [home, work, settings] = ['home', 'work', 'settings'].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const one of [home, work, settings]) await mkdir(one);
    const { parameters, environment: invented, files = {} } = agent.trial;
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(home, name)), { recursive: true });
      await writeFile(path.join(home, name), text);
    }
    const bare = { PATH: environment['PATH'], PATHEXT: environment['PATHEXT'], SystemRoot: environment['SystemRoot'] };
    const own = { ...bare, HOME: home, USERPROFILE: home, TERM: 'dumb', ...invented };
    const route = await agent.route({ parameters, environment: own, folder: work, home });
    const pointing = await route.point(
      { proxyUrl: `http://127.0.0.1:${port}/${token}`, guardUrl: `http://127.0.0.1:${port}/guard` },
      settings,
    );
    const refusing = `http://127.0.0.1:${wall}`;
    const env = {
      ...own,
      HTTPS_PROXY: refusing,
      HTTP_PROXY: refusing,
      https_proxy: refusing,
      http_proxy: refusing,
      NO_PROXY: '127.0.0.1,localhost',
      no_proxy: '127.0.0.1,localhost',
      ...pointing.environment,
    };
    child = spawn(agent.command, [...pointing.parameters], {
      cwd: work,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what it starts ends with it.
      detached: process.platform !== 'win32',
    });
    const why = await within(limitMs, Promise.race([arrived, ended(child)]), () => tooLate(limitMs));
    const tookMs = performance.now() - startedAt;
    return why === undefined ? { isDiverted: true, tookMs } : { isDiverted: false, why, tookMs };
  } catch (error) {
    return { isDiverted: false, why: messageOf(error), tookMs: performance.now() - startedAt };
  } finally {
    if (child) await end(child);
    for (const server of [listener, outside]) {
      server.closeAllConnections();
      server.close();
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function refuse(response: { writeHead(status: number): { end(text: string): unknown } }, status: 401 | 404): void {
  response
    .writeHead(status)
    .end('{"error":{"type":"authentication_error","message":"density doctor answers nothing"}}');
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Why an agent ended without a request: the end of what it said. */
function ended(child: ChildProcess): Promise<string> {
  let said = '';
  const hear = (chunk: Buffer): void => {
    said = `${said}${chunk}`.slice(-MAX_OUTPUT);
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const last = said.trim().split('\n').at(-1) ?? '';
      resolve(`it ended with code ${code} before it sent a request there${last === '' ? '' : `: ${last}`}`);
    });
  });
}

const tooLate = (limitMs: number): string => `it sent no request there within ${limitMs / 1_000} s`;

/** Ends the agent and what it started. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'exit');
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
    await closed;
  } catch {
    // It ended meanwhile.
  }
}
