import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { CompressionStrategyError, messageOf } from '../errors.ts';
import { regularFileBytes } from './regular-file.ts';

/** A session of opencode in its storage folder: `storage/session/<project>/<session>.json`. */
const PLACE = /^(.*)[\\/]session[\\/][^\\/]+[\\/](ses_[^\\/]+)\.json$/;

/** Files of one session, to be read as one. */
interface StoredSession {
  readonly sizeBytes: number;
  chunks(onProgress?: (doneBytes: number) => void): Iterable<Uint8Array>;
}

/** A part of the document: our own text, or an unchanged file. */
type Piece = { readonly text: string } | { readonly file: string; readonly sizeBytes: number };

const pieceOf = (file: string): Piece => ({ file, sizeBytes: statSync(file).size });

/** The JSON files of a folder, ordered by name and so by time; none if the folder is missing. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => path.join(folder, name));
}

const joined = (lists: readonly (readonly Piece[])[]): Piece[] =>
  lists.flatMap((list, index) => (index === 0 ? list : [{ text: ',' }, ...list]));

function messagePieces(storage: string, file: string): Piece[] {
  const parts = filesIn(path.join(storage, 'part', path.basename(file, '.json')));
  const list = joined(parts.map((part) => [pieceOf(part)]));
  return [{ text: '{"info":' }, pieceOf(file), { text: ',"parts":[' }, ...list, { text: ']}' }];
}

/** @throws CompressionStrategyError `SESSION_UNREADABLE`, with the name of the file that is no JSON. */
function jsonBytes(file: string): Uint8Array {
  try {
    const bytes = regularFileBytes(file);
    JSON.parse(bytes.toString('utf8'));
    return bytes;
  } catch (cause) {
    throw new CompressionStrategyError(
      `Expected JSON in ${file}, a part of the session, but ${messageOf(cause).slice(0, 120)}. If opencode is writing it, try again later.`,
      'SESSION_UNREADABLE',
      { cause },
    );
  }
}

/**
 * A session of opencode from its storage folder (`message/<session>/`, `part/<message>/`) as one document, like that of
 * `opencode export`, with each file byte for byte. `undefined` if `file` is no such session.
 * Source: anomalyco/opencode, packages/opencode/src/storage
 */
export function storedSession(file: string): StoredSession | undefined {
  const [, storage, session] = PLACE.exec(path.resolve(file)) ?? [];
  if (storage === undefined || session === undefined || !existsSync(path.join(storage, 'message', session)))
    return undefined;
  const messages = filesIn(path.join(storage, 'message', session)).map((message) => messagePieces(storage, message));
  const pieces: Piece[] = [
    { text: '{"info":' },
    pieceOf(file),
    { text: ',"messages":[' },
    ...joined(messages),
    { text: ']}\n' },
  ];
  const sizeBytes = pieces.reduce((sum, piece) => sum + ('file' in piece ? piece.sizeBytes : piece.text.length), 0);
  return {
    sizeBytes,
    *chunks(onProgress) {
      let doneBytes = 0;
      for (const piece of pieces) {
        const bytes = 'file' in piece ? jsonBytes(piece.file) : Buffer.from(piece.text);
        doneBytes += bytes.length;
        onProgress?.(doneBytes);
        yield bytes;
      }
    },
  };
}
