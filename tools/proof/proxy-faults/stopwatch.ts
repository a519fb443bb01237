import { performance } from 'node:perf_hooks';

/** What a request may take of a machine that has a processor for it. */
export const LONGEST_MS = 1_000;

export interface Elapsed {
  readonly wallMs: number;
  /** Time in which this process had work and got no processor, as on a loaded machine. */
  readonly starvedMs: number;
}

/** Starts a watch; each call of what it returns reads it. */
export function stopwatch(): () => Elapsed {
  const startedAt = performance.now();
  const loop = performance.eventLoopUtilization();
  const cpu = process.cpuUsage();
  return () => {
    const { active } = performance.eventLoopUtilization(loop);
    const { user, system } = process.cpuUsage(cpu);
    return { wallMs: performance.now() - startedAt, starvedMs: Math.max(0, active - (user + system) / 1_000) };
  };
}
