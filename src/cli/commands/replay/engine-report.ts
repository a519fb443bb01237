import type { EngineStats } from '../../../history/engine.ts';
import type { ReplayResult } from '../../../replay/result.ts';
import { byteSize, counted, duration, grouped } from '../../../report/figures.ts';

/** What the threads did in each replay, and how long the gate blocked the main thread. */
export function engineReport({
  results,
  engineStats,
}: {
  results: readonly ReplayResult[];
  engineStats: readonly EngineStats[];
}): string {
  const lines = engineStats.flatMap((stats, index) => {
    const { strategy, engine, stallMs } = results[index]!;
    return [
      `${strategy}, ${engine} engine`,
      `  sent to threads   ${byteSize(stats.sentBytes)} in ${counted(stats.requests, 'request')}, ${grouped(stats.hits)} found the thread up to date`,
      `  whole history     sent again ${counted(stats.resyncs, 'time')}`,
      `  counted           ${byteSize(stats.bytesCountedOnThreads)} on threads, ${byteSize(stats.bytesCountedByCaller)} on the main thread`,
      `  main thread       blocked for ${duration(stallMs.max)} at most, ${duration(stallMs.p99)} at the 99th percentile`,
    ];
  });
  return `${lines.join('\n')}\n`;
}
