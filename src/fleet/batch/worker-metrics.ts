import type { Metrics } from '../../telemetry/metrics.ts';
import { redisMetrics } from '../redis-metrics.ts';
import type { FileWorker, ShardReport } from './file-worker.ts';

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
