import { metrics, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, expect, test } from 'vitest';
import { hasHostTelemetry, traced } from '../../src/telemetry/host-telemetry.ts';
import { openMetrics } from '../../src/telemetry/metrics.ts';

afterAll(() => {
  trace.disable();
  metrics.disable();
});

test('without an SDK work is only called', async () => {
  expect(hasHostTelemetry()).toBe(false);
  const result = Promise.resolve(1);
  expect(
    traced(
      'work',
      () => result,
      () => ({}),
    ),
  ).toBe(result);
});

test('the SDK that a host registered gets spans and metrics', async () => {
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));

  const work = async (): Promise<number> => 7;
  const done = await traced('density.gate', work, (tokens) => ({ 'density.tokens.removed': tokens }));
  const failure = new Error('no');
  const failed = traced(
    'density.gate',
    () => Promise.reject(failure),
    () => ({}),
  );
  await expect(failed).rejects.toBe(failure);
  expect(done).toBe(7);
  const [good, bad] = spans.getFinishedSpans();
  expect([good?.name, good?.attributes]).toEqual(['density.gate', { 'density.tokens.removed': 7 }]);
  expect([bad?.status.code, bad?.events[0]?.name]).toEqual([2, 'exception']);

  const own = await openMetrics();
  own.counter({ name: 'density.turns', help: 'Turns.', labels: ['status'] })(2, { status: '200' });
  own.duration({ name: 'density.turn', help: 'Time of a turn.' })(3);
  own.gauge({ name: 'density.turns.waiting', help: 'Turns that wait.' }, () => 3);
  await reader.forceFlush();
  const points = exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
    .map(({ descriptor, dataPoints }) => [descriptor.name, descriptor.unit, dataPoints[0]?.attributes]);
  expect(points).toEqual([
    ['density.turns', '', { status: '200' }],
    ['density.turn', 's', {}],
    ['density.turns.waiting', '', {}],
  ]);
  await reader.shutdown();
});
