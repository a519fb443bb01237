/** The result of `work`. @throws the signal's reason, at once, if it is aborted first; the result of `work` is then ignored. */
export async function raced<Value>(work: Value | Promise<Value>, signal: AbortSignal): Promise<Value> {
  const promise = Promise.resolve(work);
  // A failure after the abort must not be an unhandled rejection.
  promise.catch(() => {});
  signal.throwIfAborted();
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** A signal that is aborted after `waitMs` or with any of `signals`; `clear` stops the timer, which keeps the process running. */
export function deadlineSignal(
  waitMs: number,
  { signals, message }: { signals: readonly (AbortSignal | undefined)[]; message: string },
): { readonly signal: AbortSignal; readonly expired: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException(message, 'TimeoutError')), waitMs);
  const all = [...signals.filter((signal) => signal !== undefined), controller.signal];
  return { signal: AbortSignal.any(all), expired: controller.signal, clear: () => clearTimeout(timer) };
}

/** Waits. @throws the signal's reason, at once, if it is aborted. */
export async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  try {
    await raced(waited, signal);
  } finally {
    clearTimeout(timer);
  }
}
