import type { Observable } from '@opentelemetry/api';
import { hostTelemetry } from './host-telemetry.ts';

type Read = () => number | undefined | Promise<number | undefined>;
type Labels = Readonly<Record<string, string>>;

interface Described {
  /** As OpenTelemetry names it: `density.turns`. Prometheus gets `density_turns_total`. */
  readonly name: string;
  readonly help: string;
  /** Names of labels. Each has few values: never the id of a session. */
  readonly labels?: readonly string[];
}

/** Seconds, from half a millisecond to half a minute. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * What a service measures: Prometheus reads it as text, and the host's OpenTelemetry SDK gets it if one is registered.
 * Each name is defined once.
 */
export interface Metrics {
  /** Something that is counted. */
  counter(of: Described): (amount?: number, labels?: Labels) => void;
  /** Something that takes time; called with milliseconds. */
  duration(of: Described): (tookMs: number, labels?: Labels) => void;
  /** A number that `read` gives at each look; undefined: not known now. */
  gauge(of: Described, read: Read): void;
  /** A number that `read` gives and that only rises. */
  total(of: Described, read: () => number): void;
  /** The text that Prometheus reads, and its media type. */
  text(): Promise<{ readonly type: string; readonly body: string }>;
}

/** Loads the library, and measures the process: memory, processor time, delays of the event loop. */
export async function openMetrics(): Promise<Metrics> {
  const { default: prometheus } = await import('prom-client');
  const meter = (await hostTelemetry())?.metrics.getMeter('high-density');
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  const described = ({ name, help, labels = [] }: Described, ending = '') => {
    return { name: name.replaceAll('.', '_') + ending, help, labelNames: [...labels], registers: [registry] };
  };
  const observe = (instrument: Observable | undefined, read: Read): void =>
    instrument?.addCallback(async (result) => {
      const value = await read();
      if (value !== undefined) result.observe(value);
    });
  return {
    counter(of) {
      const counter = new prometheus.Counter(described(of, '_total'));
      const other = meter?.createCounter(of.name, { description: of.help });
      return (amount = 1, labels = {}) => {
        counter.inc(labels, amount);
        other?.add(amount, labels);
      };
    },
    duration(of) {
      const histogram = new prometheus.Histogram({ ...described(of, '_seconds'), buckets: SECONDS });
      const advice = { explicitBucketBoundaries: SECONDS };
      const other = meter?.createHistogram(of.name, { description: of.help, unit: 's', advice });
      return (tookMs, labels = {}) => {
        histogram.observe(labels, tookMs / 1000);
        other?.record(tookMs / 1000, labels);
      };
    },
    gauge(of, read) {
      new prometheus.Gauge({
        ...described(of),
        async collect() {
          const value = await read();
          if (value === undefined) this.remove();
          else this.set(value);
        },
      });
      observe(meter?.createObservableGauge(of.name, { description: of.help }), read);
    },
    total(of, read) {
      new prometheus.Counter({
        ...described(of, '_total'),
        collect() {
          this.reset();
          this.inc(read());
        },
      });
      observe(meter?.createObservableCounter(of.name, { description: of.help }), read);
    },
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  };
}
