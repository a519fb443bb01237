import { databaseAt } from '../disk/opencode-database/database-session.ts';
import { guardCopies } from '../disk/opencode-database/private-copy.ts';
import { ThreadHost } from '../threads/thread-host.ts';
import { workerFile } from '../threads/worker-file.ts';
import type { ComparedFile } from './compared-file.ts';
import type { Policy } from './policy.ts';

/** A request of the main thread to a comparing thread: one file at a time. */
export interface ComparisonRequest {
  readonly path: string;
  readonly policies: readonly Policy[];
}

/** One file of many, and its result. */
export type FileOutcome =
  | { readonly path: string; readonly file: ComparedFile }
  | { readonly path: string; readonly error: unknown };

interface ComparisonOptions {
  readonly policies: readonly Policy[];
  /** Called with each file as it is done, in no order. */
  readonly onDone: (outcome: FileOutcome) => void | Promise<void>;
}

type Host = ThreadHost<ComparisonRequest, ComparedFile>;

/** Threads that play sessions under policies. They load their modules at once, while the main thread still searches for files. */
export class ComparisonThreads {
  /** One thread each, so that a lost thread does not end the others' work. */
  readonly #hosts: readonly Host[];

  /** `file` is built JavaScript. */
  constructor(threads: number, file: URL = workerFile('compare')) {
    this.#hosts = Array.from({ length: threads }, () => new ThreadHost({ workerFile: file }));
    for (const host of this.#hosts) host.start();
  }

  /** Plays each file on the first free thread, and resolves when all are done. A lost thread costs only its current file. */
  async compare(paths: readonly string[], { policies, onDone }: ComparisonOptions): Promise<void> {
    const waiting = [...paths];
    const release = paths.some((path) => databaseAt(path) !== undefined) ? guardCopies() : undefined;
    const lane = async (host: Host): Promise<void> => {
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        await onDone(await compareOn(host, { path, policies }));
      }
    };
    await Promise.all(this.#hosts.map(lane)).finally(() => release?.());
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.close()));
  }
}

async function compareOn(host: Host, request: ComparisonRequest): Promise<FileOutcome> {
  const { path } = request;
  try {
    return { path, file: await host.run(() => request) };
  } catch (error) {
    return { path, error };
  }
}
