import type { Tool } from './contract.ts';
import { deleteLineRange } from './delete-line-range.ts';
import { glob } from './glob.ts';
import { insertAtLine } from './insert-at-line.ts';
import { listDirectory } from './list-directory.ts';
import { readFile } from './read-file.ts';
import { readLineRange } from './read-line-range.ts';
import { readManyFiles } from './read-many-files.ts';
import { replace } from './replace.ts';
import { runShellCommand } from './run-shell-command.ts';
import { searchFileContent } from './search-file-content.ts';
import { todoWrite } from './todo-write.ts';
import { writeFile } from './write-file.ts';

/** Every tool of the agent, in the order in which the model is told of them. */
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
