import type { PrunerOptions } from '../live/contract.ts';

/** Longer than a disk takes; shorter than a person notices. */
const LONGEST_WAIT_MS = 500;
/** After this it is tried again, although it still hangs. */
const RETRY_MS = 60_000;

interface Patience {
  readonly waitMs?: number | undefined;
  readonly retryMs?: number;
}

/**
 * Limits how long others wait for work that may hang, such as writing to a network disk. After the first time-out its
 * calls fail at once, until the work that hangs has ended or a minute is over. Share one between works on the same disk.
 */
export class ImpatientWork {
  readonly #waitMs: number;
  readonly #retryMs: number;
  #retryAt = 0;

  constructor({ waitMs = LONGEST_WAIT_MS, retryMs = RETRY_MS }: Patience = {}) {
    this.#waitMs = waitMs;
    this.#retryMs = retryMs;
  }

  /** What the work returns. @throws what it throws; an error if it takes too long, or hangs already. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (performance.now() < this.#retryAt) throw new Error('no answer');
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const giveUp = (): void => {
        if (hasEnded) return;
        this.#retryAt = performance.now() + this.#retryMs;
        reject(new Error(`no answer within ${this.#waitMs} ms`));
      };
      // If this thread was busy, the answer may have arrived and not be read yet.
      timer = setTimeout(() => setImmediate(giveUp), this.#waitMs);
    });
    let hasEnded = false;
    // What it throws before its first wait is a failure like any other.
    const working = (async () => work())();
    const ended = (): void => {
      hasEnded = true;
      this.#retryAt = 0;
    };
    working.then(ended, ended);
    try {
      return await Promise.race([working, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The same options; where a disk hangs, nothing new is removed, and the agent does not wait for it a second time. */
export function impatientDisk<Options extends Pick<PrunerOptions, 'store' | 'archive'>>(options: Options): Options {
  const { store, archive } = options;
  const [kept, archived] = [new ImpatientWork(), new ImpatientWork()];
  return {
    ...options,
    ...(store && {
      store: {
        ...store,
        load: (...given: Parameters<typeof store.load>) => kept.run(() => store.load(...given)),
        append: (...given: Parameters<typeof store.append>) => kept.run(() => store.append(...given)),
      },
    }),
    ...(archive && { archive: (blocks: Parameters<typeof archive>[0]) => archived.run(() => archive(blocks)) }),
  };
}
