import type { Tool } from './contract.ts';
import { deleteLineRange, insertAtLine, replace, writeFile } from './files/edits.ts';
import { readFile, readLineRange, readManyFiles } from './files/reads.ts';
import { runShellCommand } from './run-shell-command.ts';
import { glob, listDirectory, searchFileContent } from './search/searches.ts';
import { todoWrite } from './todo-write.ts';

/** Every tool of the agent, in the order of the request. */
export const TOOLS: readonly Tool[] = [
  readFile,
  readLineRange,
  readManyFiles,
  writeFile,
  replace,
  insertAtLine,
  deleteLineRange,
  listDirectory,
  glob,
  searchFileContent,
  runShellCommand,
  todoWrite,
];
