import type { Todo } from '../contract.ts';
import { fenced } from './rendering.ts';

const ACTIVE: readonly Todo['status'][] = ['in_progress', 'pending'];

/** The open todos as `- [status] text`, those in progress first; empty when there are none (REQ-HD-011.3; docs/readings.md, row 23). */
export function todoList(todos: readonly Todo[]): string {
  return ACTIVE.flatMap((status) => todos.filter((todo) => todo.status === status))
    .map(({ status, content }) => `- [${status}] ${fenced(content)}`)
    .join('\n');
}
