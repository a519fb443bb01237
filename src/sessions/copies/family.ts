import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readOr } from '../../content/foreign-value.ts';
import { filePart } from '../../disk/file-part.ts';
import { fileStatus } from '../../disk/file-status.ts';
import { databaseAt } from '../../disk/opencode-database/database-session.ts';
import { dataFolder, importsFolder } from '../places/data-folder.ts';
import { isTranscript, TRANSCRIPT_SUFFIX } from '../places/transcript-file.ts';

/** The name or the time of the first thing that happened: a copy has it too. A fork of pi has a header of its own before it. */
const HEADER = /^\{"type":"session"[^\n]*\n/;
const FIRST = [/"uuid":\s*"([0-9a-f-]{36})"/, /"timestamp":\s*"([^"]+)"/];
const HEAD_BYTES = 16 * 1024;

/** The start of a file, one character per byte; undefined if it cannot be read. A pipe would wait for a writer. */
export function headOf(file: string): string | undefined {
  if (!fileStatus(file)?.isFile()) return undefined;
  return readOr(() => filePart(file, 0, HEAD_BYTES).toString('latin1'), undefined);
}

/** What the start of a session file has in common with its copies; undefined if nothing there tells it from others. */
export function familyOf(file: string): string | undefined {
  const body = headOf(file)?.replace(HEADER, '') ?? '';
  return FIRST.map((first) => first.exec(body)?.[1]).find((found) => found !== undefined);
}

/** The files in the folder of a session that begin as it does: what it is a copy of, and copies of it. */
export function relativesOf(file: string): readonly string[] {
  const family = databaseAt(file) === undefined ? familyOf(file) : undefined;
  if (family === undefined) return [];
  const folder = path.dirname(file);
  return readdirSync(folder)
    .filter((name) => path.extname(name) === path.extname(file) && name !== path.basename(file))
    .map((name) => path.join(folder, name))
    .filter((other) => familyOf(other) === family && !isTranscript(other));
}

/** The transcript of a copy that its agent finds. It is not beside it: other programs take every file there for a session. */
export const copyTranscript = (copy: string): string =>
  path.join(dataFolder(), 'transcripts', `${path.basename(copy)}${TRANSCRIPT_SUFFIX}`);

/** The transcript of a smaller session that `density` wrote, which is beside it unless it is a copy; no other session has one. */
export function transcriptOf(file: string): string | undefined {
  const place = databaseAt(file);
  const written = place === undefined ? file : path.join(importsFolder(), `${place.id}.json`);
  return [`${written}${TRANSCRIPT_SUFFIX}`, copyTranscript(written)].find((transcript) => existsSync(transcript));
}
