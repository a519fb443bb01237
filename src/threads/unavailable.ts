/**
 * Why a request got no reply of a thread. `displaced`: a neighbour lost its thread, ask again; `resting`: threads failed
 * repeatedly and are not used for a while; `full`: too many requests wait already; `closed`: the pool was closed.
 */
export type UnavailableReason =
  | 'failed-to-load'
  | 'crashed'
  | 'hung'
  | 'garbage'
  | 'displaced'
  | 'resting'
  | 'full'
  | 'closed';

const WORDS: Readonly<Record<UnavailableReason, string>> = {
  'failed-to-load': 'it could not be loaded',
  crashed: 'it crashed',
  hung: 'it did not answer in time',
  garbage: 'its answer made no sense',
  displaced: 'it was replaced because of another one',
  resting: 'threads failed repeatedly and rest for a while',
  full: 'too many requests wait already',
  closed: 'the pool is closed',
};

/** A request that no thread answered. What the thread had is lost; nothing of the caller's is. */
export class ThreadUnavailableError extends Error {
  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason, cause?: unknown) {
    const detail = cause instanceof Error ? ` (${cause.message})` : '';
    super(
      `A worker thread did not do its work: ${WORDS[reason]}${detail}`,
      cause === undefined ? undefined : { cause },
    );
    this.name = 'ThreadUnavailableError';
    this.reason = reason;
  }
}
