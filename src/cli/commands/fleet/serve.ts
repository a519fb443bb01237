import { once } from 'node:events';
import type { Command } from 'commander';
import { joinNodes, type Nodes } from '../../../fleet/actors/nodes.ts';
import { SessionActors } from '../../../fleet/actors/session-actors.ts';
import { SessionService } from '../../../fleet/actors/session-service.ts';
import { RedisLog } from '../../../fleet/log/redis-log.ts';
import { gateMetrics, sessionMetrics } from '../../../fleet/metrics.ts';
import { openRedis, redisName } from '../../../fleet/redis.ts';
import { processPool } from '../../../offload/create-history-service.ts';
import { openMetrics } from '../../../telemetry/metrics.ts';
import { PLAY_SETTINGS, settingOptions, settingsOf } from '../../options/setting-options.ts';
import { sourcesInForce } from '../../options/setting-sources.ts';
import { guardProcess } from '../../terminal/process-guard.ts';
import { terminal, UsageError } from '../../terminal/terminal.ts';
import { listenAddress, listenFailure } from './listen-address.ts';

const DEFAULT_ADDRESS = '127.0.0.1:8378';
const TOKEN = 'DENSITY_SERVICE_TOKEN';
const SHORTEST_TOKEN = 16;

function tokenOf(): string {
  const token = process.env[TOKEN] ?? '';
  if (token.length >= SHORTEST_TOKEN) return token;
  throw new UsageError(
    `Expected a token of at least ${SHORTEST_TOKEN} characters in ${TOKEN}: hosts send it with each request.`,
  );
}

async function serve(options: {
  readonly redis: string;
  readonly listen: string;
  readonly url?: string;
  readonly model: string;
}): Promise<void> {
  const { redis: url, listen, model } = options;
  const token = tokenOf();
  const { host, port } = listenAddress(listen);
  const { sources } = await sourcesInForce(settingsOf({ ...options }));
  // A request that is repeated on another computer must give the same view, so nothing may depend on when it arrives.
  const settings = sources.filter(({ origin }) => origin.kind !== 'recommended').map((source) => source.settings);
  const redis = await openRedis(url);
  const log = new RedisLog(redis);
  const metrics = await openMetrics();
  const { notes } = terminal();
  const endGuard = guardProcess({
    onFault: (what) => void notes.print(`density: ${what}\n`).catch(() => {}),
    onCount: metrics.counter({ name: 'density.faults', help: 'Faults that nothing caught.' }),
  });
  const actors = new SessionActors({ log, model, settings, onGate: gateMetrics(metrics) });
  let nodes: Nodes | undefined;
  let own = '';
  const service = await SessionService.start({
    actors,
    token,
    host,
    port,
    ownerOf: (session) => {
      const owner = nodes?.ownerOf(session) ?? own;
      return owner === own ? undefined : owner;
    },
    pending: (olderThanMs) => log.pending(olderThanMs),
    notReady: () => (log.isOutdated ? 'outdated' : redis.status === 'ready' ? undefined : 'no answer of Redis'),
    metrics,
  }).catch((error: unknown) => {
    redis.disconnect();
    throw listenFailure(error, port);
  });
  own = options.url ?? `http://${host.includes(':') ? `[${host}]` : host}:${service.port}`;
  nodes = await joinNodes(redis, own);
  sessionMetrics(metrics, { actors, nodes, log, redis });
  await notes.print(`Serving sessions of ${redisName(url)} at ${own}. Stop with Ctrl-C.\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(process, 'SIGHUP')]);
  await nodes.leave();
  await service.close();
  nodes.close();
  await log.close();
  await processPool().close();
  endGuard();
}

/** `density serve`: keeps histories for hosts on servers. */
export function defineServe(command: Command): void {
  command
    .description(
      'Keeps the histories of agents that run on servers: POST /sessions/:id/turns adds entries and answers with the messages to send to the model. Any number of these processes share one Redis server, and each can take any request. Hosts send the token in DENSITY_SERVICE_TOKEN.',
    )
    .requiredOption('--redis <url>', 'the Redis server, for example redis://127.0.0.1:6379')
    .requiredOption('--model <name>', 'the model that the hosts use')
    .option('--listen <host:port>', 'the address to listen on; port 0 takes any free port', DEFAULT_ADDRESS)
    .option('--url <url>', 'the address at which other processes reach this one, if it is not the address of --listen')
    .action(serve);
  settingOptions(command, PLAY_SETTINGS);
}
