import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { IContent } from '../../content/content.ts';
import type { FileBytes } from '../../disk/file-bytes.ts';
import type { Session } from '../../formats/contract.ts';
import type { Loss } from '../../formats/losses/loss-kinds.ts';
import { fromErrorData } from '../../offload/error-data.ts';
import { packageFile } from '../../package-file.ts';
import type { FileCount } from '../file-count.ts';
import type { Inspection } from '../inspection.ts';
import type { Rewritten } from '../rewritten.ts';
import type {
  FallbackFacts,
  SessionFigures,
  SessionHead,
  SessionPlace,
  SessionQuestion,
  SessionReply,
  SessionRequest,
} from './session-protocol.ts';
import { EventAssembly, packedHistory } from './session-slices.ts';

/** The thread went away before it answered: what was asked can be done without it. */
export class ThreadLostError extends Error {
  override readonly name = 'ThreadLostError';
}

/** A session as the thread read it. */
export interface ThreadedSession {
  readonly session: Session;
  readonly readMs: number;
}

/** What a thread found in a session, which stays with the thread. */
export interface ThreadedInspection {
  readonly head: SessionHead;
  readonly readMs: number;
  readonly inspection: Inspection;
}

/** A session in another format; `pieces` are to be joined. */
export interface ThreadedConversion {
  readonly head: SessionHead;
  readonly readMs: number;
  readonly entries: number;
  readonly losses: readonly Loss[];
  readonly pieces: readonly Uint8Array[];
}

type OnProgress = (doneBytes: number) => void;

interface ReadOptions {
  readonly format?: string | undefined;
  /** Hears of bytes of the file. */
  readonly onProgress?: OnProgress | undefined;
}

type Part = Exclude<SessionReply, { readonly kind: 'progress' }>;

/** A thread that reads and counts sessions, so that the calling thread is never held up. One question at a time. */
export class SessionThread {
  readonly #worker: Worker;
  #isLost = false;

