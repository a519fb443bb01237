import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type Endpoint, expose, type Remote, releaseProxy, wrap } from 'comlink';

/** How far a long request has come. Units are entries of the request. */
export interface Progress {
  readonly doneEntries: number;
  readonly allEntries: number;
}

export interface ProgressListener {
  report(progress: Progress): void;
}

const THROTTLE_MS = 33;

/** comlink's endpoint over Node's own MessagePort (its node adapter has no usable types under nodenext). */
function endpoint(port: MessagePort): Endpoint {
  const listeners = new WeakMap<object, (data: unknown) => void>();
  return {
    postMessage: (message, transfer) => port.postMessage(message, (transfer ?? []) as MessagePort[]),
    addEventListener: (_type, listener) => {
      const heard = (data: unknown): void => {
        const event = { data } as MessageEvent;
        if ('handleEvent' in listener) listener.handleEvent(event);
        else listener(event);
      };
      listeners.set(listener, heard);
      port.on('message', heard);
    },
    removeEventListener: (_type, listener) => {
      const heard = listeners.get(listener);
      if (heard) port.off('message', heard);
    },
    start: () => port.start(),
  };
}

/** A port to send with a request; `listener` hears the progress until `close`, which must be called. */
export function listenToProgress(listener: (progress: Progress) => void): { port: MessagePort; close: () => void } {
  const { port1, port2 } = new MessageChannel();
  expose({ report: listener } satisfies ProgressListener, endpoint(port1));
  return { port: port2, close: () => port1.close() };
}

/** The thread's end: reports at most 30 times a second, the clock is the caller's. */
export function progressReporter(
  port: MessagePort,
  now: () => number,
): { report: ProgressListener['report']; close: () => void } {
  const remote: Remote<ProgressListener> = wrap<ProgressListener>(endpoint(port));
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    report(progress) {
      const nowMs = now();
      if (nowMs - lastMs < THROTTLE_MS && progress.doneEntries < progress.allEntries) return;
      lastMs = nowMs;
      void remote.report(progress);
    },
    close() {
      remote[releaseProxy]();
      port.close();
    },
  };
}
