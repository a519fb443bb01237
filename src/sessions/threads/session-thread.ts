import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { IContent } from '../../content/content.ts';
import type { FileBytes } from '../../disk/file-bytes.ts';
import { databaseAt } from '../../disk/opencode-database/database-session.ts';
import { guardCopies } from '../../disk/opencode-database/private-copy.ts';
import type { Session } from '../../formats/contract.ts';
import { listenToProgress } from '../../threads/progress.ts';
import { ThreadHost } from '../../threads/thread-host.ts';
import { ThreadUnavailableError } from '../../threads/unavailable.ts';
import { workerFile } from '../../threads/worker-file.ts';
import type { FileCount } from '../file-count.ts';
import type { OptimizeConfig } from '../prunable.ts';
import type { Rewritten } from '../rewritten.ts';
import type { InspectionChoice, SessionFigures } from '../session-inspection.ts';
import type {
  FallbackFacts,
  SessionAnswers,
  SessionPlace,
  SessionQuestion,
  SessionReply,
  SessionRequest,
} from './session-protocol.ts';
import { EventAssembly, packedHistory } from './session-slices.ts';

type OnProgress = (doneBytes: number) => void;
type Question<Kind extends SessionQuestion['kind']> = Extract<SessionQuestion, { readonly kind: Kind }>;

interface Listening {
  /** Called with the bytes of the file that are done. */
  readonly onProgress?: OnProgress | undefined;
}

interface ReadOptions extends Listening {
  readonly format?: string | undefined;
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
  async open(path: string, options: ReadOptions = {}): Promise<{ session: Session; readMs: number }> {
    const assembly = new EventAssembly();
    const question = { kind: 'open', ...place(path, options) } as const;
    const { head, readMs } = await this.#ask(question, options, (part) => {
      if (part.kind === 'events') assembly.take(part.slice);
    });
    return { session: { ...head, events: assembly.events }, readMs };
  }

  /** The figures of the session at `path`. @throws as `open` does. */
  figures(path: string, optimize: OptimizeConfig): Promise<SessionFigures> {
    return this.#ask({ kind: 'figures', path, optimize });
  }

  /** What fills the context of the session at `path`, counted as `model` does, else as its own model. @throws as `open` does. */
  inspect(path: string, options: ReadOptions & InspectionChoice): Promise<SessionAnswers['inspect']> {
    const { model, optimize } = options;
    const question = {
      kind: 'inspect',
      optimize,
      ...place(path, options),
      ...(model !== undefined && { model }),
    } as const;
    return this.#ask(question, options);
  }

  /** The session at `path` in the format `to`. @throws as `open` and `convertSession` do. */
  convert(path: string, options: ReadOptions & { readonly to: string; readonly fallback: FallbackFacts }) {
    const { to, fallback } = options;
    return this.#askForFile({ kind: 'convert', ...place(path, options), to, fallback }, options);
  }

  /**
   * The file `bytes`, which `session` was read from, with `after` as its live history. All pieces exist before the caller
   * writes the first one, so an error leaves no half-written file. @throws as `open` and `rewritten` do.
   */
  rewrite(
    bytes: FileBytes,
    options: { readonly session: Session; readonly after: readonly IContent[]; readonly onProgress?: OnProgress },
  ): Promise<Rewritten> {
    const { session, after } = options;
    const { path, sizeBytes } = bytes;
    const history = packedHistory(session.events, after);
    return this.#askForFile({ kind: 'rewrite', path, sizeBytes, format: session.format, history }, options);
  }

  /** Tokens of the text file at `path`. @throws as `open` does. */
  count(path: string, options: { model: string; onProgress?: OnProgress }): Promise<FileCount> {
    return this.#ask({ kind: 'count', path, model: options.model }, options);
  }

  /** Ends the thread, busy or not. */
  close(): Promise<void> {
    return this.#host.close();
  }

  /** The answer to a question, and the pieces of a file; they are to be joined. */
  async #askForFile<Kind extends 'convert' | 'rewrite'>(question: Question<Kind>, options: Listening) {
    const pieces: Uint8Array[] = [];
    const answer = await this.#ask(question, options, (part) => {
      if (part.kind === 'piece') pieces.push(part.bytes);
    });
    return { ...answer, pieces };
  }

  /**
   * The answer to a question; `onPart` is called with each part that follows. The event loop turns between two parts, each
   * requested when needed. @throws ThreadUnavailableError when the first part is no answer.
   */
  async #ask<Kind extends SessionQuestion['kind']>(
    question: Question<Kind>,
    { onProgress = () => {} }: Listening = {},
    onPart: (part: SessionReply) => void = () => {},
  ): Promise<SessionAnswers[Kind]> {
    const { port, close } = listenToProgress(onProgress);
    const release = databaseAt(question.path) && guardCopies();
    try {
      const first = await this.#host.run(() => ({ kind: 'ask', question, progress: port }));
      if (first?.kind !== 'answer')
        throw new ThreadUnavailableError('garbage', new Error(`expected an answer of a session, got ${first?.kind}`));
      for (let part = first as SessionReply; part.kind !== 'end'; ) {
        await nextEventLoopTurn();
        part = await this.#host.run(() => ({ kind: 'next' }));
        onPart(part);
      }
      return first.answer as SessionAnswers[Kind];
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
