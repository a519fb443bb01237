import { lstatSync, mkdirSync, readFileSync, realpathSync, statSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { pendingFile } from '../../../../disk/pending-file.ts';
import { reasonOf } from '../../../../disk/reason-of.ts';
import { CompressionStrategyError, codeOf } from '../../../../errors.ts';

/** The usual mode of a new file. */
const NEW_MODE = 0o644;
const WRITE_BITS = 0o222;

/** The start file of a shell as it is now. */
export interface StartFile {
  /** The path of the file itself, if the usual path is a link. */
  readonly path: string;
  /** One character for each byte, so that every byte is kept; undefined if there is no file. */
  readonly text: string | undefined;
  readonly mode: number;
}

const refused = (file: string, why: string): CompressionStrategyError =>
  new CompressionStrategyError(
    `Expected a file that can be changed at ${file}, but ${why}. Nothing was changed.`,
    'OUTPUT_FAILED',
  );

/** Reads a start file, through links. @throws CompressionStrategyError `OUTPUT_FAILED` for what is no file, cannot be read, or is read-only */
export function readStartFile(named: string): StartFile {
  try {
    const file = realpathSync(named);
    const status = statSync(file);
    if (!status.isFile()) throw refused(named, 'it is no file');
    // A superuser may write it anyway, but its owner did not want that.
    if ((status.mode & WRITE_BITS) === 0) throw refused(file, 'it is read-only');
    return { path: file, text: readFileSync(file, 'latin1'), mode: status.mode & 0o7777 };
  } catch (error) {
    if (error instanceof CompressionStrategyError) throw error;
    if (codeOf(error) !== 'ENOENT') throw refused(named, reasonOf(error));
  }
  if (lstatSync(named, { throwIfNoEntry: false }) !== undefined)
    throw refused(named, 'it links to a file that is missing');
  return { path: named, text: undefined, mode: NEW_MODE };
}

/** Replaces a start file as a whole, or deletes it. @throws CompressionStrategyError `OUTPUT_FAILED`; the file is as it was then */
export async function writeStartFile({ path: file, mode }: StartFile, text: string | undefined): Promise<void> {
  try {
    if (text === undefined) return unlinkSync(file);
    mkdirSync(path.dirname(file), { recursive: true });
  } catch (error) {
    throw refused(file, reasonOf(error));
  }
  await (await pendingFile(file, [Buffer.from(text, 'latin1')], { mode, mayReplace: true })).commit();
}
