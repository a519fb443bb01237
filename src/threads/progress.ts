import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Endpoint, Remote } from 'comlink';

interface ProgressListener<Progress> {
  report(progress: Progress): void;
}

/** Source: a person does not see more than 30 frames a second. */
const REPORT_EVERY_MS = 33;

/** comlink's endpoint over Node's own MessagePort (its node adapter has no usable types under nodenext). */
function endpoint(port: MessagePort): Endpoint {
  const listeners = new WeakMap<object, (data: unknown) => void>();
  return {
    postMessage: (message, transfer) => port.postMessage(message, (transfer ?? []) as MessagePort[]),
    addEventListener: (_type, listener) => {
      const handler = (data: unknown): void => {
        const event = { data } as MessageEvent;
        if ('handleEvent' in listener) listener.handleEvent(event);
        else listener(event);
      };
      listeners.set(listener, handler);
      port.on('message', handler);
    },
    removeEventListener: (_type, listener) => {
      const handler = listeners.get(listener);
      if (handler) port.off('message', handler);
    },
    start: () => port.start(),
  };
}

/** A port to send to a thread; `listener` is called with what is reported to it until `close`, which must be called. */
export function listenToProgress<Progress>(listener: (progress: Progress) => void): {
  port: MessagePort;
  close: () => void;
} {
  const { port1, port2 } = new MessageChannel();
  let isClosed = false;
  // Loaded late: only long work is reported. Until then the port keeps what is reported.
  void import('comlink').then(({ expose }) => {
    if (isClosed) return;
    expose({ report: listener } satisfies ProgressListener<Progress>, endpoint(port1));
    port1.unref();
  });
  const close = (): void => {
    isClosed = true;
    port1.close();
  };
  return { port: port2, close };
}

export interface ProgressReporter<Progress> {
  report(progress: Progress): void;
  close(): void;
}

/**
 * The thread's end: the first report is sent at once, further ones at most 30 times a second by the clock `nowMs`, and
 * none once the other end is closed.
 */
export async function progressReporter<Progress>(
  port: MessagePort,
  nowMs: () => number,
): Promise<ProgressReporter<Progress>> {
  const comlink = await import('comlink');
  const remote = comlink.wrap<ProgressListener<Progress>>(endpoint(port)) as Remote<ProgressListener<unknown>>;
  let dueMs = Number.NEGATIVE_INFINITY;
  port.once('close', () => {
    dueMs = Number.POSITIVE_INFINITY;
  });
  port.unref();
  return {
    report(progress) {
      const now = nowMs();
      if (now < dueMs) return;
      dueMs = now + REPORT_EVERY_MS;
      void remote.report(progress);
    },
    close() {
      remote[comlink.releaseProxy]();
      port.close();
    },
  };
}
