import { within } from '../deadline.ts';
import type { PrunerOptions } from '../live/contract.ts';

/** Longer than a disk takes; shorter than a person notices. */
export const LONGEST_WAIT_MS = 500;
/** After this it is tried again, although it still hangs. */
const RETRY_MS = 60_000;

/** What the work returns. @throws what it throws; an error if it takes too long, or hangs already. */
export type ImpatientRun = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Limits how long others wait for work that may hang, such as writing to a network disk. After the first time-out its
 * calls fail at once, until the work that hangs has ended or a minute is over. Share one between works on the same disk.
 */
export function impatientWork({
  waitMs = LONGEST_WAIT_MS,
  retryMs = RETRY_MS,
}: {
  waitMs?: number | undefined;
  retryMs?: number;
} = {}): ImpatientRun {
  let retryAt = 0;
  const ended = (): void => {
    retryAt = 0;
  };
  return async (work) => {
    if (performance.now() < retryAt) throw new Error('no answer');
    // What it throws before its first wait is a failure like any other.
    const working = (async () => work())();
    working.then(ended, ended);
    return within(waitMs, working, (): never => {
      retryAt = performance.now() + retryMs;
      throw new Error(`no answer within ${waitMs} ms`);
    });
  };
}

/** The same options; where a disk hangs, nothing new is removed, and the agent does not wait for it a second time. */
export function impatientDisk<Options extends Pick<PrunerOptions, 'store' | 'archive'>>(options: Options): Options {
  const { store, archive } = options;
  const kept = impatientWork();
  const archived = impatientWork();
  return {
    ...options,
    ...(store && {
      store: {
        ...store,
        ...(store.version && {
          version: (conversation: string) => kept(() => store.version!(conversation)),
        }),
        load: (...given: Parameters<typeof store.load>) => kept(() => store.load(...given)),
        append: (...given: Parameters<typeof store.append>) => kept(() => store.append(...given)),
      },
    }),
    ...(archive && { archive: (blocks: Parameters<typeof archive>[0]) => archived(() => archive(blocks)) }),
  };
}
