/**
 * Calls `onMissed` when `limitMs` pass before the function that it returns is called. Keeps no process alive.
 */
export function startDeadline(limitMs: number, onMissed: () => void): () => void {
  let isMet = false;
  const check = (): void => {
    if (!isMet) onMissed();
  };
  // The event loop may have been blocked meanwhile: a reply that has arrived is read before the work is given up.
  const timer = setTimeout(() => setImmediate(check), limitMs).unref();
  return () => {
    isMet = true;
    clearTimeout(timer);
  };
}
