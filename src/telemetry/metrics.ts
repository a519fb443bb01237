import type { Meter, Observable } from '@opentelemetry/api';
import type { Registry } from 'prom-client';
import { hostTelemetry } from './host-telemetry.ts';

type Prometheus = typeof import('prom-client');
type Read = () => number | undefined | Promise<number | undefined>;
type Labels = Readonly<Record<string, string>>;

interface Described {
  /** As OpenTelemetry names it: `density.turns`. Prometheus gets `density_turns_total`. */
  readonly name: string;
  readonly help: string;
}

interface Labelled extends Described {
  /** Names of labels. Each has few values: never the id of a session. */
  readonly labels?: readonly string[];
}

/** Seconds, from half a millisecond to half a minute. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const prometheusName = (name: string, ending = ''): string => name.replaceAll('.', '_') + ending;

/**
 * What a service measures: Prometheus reads it as text, and the host's OpenTelemetry SDK gets it if one is registered.
 * Each name is defined once.
 */
export class Metrics {
  readonly #prometheus: Prometheus;
  readonly #registry: Registry;
  readonly #meter: Meter | undefined;

  private constructor(prometheus: Prometheus, meter: Meter | undefined) {
    this.#prometheus = prometheus;
    this.#registry = new prometheus.Registry();
    this.#meter = meter;
    prometheus.collectDefaultMetrics({ register: this.#registry });
  }

  /** Loads the library, and measures the process: memory, processor time, delays of the event loop. */
  static async open(): Promise<Metrics> {
    const { default: prometheus } = await import('prom-client');
    return new Metrics(prometheus, (await hostTelemetry())?.metrics.getMeter('high-density'));
  }

  /** Something that is counted. */
  counter({ name, help, labels = [] }: Labelled): (amount?: number, labels?: Labels) => void {
    const counter = new this.#prometheus.Counter({
      name: prometheusName(name, '_total'),
      help,
      labelNames: [...labels],
      registers: [this.#registry],
    });
    const other = this.#meter?.createCounter(name, { description: help });
    return (amount = 1, of = {}) => {
      counter.inc(of, amount);
      other?.add(amount, of);
    };
  }

  /** Something that takes time; called with milliseconds. */
  duration({ name, help, labels = [] }: Labelled): (tookMs: number, labels?: Labels) => void {
    const histogram = new this.#prometheus.Histogram({
      name: prometheusName(name, '_seconds'),
      help,
      labelNames: [...labels],
      buckets: SECONDS,
      registers: [this.#registry],
    });
    const advice = { explicitBucketBoundaries: SECONDS };
    const other = this.#meter?.createHistogram(name, { description: help, unit: 's', advice });
    return (tookMs, of = {}) => {
      histogram.observe(of, tookMs / 1000);
      other?.record(tookMs / 1000, of);
    };
  }

  /** A number that `read` gives at each look; undefined: not known now. */
  gauge({ name, help }: Described, read: Read): void {
    new this.#prometheus.Gauge({
      name: prometheusName(name),
      help,
      registers: [this.#registry],
      async collect() {
        const value = await read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
    this.#observe(this.#meter?.createObservableGauge(name, { description: help }), read);
  }

  /** A number that `read` gives and that only rises. */
  total({ name, help }: Described, read: () => number): void {
    new this.#prometheus.Counter({
      name: prometheusName(name, '_total'),
      help,
      registers: [this.#registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
    this.#observe(this.#meter?.createObservableCounter(name, { description: help }), read);
  }

  /** The text that Prometheus reads, and its media type. */
  async text(): Promise<{ readonly type: string; readonly body: string }> {
    return { type: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  #observe(instrument: Observable | undefined, read: Read): void {
    instrument?.addCallback(async (result) => {
      const value = await read();
      if (value !== undefined) result.observe(value);
    });
  }
}
