import type { EndedPause } from '../../economics/warm/pause-lengths.ts';
import type { LoggedCall } from '../call-log.ts';

/** The pauses between logged calls of the same conversation that ended with a call. Calls are given in the order of their ends. */
export async function* ownPauses(calls: AsyncIterable<LoggedCall>): AsyncGenerator<EndedPause> {
  const last = new Map<string, { readonly startedAt: number; readonly isToolWait: boolean }>();
  for await (const { at, tookMs, status, isCount, isToolWait, report } of calls) {
    const { conversation } = report ?? {};
    // Calls of earlier versions do not say what they wait for.
    if (conversation === undefined || isCount || report?.isPing || status >= 300 || isToolWait === undefined) continue;
    const startedAt = at - tookMs;
    const before = last.get(conversation);
    last.set(conversation, { startedAt, isToolWait });
    if (before)
      yield { wait: before.isToolWait ? 'toolWait' : 'pause', idleMs: Math.max(0, startedAt - before.startedAt) };
  }
}
