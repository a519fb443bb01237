import type { Tool } from './contract.ts';
import { deleteLineRange } from './files/delete-line-range.ts';
import { insertAtLine } from './files/insert-at-line.ts';
import { readFile } from './files/read-file.ts';
import { readLineRange } from './files/read-line-range.ts';
import { readManyFiles } from './files/read-many-files.ts';
import { replace } from './files/replace.ts';
import { writeFile } from './files/write-file.ts';
import { runShellCommand } from './run-shell-command.ts';
import { glob } from './search/glob.ts';
import { listDirectory } from './search/list-directory.ts';
import { searchFileContent } from './search/search-file-content.ts';
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
