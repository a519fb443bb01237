import { ByteRoom, type Place } from './byte-room.ts';

const MEGABYTE = 1024 * 1024;
/** For bodies from their first byte until their provider answers. */
const MAX_BODIES_BYTES = 256 * MEGABYTE;
/** For what is made of bodies while they are looked at. */
const MAX_WORK_BYTES = 384 * MEGABYTE;
/** Parsed, hashed and written again, a body of one long text took so many times its length in a replica with 50 of them at once. */
const WORK_RATIO = 10;
/** A body of many small values takes so much more. Source: `MAX_VALUES` in live/request/bytes-list.ts. */
const MIN_WORK_BYTES = 64 * MEGABYTE;
const WAIT_MS = 10_000;

/** What it takes to look at a body of this length. */
export const workBytes = (bytes: number): number => Math.max(MIN_WORK_BYTES, WORK_RATIO * bytes);

const roomOf = (mostBytes: number): ByteRoom =>
  new ByteRoom({ mostBytes, mostOfOwner: mostBytes / 2, waitMs: WAIT_MS });

/**
 * The memory of a process for the requests that are in work. `onDone` is called with the length of each body that is done with, read or
 * looked at.
 */
export function requestMemory(onDone: (bytes: number) => void = () => {}) {
  const bodies = roomOf(MAX_BODIES_BYTES);
  const work = roomOf(MAX_WORK_BYTES);
  const told = async (bytes: number, entered: Promise<Place | undefined>): Promise<Place | undefined> => {
    const place = await entered;
    if (place === undefined) return undefined;
    return {
      shrink: (size) => place.shrink(size),
      leave: () => {
        place.leave();
        onDone(bytes);
      },
    };
  };
  return {
    /** The memory for the requests of one user. */
    of: (owner: string): OwnMemory => ({
      toRead: (bytes, signal) => told(bytes, bodies.enter(bytes, owner, signal)),
      toLook: (bytes, signal) => told(bytes, work.enter(workBytes(bytes), owner, signal)),
    }),
    /** What requests in work have taken. */
    takenBytes: (): number => bodies.takenBytes + work.takenBytes,
  };
}

/** Resolves to undefined if there is no room within ten seconds, or the signal is aborted before. */
type Enter = (bytes: number, signal: AbortSignal) => Promise<Place | undefined>;

export interface OwnMemory {
  readonly toRead: Enter;
  readonly toLook: Enter;
}

/** A user's own computer gives each request what it needs. */
export const ANY_MEMORY: OwnMemory = {
  toRead: () => Promise.resolve(NO_PLACE),
  toLook: () => Promise.resolve(NO_PLACE),
};

const NO_PLACE: Place = { shrink: () => {}, leave: () => {} };