  /** Starts the thread; `workerFile` is built JavaScript. */
  constructor(workerFile: URL = packageFile('dist/workers/session.js')) {
    this.#worker = new Worker(workerFile, { execArgv: [] });
    // Between questions nobody listens, and an unheard error would end the process.
    this.#worker.on('error', () => {});
    this.#worker.once('exit', () => {
      this.#isLost = true;
    });
    this.#worker.unref();
  }

  /**
   * Reads the session at `path`. It comes in slices, with a turn of the event loop between two.
   * @throws CompressionStrategyError as `readSession` does; ThreadLostError when there is no thread any more.
   */
  async open(path: string, options: ReadOptions = {}): Promise<ThreadedSession> {
    const answer = this.#ask({ kind: 'open', ...place(path, options) }, options.onProgress);
    const { head, readMs } = await expectPart(answer, 'head');
    const assembly = new EventAssembly();
    for await (const part of answer) if (part.kind === 'events') assembly.take(part.slice);
    return { session: { ...head, events: assembly.events }, readMs };
  }

  /** What the session at `path` takes. @throws as `open` does. */
  async figures(path: string): Promise<SessionFigures> {
    const answer = this.#ask({ kind: 'figures', path });
    return (await expectLast(answer, 'figures')).figures;
  }

  /** Where the context of the session at `path` goes, counted as `model` does, else as its own. @throws as `open` does. */
  async inspect(path: string, options: ReadOptions & { model?: string | undefined }): Promise<ThreadedInspection> {
    const { model } = options;
    const question = { kind: 'inspect', ...place(path, options), ...(model !== undefined && { model }) } as const;
    const answer = this.#ask(question, options.onProgress);
    const { head, readMs } = await expectPart(answer, 'head');
    const { inspection } = await expectLast(answer, 'inspection');
    return { head, readMs, inspection };
  }

  /** The session at `path` in the format `to`. @throws as `open` and `convertSession` do. */
  async convert(
    path: string,
    options: ReadOptions & { readonly to: string; readonly fallback: FallbackFacts },
  ): Promise<ThreadedConversion> {
    const { to, fallback } = options;
    const answer = this.#ask({ kind: 'convert', ...place(path, options), to, fallback }, options.onProgress);
    const { head, readMs } = await expectPart(answer, 'head');
    const { entries, losses } = await expectPart(answer, 'converted');
    const pieces: Uint8Array[] = [];
    for await (const part of answer) if (part.kind === 'piece') pieces.push(part.bytes);
    return { head, readMs, entries, losses, pieces };
  }

  /**
   * The file `bytes`, which `session` was read from, with `after` as its live history. All of it is there at once, so
   * that what fails fails before anything is written. @throws as `open` and `rewritten` do.
   */
  async rewrite(
    bytes: FileBytes,
    options: { readonly session: Session; readonly after: readonly IContent[]; readonly onProgress?: OnProgress },
  ): Promise<Rewritten> {
    const { session, after } = options;
    const { path, sizeBytes } = bytes;
    const history = packedHistory(session.events, after);
    const question = { kind: 'rewrite', path, sizeBytes, format: session.format, history } as const;
    const answer = this.#ask(question, options.onProgress);
    const { step } = await expectPart(answer, 'step');
    const pieces: Uint8Array[] = [];
    for await (const part of answer) if (part.kind === 'piece') pieces.push(part.bytes);
    return { step, pieces };
  }

  /** Tokens of the text file at `path`. @throws as `open` does. */
  async count(path: string, options: { model: string; onProgress?: OnProgress }): Promise<FileCount> {
    const answer = this.#ask({ kind: 'count', path, model: options.model }, options.onProgress);
    return (await expectLast(answer, 'count')).count;
  }

  /** Ends the thread, busy or not. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  /** The parts of the answer; each is asked for when it is wanted, with a turn of the event loop between two. */
  async *#ask(question: SessionQuestion, onProgress?: OnProgress): AsyncGenerator<Part, undefined> {
    this.#worker.ref();
    try {
      let reply = await this.#exchange(question, onProgress);
      while (reply.kind !== 'end') {
        if (reply.kind === 'failed') throw fromErrorData(reply.error);
        yield reply;
        await nextEventLoopTurn();
        reply = await this.#exchange({ kind: 'next' }, onProgress);
      }
    } finally {
      this.#worker.unref();
    }
  }

  /** The next part. Progress comes unasked in between. */
  #exchange(request: SessionRequest, onProgress: OnProgress = () => {}): Promise<Part> {
    const worker = this.#worker;
    if (this.#isLost) return Promise.reject(new ThreadLostError('The thread that reads sessions had ended before.'));
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        worker.off('message', onMessage).off('error', onLoss).off('exit', onLoss);
        end();
      };
      const onLoss = (cause: unknown): void => settle(() => reject(lost(cause)));
      const onMessage = (reply: SessionReply): void => {
        if (reply.kind === 'progress') onProgress(reply.doneBytes);
        else settle(() => resolve(reply));
      };
      worker.on('message', onMessage).on('error', onLoss).on('exit', onLoss);
      worker.postMessage(request);
    });
  }
}

function lost(cause: unknown): ThreadLostError {
  const why = cause instanceof Error ? ` (${cause.message})` : '';
  return new ThreadLostError(`The thread that reads sessions was lost${why}.`, { cause });
}

const place = (path: string, { format }: ReadOptions): SessionPlace => ({
  path,
  ...(format !== undefined && { format }),
});

/** @throws ThreadLostError when the answer goes on otherwise. */
async function expectPart<Kind extends Part['kind']>(
  answer: AsyncGenerator<Part>,
  kind: Kind,
): Promise<Extract<Part, { readonly kind: Kind }>> {
  const { value } = await answer.next();
  if (!isPart(value, kind))
    throw new ThreadLostError(`Expected the ${kind} of a session, got ${value?.kind ?? 'nothing'}.`);
  return value;
}

function isPart<Kind extends Part['kind']>(part: Part | undefined, kind: Kind): part is Extract<Part, { kind: Kind }> {
  return part?.kind === kind;
}

/** The part that the answer ends with. */
async function expectLast<Kind extends Part['kind']>(answer: AsyncGenerator<Part>, kind: Kind) {
  const part = await expectPart(answer, kind);
  await answer.next();
  return part;
}
