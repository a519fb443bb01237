import { expect, test } from 'vitest';
import { openMetrics } from '../../src/telemetry/metrics.ts';
import { Operation } from '../../src/telemetry/operation.ts';

test('an operator reads health, readiness and metrics', async () => {
  const metrics = await openMetrics();
  const count = metrics.counter({ name: 'density.turns', help: 'Turns.', labels: ['status'] });
  const took = metrics.duration({ name: 'density.turn', help: 'Time of a turn.' });
  let waiting: number | undefined = 3;
  metrics.gauge({ name: 'density.turns.waiting', help: 'Turns that wait.' }, async () => waiting);
  count(2, { status: '200' });
  took(3);
  let reason: string | undefined;
  const server = await new Operation({ metrics, notReady: () => reason }).listen({ host: '127.0.0.1', port: 0 });
  const get = async (path: string): Promise<[number, string]> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
    return [answer.status, await answer.text()];
  };
  expect(await get('/health')).toEqual([200, '{"status":"ok"}']);
  expect(await get('/ready')).toEqual([200, '{"status":"ok"}']);
  reason = 'Redis is gone';
  expect(await get('/ready')).toEqual([503, '{"status":"Redis is gone"}']);
  expect((await get('/other'))[0]).toBe(404);
  const [status, text] = await get('/metrics');
  expect(status).toBe(200);
  expect(text).toContain('density_turns_total{status="200"} 2');
  expect(text).toContain('density_turn_seconds_bucket{le="0.0025"} 0');
  expect(text).toContain('density_turn_seconds_bucket{le="0.005"} 1');
  expect(text).toContain('density_turns_waiting 3');
  expect(text).toContain('process_resident_memory_bytes');
  waiting = undefined;
  expect((await get('/metrics'))[1]).not.toMatch(/^density_turns_waiting /m);
  await server.close();
});
