import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants as system, tmpdir } from 'node:os';
import path from 'node:path';
import { CompressionStrategyError } from '../errors.ts';
import type { AgentStart, WrappedAgent } from './agents/agent.ts';
import type { ProxyRequestOptions } from './contract.ts';
import { startProxy } from './proxy.ts';

/** Signals that end the wrapper; the agent gets them too. Ctrl-C reaches the agent from the terminal itself. */
const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const;
const EXECUTABLE_MODE = 0o700;
/** Exit codes of processes that a signal ended. Source: POSIX shells. */
const SIGNAL_EXIT = 128;

export interface WrappedRunOptions extends ProxyRequestOptions {
  /** The file of this command, so that markers' `density show` works in the agent's shell. */
  readonly commandFile: string;
}

function isOnPath(command: string, { environment }: AgentStart): boolean {
  return (environment['PATH'] ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** A folder with the `density` command in it. */
async function commandFolder(folder: string, commandFile: string): Promise<string> {
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${commandFile}' "$@"\n`;
  await writeFile(path.join(bin, 'density'), script, { mode: EXECUTABLE_MODE });
  return bin;
}

/** Local addresses never go through a company's proxy. */
const withLocal = (list: string | undefined): string => [list, '127.0.0.1', 'localhost'].filter(Boolean).join(',');

/**
 * Runs an agent in this terminal with its requests going through a proxy of its own, and returns its exit code. The
 * proxy is ready before the agent starts and ends with it; nothing of it stays on disk.
 * @throws CompressionStrategyError `USAGE` if the agent is not installed or its provider cannot be proxied.
 */
export async function runWrapped(
  agent: WrappedAgent,
  start: AgentStart,
  { commandFile, ...options }: WrappedRunOptions,
): Promise<number> {
  if (!isOnPath(agent.command, start)) {
    throw new CompressionStrategyError(
      `Expected ${agent.command} to be installed, but it is not on the PATH. To install it: ${agent.install}`,
      'USAGE',
    );
  }
  const route = await agent.route(start);
  const proxy = await startProxy({ mounts: route.mounts, ...options });
  const folder = await mkdtemp(path.join(tmpdir(), 'density-wrap-'));
  try {
    const settings = path.join(folder, 'settings');
    await mkdir(settings);
    const { parameters, environment, ended } = await route.point(proxy.url, settings);
    const bin = await commandFolder(folder, commandFile);
    const { PATH = '', NO_PROXY, no_proxy } = start.environment;
    const code = await runInTerminal(agent.command, parameters, {
      ...start.environment,
      ...environment,
      PATH: `${bin}${path.delimiter}${PATH}`,
      NO_PROXY: withLocal(NO_PROXY ?? no_proxy),
      no_proxy: withLocal(no_proxy ?? NO_PROXY),
    });
    await ended?.();
    return code;
  } finally {
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function runInTerminal(
  command: string,
  parameters: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: 'inherit', env });
    const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
    const wait = (): void => {};
    process.on('SIGINT', wait).on('SIGQUIT', wait);
    for (const signal of PASSED_ON) process.on(signal, passOn);
    const settle = (finish: () => void): void => {
      process.off('SIGINT', wait).off('SIGQUIT', wait);
      for (const signal of PASSED_ON) process.off(signal, passOn);
      finish();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('close', (code, signal) =>
      settle(() => resolve(code ?? SIGNAL_EXIT + (system.signals[signal ?? 'SIGTERM'] ?? 0))),
    );
  });
}
