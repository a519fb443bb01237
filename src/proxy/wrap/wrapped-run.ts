import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { AgentRoute, AgentStart, WrappedAgent } from '../agents/agent.ts';
import { type ProxyOptions, type RunningProxy, startProxy } from '../proxy.ts';
import { guardAgent } from './agent-guard.ts';
import { commandFolder } from './command-folder.ts';
import { runInTerminal } from './in-terminal.ts';
import { assertInstalled } from './installed-command.ts';
import { deleteLeftFolders, processFolder } from './process-folder.ts';

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
