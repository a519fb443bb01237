import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentRoute, AgentStart, WrappedAgent } from '../agents/agent.ts';
import { type ProxyOptions, type RunningProxy, startProxy } from '../proxy.ts';
import { runInTerminal } from './in-terminal.ts';
import { assertInstalled } from './installed-command.ts';
import { deleteLeftFolders, processFolder } from './process-folder.ts';

/** An agent that writes its session when it is hung up needs no longer. */
const LONGEST_END_SECONDS = 5;

/**
 * Waits for the end of its standard input, which comes when the wrapper dies, however it dies. In a session of its own, so
 * that what is sent to the terminal or to the wrapper's group does not end it.
 */
const SCRIPT = `read -r _
kill -HUP "$1" 2>/dev/null || exit 0
echo "density: the wrapper was killed, and the agent's way to its provider with it. The agent was asked to stop; its session can be resumed." >&2
sleep ${LONGEST_END_SECONDS}
kill -TERM "$1" 2>/dev/null`;

/**
 * Starts a small shell that ends the agent if this process is killed: without its proxy it could only try again and again.
 * Returns what takes it away once the agent has ended. Does nothing on Windows, which has neither the shell nor hang-ups.
 */
function guardAgent(pid: number): () => void {
  if (process.platform === 'win32') return () => {};
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'density', String(pid)], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
  });
  // Where there is no shell, the agent is left alone as before.
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  return () => void guard.kill('SIGKILL');
}

const EXECUTABLE_MODE = 0o700;

/** A new folder `bin` with the `density` command in it, so that the command of a marker works in the agent's shell. */
export async function commandFolder(
  folder: string,
  commandFile: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string> {
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  const shell = `#!/bin/sh\nexec '${process.execPath}' '${commandFile}' "$@"\n`;
  await writeFile(path.join(bin, 'density'), shell, { mode: EXECUTABLE_MODE });
  // Shells of Windows find this one; its Git Bash the other.
  const batch = `@"${process.execPath}" "${commandFile}" %*\r\n`;
  if (platform === 'win32') await writeFile(path.join(bin, 'density.cmd'), batch);
  return bin;
}

interface WrappedRunOptions extends Omit<ProxyOptions, 'mounts' | 'port' | 'token'> {
  /** The file of this command, so that markers' `density show` works in the agent's shell. */
  readonly commandFile: string;
  /** Called right before the agent starts, which it does if this does not throw; returns what is added to its environment. */
  readonly onReady?: (proxy: RunningProxy, route: AgentRoute) => Promise<Readonly<Record<string, string>>>;
}

/** Local addresses never go through a company's proxy. */
function localDirectly({ NO_PROXY, no_proxy }: AgentStart['environment']): Record<string, string> {
  const withLocal = (list: string | undefined): string => [list, '127.0.0.1', 'localhost'].filter(Boolean).join(',');
  return { NO_PROXY: withLocal(NO_PROXY ?? no_proxy), no_proxy: withLocal(no_proxy ?? NO_PROXY) };
}

/**
 * Runs an agent in this terminal with its requests going through a proxy of its own, and returns its exit code. The
 * proxy is ready before the agent starts and ends with it; nothing of it stays on disk.
 * @throws CompressionStrategyError `USAGE` if the agent is not installed or its provider cannot be proxied.
 */
export async function runWrapped(
  agent: WrappedAgent,
  start: AgentStart,
  { commandFile, onReady, ...options }: WrappedRunOptions,
): Promise<number> {
  assertInstalled(agent.command, start.environment, [agent]);
  const route = await agent.route(start);
  let deleting: Promise<void> | undefined;
  let proxy: RunningProxy | undefined;
  const folder = await processFolder('wrap');
  try {
    proxy = await startProxy({ mounts: route.mounts, ...options });
    const settings = path.join(folder, 'settings');
    await mkdir(settings);
    const { parameters, environment, ended } = await route.point(
      { proxyUrl: proxy.url, guardUrl: proxy.guardUrl },
      settings,
    );
    const bin = await commandFolder(folder, commandFile);
    const added = await onReady?.(proxy, route);
    const { PATH = '' } = start.environment;
    const env = {
      ...start.environment,
      ...environment,
      ...added,
      PATH: `${bin}${path.delimiter}${PATH}`,
      ...(!route.isDirect && localDirectly(start.environment)),
    };
    const running = runInTerminal(agent.command, parameters, { env, guard: guardAgent });
    deleting = deleteLeftFolders();
    const code = await running;
    await ended?.();
    return code;
  } finally {
    await proxy?.close();
    await rm(folder, { recursive: true, force: true });
    await deleting;
  }
}
