import type { Redis } from 'ioredis';
import type { ProxiedCall } from '../proxy/contract.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { FileWorker, ShardReport } from './batch/file-worker.ts';

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

/** Measures a process of `density team worker`; returns what to call after each shard. */
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
