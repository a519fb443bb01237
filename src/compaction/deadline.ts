/** Settles as `work` does, unless the signal is aborted before: then rejects with its reason, at once, and the work's outcome is dropped. */
export async function raced<Value>(work: Value | Promise<Value>, signal: AbortSignal): Promise<Value> {
  const promise = Promise.resolve(work);
  // Nobody may be left to hear of a failure that comes too late.
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

/** A signal that is aborted after `waitMs` or with any of `signals`; `clear` ends the wait, so that nothing keeps the process up. */
export function deadlineSignal(
  waitMs: number,
  { signals, message }: { signals: readonly (AbortSignal | undefined)[]; message: string },
): { readonly signal: AbortSignal; readonly expired: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException(message, 'TimeoutError')), waitMs);
  const all = [...signals.filter((signal) => signal !== undefined), controller.signal];
  return { signal: AbortSignal.any(all), expired: controller.signal, clear: () => clearTimeout(timer) };
}

/** Waits. @throws the signal's reason, at once, when it is aborted. */
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
