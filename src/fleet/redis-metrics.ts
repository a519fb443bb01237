import type { Redis } from 'ioredis';
import type { Metrics } from '../telemetry/metrics.ts';

/** Measures a connection to Redis: whether it is there, and how often it failed. */
export function redisMetrics(metrics: Metrics, redis: Redis): void {
  const failed = metrics.counter({ name: 'density.redis.errors', help: 'Failed attempts to reach Redis.' });
  redis.on('error', () => failed());
  metrics.gauge({ name: 'density.redis.up', help: '1 while Redis is connected.' }, () =>
    Number(redis.status === 'ready'),
  );
}
