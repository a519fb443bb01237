import type { IContent } from '../../content/content.ts';
import { fileBytes } from '../../disk/file-bytes.ts';
import { liveHistory, type Session, type SessionFormat } from '../../formats/contract.ts';
import { formatNamed } from '../../formats/index.ts';
import { readSession } from '../../sessions/read-session.ts';
import { SessionThread } from '../../sessions/threads/session-thread.ts';
import type { Todo } from '../../strategies/contract.ts';
import { ThreadUnavailableError } from '../../threads/unavailable.ts';
import { todoList } from '../tools/todo-write.ts';

/** The content of a session that is continued. */
export interface LoadedSession {
  readonly format: SessionFormat;
  /** The live history. */
  readonly entries: readonly IContent[];
  readonly todos: readonly Todo[];
  readonly workspaceRoot?: string;
  /** The number of unreadable lines. */
  readonly skippedLines: number;
}

/** The todo list of the last call that set one. */
export function lastTodos(session: Session): Todo[] {
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
export async function loadSession(path: string, onProgress: (share: number) => void): Promise<LoadedSession> {
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
