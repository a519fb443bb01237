import { z } from 'zod';
import { counted } from '../../content/counted.ts';
import { defineTool } from './contract.ts';

/** The parameters of the tool; also parses a list from a recorded session. */
export const todoList = z.object({
  todos: z.array(
    z.object({
      id: z.coerce.string().optional(),
      content: z.string(),
      status: z.enum(['pending', 'in_progress', 'completed']),
    }),
  ),
});

export const todoWrite = defineTool({
  name: 'todo_write',
  description: 'Replaces the todo list. Send the whole list each time.',
  parameters: todoList,
  run: async ({ todos }, { setTodos }) => {
    setTodos(todos.map(({ id, ...todo }) => ({ ...todo, ...(id !== undefined && { id }) })));
    const done = todos.filter(({ status }) => status === 'completed').length;
    return `${counted(todos.length, 'todo')}, ${done} of them completed.`;
  },
});
