import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { IContent } from '../../content/content.ts';
import type { FileBytes } from '../../disk/file-bytes.ts';
import { databaseAt } from '../../disk/opencode-database/database-session.ts';
import { guardCopies } from '../../disk/opencode-database/private-copy.ts';
import type { Session } from '../../formats/contract.ts';
import type { Loss } from '../../formats/losses/loss-kinds.ts';
import { listenToProgress } from '../../threads/progress.ts';
import { ThreadHost } from '../../threads/thread-host.ts';
import { ThreadUnavailableError } from '../../threads/unavailable.ts';
import { workerFile } from '../../threads/worker-file.ts';
import type { FileCount } from '../file-count.ts';
import type { OptimizeConfig } from '../prunable.ts';
import type { Rewritten } from '../rewritten.ts';
import type { SessionFigures, SessionInspection } from '../session-inspection.ts';
import type {
  FallbackFacts,
  SessionHead,
  SessionPlace,
  SessionQuestion,
  SessionReply,
  SessionRequest,
} from './session-protocol.ts';
import type { InspectionChoice } from './session-replies.ts';
import { EventAssembly, packedHistory } from './session-slices.ts';

/** A session read by the thread. */
export interface ThreadedSession {
  readonly session: Session;
  readonly readMs: number;
}

/** An inspection by the thread, without the session itself. */
export interface ThreadedInspection {
  readonly head: SessionHead;
  readonly readMs: number;
  readonly inspection: SessionInspection;
}

/** A session in another format; `pieces` are joined to the file. */
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
  /** Called with the bytes of the file that are done. */
  readonly onProgress?: OnProgress | undefined;
}

/** A thread that reads and counts sessions, so that the calling thread is never blocked. One question at a time. */
export class SessionThread {
  readonly #host: ThreadHost<SessionRequest, SessionReply>;

  /** Starts the thread; `file` is built JavaScript. */
  constructor(file: URL = workerFile('session')) {
    this.#host = new ThreadHost({ workerFile: file });
    this.#host.start();
  }

  /**
   * Reads the session at `path`. The event loop turns between the slices in which it arrives.
   * @throws CompressionStrategyError as `readSession` does; ThreadUnavailableError when the thread has ended.
   */
  async open(path: string, options: ReadOptions = {}): Promise<ThreadedSession> {
    const answer = this.#ask({ kind: 'open', ...place(path, options) }, options.onProgress);
    const { head, readMs } = await expectPart(answer, 'head');
    const assembly = new EventAssembly();
    for await (const part of answer) if (part.kind === 'events') assembly.take(part.slice);
    return { session: { ...head, events: assembly.events }, readMs };
  }

  /** The figures of the session at `path`. @throws as `open` does. */
  async figures(path: string, optimize: OptimizeConfig): Promise<SessionFigures> {
    const answer = this.#ask({ kind: 'figures', path, optimize });
    return (await expectLast(answer, 'figures')).figures;
  }

  /** What fills the context of the session at `path`, counted as `model` does, else as its own model. @throws as `open` does. */
  async inspect(path: string, options: ReadOptions & InspectionChoice): Promise<ThreadedInspection> {
    const { model, optimize } = options;
    const question = {
      kind: 'inspect',
      optimize,
      ...place(path, options),
      ...(model !== undefined && { model }),
    } as const;
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
    return { head, readMs, entries, losses, pieces: await piecesOf(answer) };
  }

  /**
   * The file `bytes`, which `session` was read from, with `after` as its live history. All pieces exist before the caller
   * writes the first one, so an error leaves no half-written file. @throws as `open` and `rewritten` do.
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
    return { step, pieces: await piecesOf(answer) };
  }

  /** Tokens of the text file at `path`. @throws as `open` does. */
  async count(path: string, options: { model: string; onProgress?: OnProgress }): Promise<FileCount> {
    const answer = this.#ask({ kind: 'count', path, model: options.model }, options.onProgress);
    return (await expectLast(answer, 'count')).count;
  }

  /** Ends the thread, busy or not. */
  close(): Promise<void> {
    return this.#host.close();
  }

  /** The parts of the answer, each requested when needed. The event loop turns between two of them. */
  async *#ask(question: SessionQuestion, onProgress: OnProgress = () => {}): AsyncGenerator<SessionReply, undefined> {
    const { port, close } = listenToProgress(onProgress);
    const release = databaseAt(question.path) && guardCopies();
    try {
      let reply = await this.#host.run(() => ({ kind: 'ask', question, progress: port }));
      while (reply.kind !== 'end') {
        yield reply;
        await nextEventLoopTurn();
        reply = await this.#host.run(() => ({ kind: 'next' }));
      }
    } finally {
      release?.();
      close();
    }
  }
}

const place = (path: string, { format }: ReadOptions): SessionPlace => ({
  path,
  ...(format !== undefined && { format }),
});

/** @throws ThreadUnavailableError when the next part is of another kind. */
async function expectPart<Kind extends SessionReply['kind']>(
  answer: AsyncGenerator<SessionReply>,
  kind: Kind,
): Promise<Extract<SessionReply, { readonly kind: Kind }>> {
  const { value } = await answer.next();
  if (value?.kind !== kind)
    throw new ThreadUnavailableError('garbage', new Error(`expected the ${kind} of a session, got ${value?.kind}`));
  return value as Extract<SessionReply, { readonly kind: Kind }>;
}

/** The pieces of a file that the answer ends with. */
async function piecesOf(answer: AsyncGenerator<SessionReply>): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const part of answer) if (part.kind === 'piece') pieces.push(part.bytes);
  return pieces;
}

/** The part that the answer ends with. */
async function expectLast<Kind extends SessionReply['kind']>(answer: AsyncGenerator<SessionReply>, kind: Kind) {
  const part = await expectPart(answer, kind);
  await answer.next();
  return part;
}
