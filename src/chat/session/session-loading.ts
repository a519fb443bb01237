import { messageOf } from '../../errors.ts';
import { counted } from '../../report/figures.ts';
import type { ChatListener } from '../chat-event.ts';
import type { ChatSession } from './chat-session.ts';
import { type LoadedSession, loadSession } from './load-session.ts';

/** What a conversation begins with. `from`: a session of any agent, which is only read; it goes on in a new one of ours. */
export type Beginning =
  | { readonly kind: 'new' }
  | { readonly kind: 'resume'; readonly path: string; readonly id: string }
  | { readonly kind: 'from'; readonly path: string };

type Recorded = Exclude<Beginning, { kind: 'new' }>;

/** What a session begins with, read in the background. */
export class SessionLoading {
  /** Resolves when all of it is there. @throws as `loadSession` does. */
  readonly ready: Promise<void>;
  readonly #session: ChatSession;
  readonly #emit: ChatListener;
  #share: number | undefined;

  /** Tells `emit` how far it is and how it ended, unless the session was left before. */
  constructor(session: ChatSession, beginning: Beginning, emit: ChatListener) {
    this.#session = session;
    this.#emit = emit;
    this.ready = beginning.kind === 'new' ? Promise.resolve() : this.#load(beginning);
    // Whoever says something next hears of it again.
    this.ready.catch((error: unknown) => this.#tell(messageOf(error)));
  }

  /** 0-1 while it is read; undefined when all is there. */
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
      this.#tell(greeting(loaded, beginning));
    } finally {
      this.#share = undefined;
      this.#emit({ kind: 'status' });
    }
  }

  #tell(text: string): void {
    if (!this.#session.isClosed) this.#emit({ kind: 'notice', text });
  }
}

function greeting({ entries, skippedLines, format }: LoadedSession, beginning: Recorded): string {
  const many = counted(entries.length, 'entry', 'entries');
  const skipped = skippedLines > 0 ? `; ${counted(skippedLines, 'line')} could not be read` : '';
  return beginning.kind === 'resume'
    ? `Resumed with ${many}${skipped}.`
    : `Continuing a copy of a session of ${format.title}, ${many}${skipped}. The file itself is only read.`;
}
