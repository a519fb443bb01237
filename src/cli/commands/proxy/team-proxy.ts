import { once } from 'node:events';
import { callMetrics, redisMetrics } from '../../../fleet/metrics.ts';
import { openRedis, redisName } from '../../../fleet/redis.ts';
import { knownTokens } from '../../../fleet/team/known-tokens.ts';
import { RedisLink } from '../../../fleet/team/redis-link.ts';
import { teamCalls } from '../../../fleet/team/team-calls.ts';
import { teamDoor } from '../../../fleet/team/team-door.ts';
import { TeamPages } from '../../../fleet/team/team-pages.ts';
import { type TeamChanges, teamWork } from '../../../fleet/team/team-work.ts';
import { userLimits } from '../../../fleet/team/user-limits.ts';
import type { Mount } from '../../../proxy/contract.ts';
import { startProxy } from '../../../proxy/proxy.ts';
import { openMetrics } from '../../../telemetry/metrics.ts';
import { Operation } from '../../../telemetry/operation.ts';
import { packageVersion } from '../../output/package-version.ts';
import { guardProcess } from '../../terminal/process-guard.ts';
import { terminal, UsageError } from '../../terminal/terminal.ts';
import { listenAddress, listenFailure } from '../fleet/listen-address.ts';
import { pageText } from './page-text.ts';

const DEFAULT_ADDRESS = '127.0.0.1:8377';
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];
const DAY_SECONDS = 24 * 3600;
/** The number of faults that are remembered, so that each is said once. */
const MAX_TROUBLES = 500;
/**
 * Set to a number of bytes, the allocator of Linux (glibc) gives each larger block back to the system once it is free; else it learns
 * from large requests to keep such blocks. Source: mallopt(3); docs/team.md, "Memory of a replica".
 */
const ALLOCATOR_SETTING = 'MALLOC_MMAP_THRESHOLD_';
/** At the end, answers that run get so long. */
const FAREWELL_MS = 60_000;

interface TeamProxyOptions {
  readonly redis: string;
  readonly listen: string | undefined;
  readonly hosts: readonly string[];
  readonly keepDays: string;
  readonly changes: TeamChanges;
  readonly json: boolean;
  readonly providers: readonly { readonly name: string; readonly mount: Mount }[];
}

/** A replica of a team's proxy, until it is stopped. */
export async function teamProxy(given: TeamProxyOptions): Promise<void> {
  const { redis: url, listen = DEFAULT_ADDRESS, hosts, changes, json, providers } = given;
  const { host, port } = listenAddress(listen);
  if (!LOOPBACK.includes(host) && hosts.length === 0) {
    throw new UsageError(
      'Expected --allow-host with the name under which the proxy is reached, such as density.example.com: requests with another Host are refused.',
    );
  }
  const keepSeconds = Number(given.keepDays) * DAY_SECONDS;
  if (!(keepSeconds >= DAY_SECONDS)) throw new UsageError(`Expected --keep-days from 1 on, got ${given.keepDays}.`);
  const { out, notes } = terminal();
  const troubles = new Set<string>();
  const onTrouble = (what: string): void => {
    if (troubles.has(what)) return;
    if (troubles.size === MAX_TROUBLES) troubles.clear();
    troubles.add(what);
    // Nobody may read it any more.
    notes.print(`density: ${what}\n`).catch(() => {});
  };
  const metrics = await openMetrics();
  const onCount = metrics.counter({ name: 'density.faults', help: 'Faults that nothing caught.' });
  const endGuard = guardProcess({ onFault: onTrouble, onCount });
  const link = new RedisLink(await openRedis(url, { failsAtOnce: true }), { onTrouble });
  const tokens = await knownTokens(link, onTrouble);
  const limits = userLimits(link);
  const calls = teamCalls(link, keepSeconds);
  redisMetrics(metrics, link.redis);
  const work = teamWork({ link, calls, keepSeconds, ...changes, onTrouble, onCall: callMetrics(metrics) });
  metrics.gauge(
    { name: 'density.kept_bytes', help: 'Memory of the conversations that are remembered, estimated.' },
    () => work.memory().keptBytes,
  );
  metrics.gauge(
    { name: 'density.request_bytes', help: 'Memory that requests in work have taken, estimated.' },
    () => work.memory().requestBytes,
  );
  const textOf = async (user: string, hash: string): Promise<string | undefined> => {
    const block = await work.archiveOf(user).find(hash);
    return block && pageText(block);
  };
  const pages = new TeamPages({ calls, isShadow: changes.isShadow, version: packageVersion(), textOf });
  let isClosing = false;
  const door = teamDoor({
    tokens,
    limits,
    pages,
    hosts: hosts.map((name) => name.toLowerCase()),
    optionsOf: work.optionsOf,
    operation: new Operation({ metrics, notReady: () => (isClosing ? 'closing' : undefined) }),
  });
  const close = (): void => {
    for (const part of [tokens, limits, work, pages, link]) part.close();
    endGuard();
  };
  const mounts = providers.map(({ mount }) => mount);
  const started = await startProxy({ host, port, door, mounts, onTrouble }).catch((error: unknown) => {
    close();
    throw listenFailure(error, port);
  });
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${started.port}`;
  const urls = providers.map(({ name, mount }) => ({ provider: name, baseUrl: `${origin}/<token>${mount.path}` }));
  const lines = urls.map(({ provider, baseUrl }) => `${provider}\n  ${baseUrl}`).join('\n');
  if (process.platform === 'linux' && process.env[ALLOCATOR_SETTING] === undefined)
    onTrouble(
      `a replica gives back more memory when it is started with ${ALLOCATOR_SETTING}=131072 in its environment`,
    );
  await out.print(
    json
      ? `${JSON.stringify({ port: started.port, urls })}\n`
      : `The proxy of a team, on ${redisName(url)}. Base URLs, with the token of each user (\`density team token add <user> --redis …\`):\n${lines}\nStop with Ctrl-C.\n`,
  );
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(process, 'SIGHUP')]);
  isClosing = true;
  await started.close(FAREWELL_MS);
  close();
}
