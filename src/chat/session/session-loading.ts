import type { IContent } from '../../content/content.ts';
import { fileBytes } from '../../disk/file-bytes.ts';
import { messageOf } from '../../errors.ts';
import { liveHistory, type Session, type SessionFormat } from '../../formats/contract.ts';
import { formatNamed } from '../../formats/index.ts';
import { counted } from '../../report/figures.ts';
import { readSession } from '../../sessions/read-session.ts';
import { SessionThread } from '../../sessions/threads/session-thread.ts';
import type { Todo } from '../../strategies/contract.ts';
import { ThreadUnavailableError } from '../../threads/unavailable.ts';
import type { ChatListener } from '../chat-event.ts';
import { todoList } from '../tools/todo-write.ts';
import type { ChatSession } from './chat-session.ts';

/** The first session of a conversation. `from`: a copy of a session of any agent, whose own file does not change. */
export type Beginning =
  | { readonly kind: 'new' }
  | { readonly kind: 'resume'; readonly path: string; readonly id: string }
  | { readonly kind: 'from'; readonly path: string };

type Recorded = Exclude<Beginning, { kind: 'new' }>;

/** The content of a session that is continued. */
interface LoadedSession {
  readonly format: SessionFormat;
  /** The live history. */
  readonly entries: readonly IContent[];
  readonly todos: readonly Todo[];
  readonly workspaceRoot?: string;
  /** The number of unreadable lines. */
  readonly skippedLines: number;
}

/** The todo list of the last call that set one. */
function lastTodos(session: Session): Todo[] {
  for (const event of session.events.toReversed()) {
    const blocks = event.kind === 'add' ? event.content.blocks : [];
    const call = blocks.findLast((block) => block.type === 'tool_call' && block.name === 'todo_write');
    if (call?.type !== 'tool_call') continue;
    const parsed = todoList.safeParse(call.parameters);
    if (parsed.success)
      return parsed.data.todos.map(({ id, ...todo }) => ({ ...todo, ...(id !== undefined && { id }) }));
  }
  return [];
}

async function readOnThread(path: string, onProgress: (doneBytes: number) => void): Promise<Session> {
  const thread = new SessionThread();
  try {
    return (await thread.open(path, { onProgress })).session;
  } catch (error) {
    if (!(error instanceof ThreadUnavailableError)) throw error;
    return readSession(fileBytes(path)).recorded;
  } finally {
    await thread.close();
  }
}

/**
 * Reads a session of any known format on a thread. `onProgress` gets the share that is read, 0-1.
 * @throws CompressionStrategyError as `readSession` does.
 */
async function loadSession(path: string, onProgress: (share: number) => void): Promise<LoadedSession> {
  const { sizeBytes } = fileBytes(path);
  const session = await readOnThread(path, (doneBytes) => onProgress(doneBytes / sizeBytes));
  const format = formatNamed(session.format);
  const entries = liveHistory(session);
  const { workspaceRoot, skipped } = session;
  const todos = lastTodos(session);
  return {
    format,
    entries,
    todos,
    skippedLines: skipped.length,
    ...(workspaceRoot !== undefined && { workspaceRoot }),
  };
}

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
