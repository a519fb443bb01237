import { fileBytes } from '../../disk/file-bytes.ts';
import { messageOf } from '../../errors.ts';
import { liveHistory, type Session } from '../../formats/contract.ts';
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

/** The entries that a session starts with, which are read in the background. */
export interface SessionLoading {
  /** Resolves when everything is read. @throws CompressionStrategyError as `readSession` does. */
  readonly ready: Promise<void>;
  /** 0-1 while the session is read; undefined when it is complete. */
  readonly share: number | undefined;
}

/** Starts to read. Reports progress and outcome to `emit`, unless the session was closed before. */
export function sessionLoading(session: ChatSession, beginning: Beginning, emit: ChatListener): SessionLoading {
  let share: number | undefined;
  const notify = (text: string): void => {
    if (!session.isClosed) emit({ kind: 'notice', text });
  };
  const load = async (from: Recorded): Promise<void> => {
    share = 0;
    try {
      const { sizeBytes } = fileBytes(from.path);
      const recorded = await readOnThread(from.path, (doneBytes) => {
        share = doneBytes / sizeBytes;
        emit({ kind: 'status' });
      });
      const entries = liveHistory(recorded);
      await session.begin(entries, { isKnown: from.kind === 'resume' });
      session.todos = lastTodos(recorded);
      notify(greeting(recorded, entries.length, from));
    } finally {
      share = undefined;
      emit({ kind: 'status' });
    }
  };
  const ready = beginning.kind === 'new' ? Promise.resolve() : load(beginning);
  // The next message reports the error again.
  ready.catch((error: unknown) => notify(messageOf(error)));
  return {
    ready,
    get share() {
      return share;
    },
  };
}

function greeting({ skipped, format }: Session, entries: number, beginning: Recorded): string {
  const many = counted(entries, 'entry', 'entries');
  const unread = skipped.length > 0 ? `; ${counted(skipped.length, 'line')} could not be read` : '';
  return beginning.kind === 'resume'
    ? `Resumed with ${many}${unread}.`
    : `Continuing a copy of a session of ${formatNamed(format).title}, ${many}${unread}. The file itself does not change.`;
}
