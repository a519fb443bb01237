import type { Redis } from 'ioredis';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { RedisLog } from '../log/redis-log.ts';
import { redisMetrics } from '../redis-metrics.ts';
import type { Nodes } from './nodes.ts';
import type { SessionActors } from './session-actors.ts';
import type { ReplicaOptions } from './session-replica.ts';

/** Measures gate runs. */
export function gateMetrics(metrics: Metrics): NonNullable<ReplicaOptions['onGate']> {
  const took = metrics.duration({ name: 'density.gate', help: 'Time of gate runs.', labels: ['result'] });
  const removed = metrics.counter({ name: 'density.tokens.removed', help: 'Tokens that the gate removed.' });
  return ({ tookMs, report }) => {
    took(tookMs, { result: report === undefined ? 'failed' : 'done' });
    if (report !== undefined) removed(Math.max(0, report.tokensBefore - report.tokensAfter));
  };
}

interface Served {
  readonly actors: SessionActors;
  readonly nodes: Nodes;
  readonly log: RedisLog;
  readonly redis: Redis;
}

/** Measures a process of `density serve`. */
export function sessionMetrics(metrics: Metrics, { actors, nodes, log, redis }: Served): void {
  redisMetrics(metrics, redis);
  const isUp = (): boolean => redis.status === 'ready';
  metrics.gauge(
    { name: 'density.nodes', help: 'Processes that serve sessions, as this one sees it.' },
    () => nodes.size,
  );
  metrics.gauge(
    { name: 'density.sessions.waiting', help: 'Sessions on the server with a turn that is not done.' },
    () => (isUp() ? log.waiting() : undefined),
  );
  const here = 'Sessions of this process';
  metrics.gauge(
    { name: 'density.sessions.running', help: `${here} with work that runs or waits.` },
    () => actors.sizes.running,
  );
  metrics.gauge({ name: 'density.sessions.kept', help: `${here} in memory.` }, () => actors.sizes.kept);
  metrics.gauge(
    { name: 'density.sessions.kept.tokens', help: 'Tokens of the sessions in memory.' },
    () => actors.sizes.keptTokens,
  );
  metrics.total(
    { name: 'density.replica.loads', help: 'Sessions that were read from the log.' },
    () => actors.counts.loads,
  );
  metrics.total(
    { name: 'density.log.conflicts', help: 'Commits that were lost because another process was faster.' },
    () => actors.counts.conflicts,
  );
}
