import { readFileSync } from 'node:fs';
import type { Session } from '../formats/contract.ts';
import { highDensity } from '../formats/high-density/high-density.ts';
import { linesOf } from '../formats/lines/lines.ts';
import { packageFile } from '../package-file.ts';

const FILE = packageFile('dist/example-session.jsonl');

/**
 * The session in the package: an invented day of work on an invented project, 150 model calls with whole
 * and partial reads, edits, failed edits, searches, test runs and attached files. The tools have the names of
 * REQ-HD-005.2 and 005.3.
 */
export function exampleSession(): Session {
  return highDensity.read(linesOf(() => [readFileSync(FILE)]));
}
