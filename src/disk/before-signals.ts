import { readOr } from '../content/foreign-value.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const removals = new Set<() => void>();

/** Removes what is left, then ends the process as the signal would have. */
function onSignal(signal: NodeJS.Signals): void {
  for (const remove of removals) readOr(remove, undefined);
  for (const name of SIGNALS) process.removeListener(name, onSignal);
  process.kill(process.pid, signal);
}

/**
 * Until the returned function is called, a signal that ends the process first calls `remove`. Without anything to
 * remove, a signal ends the process at once, as usual. Signals arrive on the main thread alone.
 */
export function beforeSignals(remove: () => void): () => void {
  if (removals.size === 0) for (const name of SIGNALS) process.on(name, onSignal);
  removals.add(remove);
  return () => {
    removals.delete(remove);
    if (removals.size === 0) for (const name of SIGNALS) process.removeListener(name, onSignal);
  };
}
