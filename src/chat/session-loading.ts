import type { ChatListener } from './chat-event.ts';
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
  #share: number | undefined;

  /** Tells `emit` how far it is and how it ended. */
  constructor(session: ChatSession, beginning: Beginning, emit: ChatListener) {
    this.ready = beginning.kind === 'new' ? Promise.resolve() : this.#load(session, beginning, emit);
    // Whoever says something next hears of it again.
    this.ready.catch((error: unknown) => emit({ kind: 'notice', text: String(error) }));
  }

  /** 0-1 while it is read; undefined when all is there. */
  get share(): number | undefined {
    return this.#share;
  }

  async #load(session: ChatSession, beginning: Recorded, emit: ChatListener): Promise<void> {
    this.#share = 0;
    try {
      const loaded = await loadSession(beginning.path, (share) => {
        this.#share = share;
        emit({ kind: 'status' });
      });
      await session.begin(loaded.entries, { isKnown: beginning.kind === 'resume' });
      session.todos = loaded.todos;
      emit({ kind: 'notice', text: greeting(loaded, beginning) });
    } finally {
      this.#share = undefined;
      emit({ kind: 'status' });
    }
  }
}

function greeting({ entries, skippedLines, format }: LoadedSession, beginning: Recorded): string {
  const many = `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`;
  const skipped = skippedLines > 0 ? `; ${skippedLines} lines could not be read` : '';
  return beginning.kind === 'resume'
    ? `Resumed with ${many}${skipped}.`
    : `Continuing a copy of a session of ${format.title}, ${many}${skipped}. The file itself is only read.`;
}
