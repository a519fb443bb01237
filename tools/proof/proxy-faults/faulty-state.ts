import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BlockArchive } from '../../../src/disk/block-archive.ts';
import type { PrunerStore } from '../../../src/live/contract.ts';
import type { ChangedRequest, ChangeRequest } from '../../../src/live/exchange/contract.ts';
import { liveChanges } from '../../../src/live/exchange/live-changes.ts';
import { fileStore } from '../../../src/live/file-store.ts';
import { impatientDisk } from '../../../src/proxy/impatient-work.ts';

export const STATE_FAULTS = [
  'none',
  'cannot be written',
  'corrupt',
  'deleted',
  'archive fails',
  'archive hangs',
  'archive throws',
  'store hangs',
  'load throws',
  'load rejects',
  'append throws',
  'append rejects',
  'clock jumps',
  'two proxies',
] as const;
export type StateFault = (typeof STATE_FAULTS)[number];

export const CHANGE_FAULTS = [
  'throws',
  'rejects',
  'hangs',
  'is late',
  'rejects late',
  'returns nothing',
  'returns null',
  'returns an empty object',
  'returns a text',
  'returns no bytes',
  'returns garbage bytes',
  'fails at the answer',
] as const;
export type ChangeFault = (typeof CHANGE_FAULTS)[number];
export const isHanging = (fault: ChangeFault | undefined): boolean =>
  fault === 'hangs' || fault === 'is late' || fault === 'rejects late';

export const CHANGE_HEADER = 'x-change-fault';
const LATE_MS = 2_200;
/** A thread may just write a file in it. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const;

const thrown = (): never => {
  throw new RangeError('a store threw');
};

/** The folder of one round, with its fault. */
export class FaultyState {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'proxy-faults-'));
  readonly #fault: StateFault;
  clockMs = 0;

  constructor(fault: StateFault) {
    this.#fault = fault;
    // A file in the place of a folder stops also a user who may write everywhere.
    if (fault === 'cannot be written') writeFileSync(this.#conversations, '');
  }

  get #conversations(): string {
    return path.join(this.#folder, 'conversations');
  }

  /** What happens between two requests. */
  happen(): void {
    if (this.#fault === 'deleted') rmSync(this.#folder, REMOVAL);
    if (this.#fault !== 'corrupt') return;
    mkdirSync(this.#conversations, { recursive: true });
    for (const name of readdirSync(this.#conversations)) {
      const lines = '{"freeze":{"id":7}}\n{"freeze":{"id":"x","text":"y","files":[1]}}\n[]\n{"pin":{}}\nnull\n';
      writeFileSync(path.join(this.#conversations, name), Buffer.concat([Buffer.from(lines), randomBytes(2_000)]));
    }
  }

  /** A pruner over this state, as a proxy has it. */
  change(): ChangeRequest {
    const archive = new BlockArchive(path.join(this.#folder, 'archive'));
    const fault = this.#fault;
    const never = (): Promise<never> => new Promise(() => {});
    const live = liveChanges(
      impatientDisk({
        workspaceRoot: '/',
        store: fault === 'store hangs' ? { load: never, append: never } : this.#store(),
        now: () => this.clockMs,
        archive: (blocks) => {
          if (fault === 'archive throws') return thrown();
          if (fault === 'archive fails') return Promise.reject(new Error('ENOSPC'));
          return fault === 'archive hangs' ? never() : archive.keep(blocks);
        },
      }),
    );
    return (request) => failing(live, request);
  }

  /** In files; one that fails is shared with others, so that each request reads and writes it. */
  #store(): PrunerStore {
    const [method, how] = this.#fault.split(' ') as [string, string];
    if (method !== 'load' && method !== 'append') return fileStore(this.#conversations);
    const fail = how === 'throws' ? thrown : () => Promise.reject(new RangeError('a store rejected'));
    return { ...fileStore(this.#conversations), isShared: true, [method]: fail };
  }

  remove(): void {
    rmSync(this.#folder, REMOVAL);
  }
}

function failing(live: ChangeRequest, request: Parameters<ChangeRequest>[0]): Promise<ChangedRequest> {
  const garbage = (value: unknown) => Promise.resolve(value as ChangedRequest);
  const answered = (): void => {};
  const late = <Result>(act: () => Result): Promise<Result> =>
    new Promise((resolve, reject) => {
      setTimeout(() => {
        try {
          resolve(act());
        } catch (error) {
          reject(error);
        }
      }, LATE_MS);
    });
  const fail = (): never => {
    throw new Error('a fault');
  };
  switch (request.headers[CHANGE_HEADER] as ChangeFault | undefined) {
    case 'throws':
      return fail();
    case 'rejects':
      return Promise.reject(new Error('a fault'));
    case 'hangs':
      return new Promise(() => {});
    case 'is late':
      return late(() => live(request)).then((changed) => changed);
    case 'rejects late':
      return late(fail);
    case 'returns nothing':
      return garbage(undefined);
    case 'returns null':
      return garbage(null);
    case 'returns an empty object':
      return garbage({});
    case 'returns a text':
      return garbage({ body: 'text', answered });
    case 'returns no bytes':
      return garbage({ body: null, answered });
    case 'returns garbage bytes':
      return garbage({
        body: Buffer.from('{"cut'),
        answered,
        withoutNew: () => ({ body: request.body, answered }),
      });
    case 'fails at the answer':
      return live(request).then((changed) => ({ ...changed, answered: fail }));
    default:
      return live(request);
  }
}
