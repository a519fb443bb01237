/**
 * Calls `onMissed` when `limitMs` pass before the function that it returns is called. `keepsAlive`: false for a deadline that does not keep
 * the process running.
 */
export function startDeadline(limitMs: number, onMissed: () => void, { keepsAlive = true } = {}): () => void {
  let isMet = false;
  const check = (): void => {
    if (!isMet) onMissed();
  };
  // The event loop may have been blocked meanwhile: an answer that has arrived is read before the work is given up.
  const timer = setTimeout(() => setImmediate(check), limitMs);
  if (!keepsAlive) timer.unref();
  return () => {
    isMet = true;
    clearTimeout(timer);
  };
}

/** The result of `work`; if it takes longer than `limitMs`, that of `late`, and the result of `work` is ignored. @throws what they throw. */
export async function within<Value, Other>(
  limitMs: number,
  work: Promise<Value>,
  late: () => Other,
): Promise<Value | Other> {
  let end = (): void => {};
  const missed = new Promise<void>((resolve) => {
    end = startDeadline(limitMs, resolve);
  });
  try {
    return await Promise.race([work, missed.then(late)]);
  } finally {
    end();
  }
}

type MaybeSignal = AbortSignal | null | undefined;

/** The result of `work`. @throws the signal's reason, at once, if it is aborted first; the result of `work` is then ignored. */
export async function raced<Value>(work: Value | Promise<Value>, signal: MaybeSignal): Promise<Value> {
  if (!signal) return work;
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

/** Waits. @throws the signal's reason, at once, if it is aborted. */
export async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  // What races ends its listener only when one side ends, so the timer must be a side.
  await raced(waited, signal).finally(() => clearTimeout(timer));
}

/** A signal that is aborted after a time, or with others. */
interface DeadlineSignal {
  readonly signal: AbortSignal;
  /** Aborted only after the time. */
  readonly expired: AbortSignal;
  /** Lets the time begin again. */
  refresh(): void;
  /** Stops the timer, which keeps the process running. */
  clear(): void;
}

/** A signal that is aborted after `waitMs`, with an error of this message, or with any of `signals`. */
export function deadlineSignal(
  waitMs: number,
  { signals, message }: { signals: readonly MaybeSignal[]; message: string },
): DeadlineSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException(message, 'TimeoutError')), waitMs);
  const all = [...signals.filter((signal) => !!signal), controller.signal];
  return {
    signal: AbortSignal.any(all),
    expired: controller.signal,
    refresh: () => timer.refresh(),
    clear: () => clearTimeout(timer),
  };
}
