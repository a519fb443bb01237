import { readOr } from '../../content/foreign-value.ts';
import { filePart } from '../../disk/file-part.ts';

/** The end of the name of a transcript that is written beside an output. */
export const TRANSCRIPT_SUFFIX = '.transcript.jsonl';
/** The start of each session of our own format. */
const HEAD = /^\s*\{"format":"high-density"/;
const HEAD_BYTES = 256;

/** True for a file of removed entries that `density` wrote: it is beside a session, and no session of its own. */
export const isTranscript = (file: string): boolean =>
  file.endsWith(TRANSCRIPT_SUFFIX) && readOr(() => HEAD.test(filePart(file, 0, HEAD_BYTES).toString('latin1')), false);
