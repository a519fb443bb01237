import { MINUTE_MS } from '../../durations.ts';
import type { Session } from '../../formats/contract.ts';
import type { Ephemerals } from '../../strategies/contract.ts';

const HOUR_MINUTES = 60;

/** Minutes for which the agent asked its provider to keep prefixes: 60 if any recorded usage says so, else `undefined`. Linear. */
export function recordedCacheMinutes({ events }: Session): number | undefined {
  const asksHour = events.some(
    (event) => event.kind === 'add' && (event.content.metadata?.usage?.writtenHourTokens ?? 0) > 0,
  );
  return asksHour ? HOUR_MINUTES : undefined;
}

/** The same in milliseconds. Linear. */
export function recordedLifetimeMs(session: Session): number | undefined {
  const minutes = recordedCacheMinutes(session);
  return minutes === undefined ? undefined : minutes * MINUTE_MS;
}

/** Settings with the recorded lifetime of the prompt cache, as a running agent's requests would say it, unless they name one. */
export function withRecordedLifetime(ephemerals: Ephemerals, session: Session): Ephemerals {
  const recorded = recordedCacheMinutes(session);
  if (recorded === undefined) return ephemerals;
  return { ...ephemerals, densityCacheMinutes: () => ephemerals.densityCacheMinutes?.() ?? recorded };
}
