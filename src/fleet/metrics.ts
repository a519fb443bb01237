import type { Redis } from 'ioredis';
import type { ProxiedCall } from '../proxy/contract.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Nodes } from './actors/nodes.ts';
import type { SessionActors } from './actors/session-actors.ts';
import type { ReplicaOptions } from './actors/session-replica.ts';
import type { FileWorker, ShardReport } from './batch/file-worker.ts';
import type { RedisLog } from './log/redis-log.ts';

/** Measures a connection to Redis: whether it is there, and how often it failed. */
export function redisMetrics(metrics: Metrics, redis: Redis): void {
  const failed = metrics.counter({ name: 'density.redis.errors', help: 'Failed attempts to reach Redis.' });
  redis.on('error', () => failed());
  metrics.gauge({ name: 'density.redis.up', help: '1 while Redis is connected.' }, () =>
    Number(redis.status === 'ready'),
  );
}

/** Measures the calls of a team. */
export function callMetrics(metrics: Metrics): (call: ProxiedCall) => void {
  const added = metrics.duration({
    name: 'density.added',
    help: 'Time that requests waited here.',
    labels: ['status'],
  });
  const removed = metrics.counter({ name: 'density.tokens.removed', help: 'Tokens that requests did not contain.' });
  return ({ status, addedMs, report, isResent }) => {
    added(addedMs, { status: `${status}` });
    removed(isResent ? 0 : Math.max(0, report?.savedTokens ?? 0));
  };
}

/** Measures a process of `density worker`; returns what to call after each shard. */
export function workerMetrics(metrics: Metrics, worker: FileWorker): (report: ShardReport) => void {
  redisMetrics(metrics, worker.redis);
  const took = metrics.duration({ name: 'density.shard', help: 'Time of shards of files.', labels: ['kind'] });
  const files = metrics.counter({
    name: 'density.files',
    help: 'Files of shards, by what was done: answered now, known before, failed.',
    labels: ['kind', 'outcome'],
  });
  const isUp = (): boolean => worker.redis.status === 'ready';
  metrics.gauge({ name: 'density.shards.waiting', help: 'Shards that wait for workers of this build.' }, () =>
    isUp() ? worker.waiting() : undefined,
  );
  metrics.gauge({ name: 'density.shards.running', help: 'Shards that run here.' }, () => worker.running);
  return ({ kind, tookMs, answered, known, failed }) => {
    took(tookMs, { kind });
    for (const [outcome, count] of Object.entries({ answered, known, failed })) files(count, { kind, outcome });
  };
}

/** Measures gate runs. */
export function gateMetrics(metrics: Metrics): NonNullable<ReplicaOptions['onGate']> {
  const took = metrics.duration({ name: 'density.gate', help: 'Time of gate runs.', labels: ['result'] });
  const removed = metrics.counter({ name: 'density.tokens.removed', help: 'Tokens that the gate removed.' });
  return ({ tookMs, report }) => {
    took(tookMs, { result: report === undefined ? 'failed' : 'done' });
    if (report !== undefined) removed(Math.max(0, report.tokensBefore - report.tokensAfter));
  };
}

/** Measures a process of `density serve`. */
export function sessionMetrics(
  metrics: Metrics,
  { actors, nodes, log, redis }: { actors: SessionActors; nodes: Nodes; log: RedisLog; redis: Redis },
): void {
  redisMetrics(metrics, redis);
  const isUp = (): boolean => redis.status === 'ready';
  metrics.gauge({ name: 'density.nodes', help: 'Processes that serve sessions, as this one sees it.' }, () =>
    nodes.size(),
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
