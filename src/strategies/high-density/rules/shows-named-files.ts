import type { ToolCallBlock } from '../../../content/content.ts';
import { jsonText } from '../../../content/json-text.ts';

/** A program that prints lines of a file, and a path with an ending after it. */
const PRINTS = /\b(?:grep|rg|cat|nl|head|tail|sed -n)\b.*\s["']?[\w./-]+\.[a-z]{1,5}\b/;
/** Git's lines of a file, as they are, were, or differ. */
const GIT_PRINTS = /\bgit\b[^|]*\s(?:diff|show|blame)\b.*[\s:][\w./-]+\.[a-z]{1,5}\b/;
const GIT_COUNTS = /\s--(?:stat|shortstat|numstat|name-only|name-status|summary|quiet)\b/;
const RECURSIVE = /grep\s+-\w*[rR]/;
/** A searching tool that is given a file, not a folder. */
const SEARCHED_FILE = /^(?:grep|search)\b.*"path":"[^"]*\.[a-z]{1,5}"/i;
/** Between the commands of a script, as JSON. A pipe is none: its start names the files. */
const SEPARATOR = /;|&&|\|\||\\n/;
/** A longer call is a script, of which the start says enough. */
const MOST_UNITS = 2000;

/**
 * True if a call prints lines of files that it names, such as `grep -n word src/a.ts`, `git diff src/a.ts`, or
 * `sed -n 1,20p src/a.ts` where the folder of the shell is not known: edits may need these lines, as those of a read.
 */
export function showsNamedFiles({ name, parameters }: ToolCallBlock): boolean {
  const text = `${name} ${[...jsonText(parameters)].join('')}`.slice(0, MOST_UNITS);
  if (SEARCHED_FILE.test(text)) return true;
  return text.split(SEPARATOR).some(printsLines);
}

function printsLines(command: string): boolean {
  if (GIT_PRINTS.test(command)) return !GIT_COUNTS.test(command);
  return PRINTS.test(command) && !RECURSIVE.test(command);
}
