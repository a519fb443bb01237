import { oneLine } from '../../../content/lines/one-line.ts';
import { Workspace } from '../../workspace.ts';
import { filesBelow } from './files-below.ts';
import { globPattern } from './glob-pattern.ts';

const LINE_CHARS = 300;
const NEVER_ABORTED = new AbortController().signal;

/** Which files of a workspace are meant, and what is looked for in them. */
export interface FileSearch {
  /** The workspace: absolute, links resolved. */
  readonly root: string;
  /** A folder in it, absolute. */
  readonly folder: string;
  /** Files whose path from that folder matches; all when absent. */
  readonly glob?: string;
  /** A regular expression for their lines. Absent: the files themselves are found. */
  readonly expression?: string;
  /** How many finds are returned at most. */
  readonly most: number;
}

/** The files that a search finds, or `file:line: text` of each line, by name of file. Ends only when all are looked at. */
export async function searchFiles({ root, folder, glob, expression, most }: FileSearch): Promise<readonly string[]> {
  const workspace = new Workspace(root);
  const pattern = glob === undefined ? undefined : globPattern(glob);
  const line = expression === undefined ? undefined : new RegExp(expression, 'u');
  const start = new Workspace(folder);
  const found: string[] = [];
  for await (const file of filesBelow(folder)) {
    if (pattern && !pattern.test(start.shown(file))) continue;
    if (line === undefined) found.push(workspace.shown(file));
    else {
      const text = await workspace.read(file, NEVER_ABORTED).catch(() => '');
      for (const [index, one] of text.split('\n').entries()) {
        if (line.test(one)) found.push(`${workspace.shown(file)}:${index + 1}: ${oneLine(one, LINE_CHARS)}`);
        if (found.length >= most) break;
      }
    }
    if (found.length >= most) break;
  }
  return found;
}
