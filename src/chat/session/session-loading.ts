import { messageOf } from '../../errors.ts';
import { counted } from '../../report/figures.ts';
import type { ChatListener } from '../chat-event.ts';
import type { ChatSession } from './chat-session.ts';
import { type LoadedSession, loadSession } from './load-session.ts';

/** The first session of a conversation. `from`: a copy of a session of any agent, whose own file does not change. */
export type Beginning =
  | { readonly kind: 'new' }
  | { readonly kind: 'resume'; readonly path: string; readonly id: string }
  | { readonly kind: 'from'; readonly path: string };

type Recorded = Exclude<Beginning, { kind: 'new' }>;

/** Reads the entries that a session starts with, in the background. */
export class SessionLoading {
  /** Resolves when everything is read. @throws as `loadSession` does. */
  readonly ready: Promise<void>;
  readonly #session: ChatSession;
  readonly #emit: ChatListener;
  #share: number | undefined;

  /** Reports progress and outcome to `emit`, unless the session was closed before. */
  constructor(session: ChatSession, beginning: Beginning, emit: ChatListener) {
    this.#session = session;
    this.#emit = emit;
    this.ready = beginning.kind === 'new' ? Promise.resolve() : this.#load(beginning);
    // The next message reports the error again.
    this.ready.catch((error: unknown) => this.#notify(messageOf(error)));
  }

  /** 0-1 while the session is read; undefined when it is complete. */
  get share(): number | undefined {
    return this.#share;
  }

  async #load(beginning: Recorded): Promise<void> {
    this.#share = 0;
    try {
      const loaded = await loadSession(beginning.path, (share) => {
        this.#share = share;
        this.#emit({ kind: 'status' });
      });
      await this.#session.begin(loaded.entries, { isKnown: beginning.kind === 'resume' });
      this.#session.todos = loaded.todos;
      this.#notify(greeting(loaded, beginning));
    } finally {
      this.#share = undefined;
      this.#emit({ kind: 'status' });
    }
  }

  #notify(text: string): void {
    if (!this.#session.isClosed) this.#emit({ kind: 'notice', text });
  }
}

function greeting({ entries, skippedLines, format }: LoadedSession, beginning: Recorded): string {
  const many = counted(entries.length, 'entry', 'entries');
  const skipped = skippedLines > 0 ? `; ${counted(skippedLines, 'line')} could not be read` : '';
  return beginning.kind === 'resume'
    ? `Resumed with ${many}${skipped}.`
    : `Continuing a copy of a session of ${format.title}, ${many}${skipped}. The file itself does not change.`;
}
