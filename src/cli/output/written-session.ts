import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { batched } from '../../disk/batched.ts';
import { type FileBytes, fileBytes, heldBytes } from '../../disk/file-bytes.ts';
import { importableSession } from '../../disk/opencode-database/importable-session.ts';
import { type PendingFile, pendingFile, writeDevice } from '../../disk/pending-file.ts';
import { CompressionStrategyError } from '../../errors.ts';
import type { SessionChange, SessionFormat } from '../../formats/contract.ts';
import { SESSION_FORMATS } from '../../formats/index.ts';
import { joinLines } from '../../formats/lines/lines.ts';
import { openBytes, type SessionFile } from '../options/session-file.ts';
import { quoted, terminal } from '../terminal/terminal.ts';
import { type OutputTarget, outputTarget } from './output-target.ts';

/**
 * The agent's second file of a session, rewritten for that change of the session. `undefined` if the session
 * has none, or if the output does not have the name that the agent expects.
 * @throws CompressionStrategyError `OUTPUT_FAILED`
 */
export async function pendingCompanion(
  { format: { companion }, bytes }: SessionFile,
  target: OutputTarget,
  change: SessionChange,
): Promise<PendingFile | undefined> {
  if (!companion || target.kind !== 'file') return undefined;
  const names = [bytes.path, target.path].map((file) => path.basename(file));
  if (names.some((name) => name !== companion.sessionName)) return undefined;
  const own = path.join(path.dirname(bytes.path), companion.name);
  if (!existsSync(own)) return undefined;
  const before = joinLines(fileBytes(own).chunks());
  const file = path.join(path.dirname(target.path), companion.name);
  return pendingFile(file, [companion.write(before, change)], target);
}

interface WriteOptions {
  /** A path, or what makes one from the session. */
  readonly output: string | ((opened: SessionFile) => string);
  readonly format?: SessionFormat;
  readonly force?: boolean;
}

/** The session as it is to be written: one of a database comes back as a new one, beside the old. */
function writableBytes(file: string): FileBytes {
  const bytes = fileBytes(file);
  if (bytes.database === undefined) return bytes;
  return { ...bytes, ...heldBytes(importableSession(joinLines(bytes.chunks()), randomUUID())) };
}

/** How a session of a database comes back to its agent; nothing for any other. */
export function importNote({ bytes, session: { id, workspaceRoot } }: SessionFile, output: string): string | undefined {
  if (bytes.database === undefined || output === '-') return undefined;
  const file = path.resolve(output);
  const place = workspaceRoot === undefined ? '' : `cd ${quoted(workspaceRoot)} && `;
  return `${place}opencode import ${quoted(file)} && opencode --session ${id}`;
}

/**
 * Opens a session to write it again, and checks format and output before any work starts.
 * @throws CompressionStrategyError for a session or an output that does not fit.
 */
export async function openForWriting(
  file: string,
  options: WriteOptions,
): Promise<{ opened: SessionFile; target: OutputTarget }> {
  const opened = await openBytes(writableBytes(file), options.format);
  if (opened.format.write === undefined) {
    const writable = SESSION_FORMATS.filter(({ write }) => write !== undefined).map(({ name }) => name);
    throw new CompressionStrategyError(
      `Expected a session in a format that can be written (${writable.join(', ')}), got ${opened.format.name} in ${file}. You can replay and inspect it, or convert it to one of these formats first: density convert.`,
      'SESSION_NOT_WRITABLE',
    );
  }
  const output = typeof options.output === 'string' ? options.output : options.output(opened);
  return { opened, target: outputTarget(output, opened.bytes, options.force ?? false) };
}

/** Writes all pieces. The files `beside` appear before the first of them; each file appears complete or not at all. */
export async function writeOutput(
  target: OutputTarget,
  pieces: Iterable<Uint8Array>,
  beside: readonly (PendingFile | undefined)[] = [],
): Promise<void> {
  let output: PendingFile | undefined;
  try {
    if (target.kind === 'file') output = await pendingFile(target.path, pieces, target);
    // The removed entries must be safe on disk before the output appears without them.
    for (const file of beside) await file?.commit();
    await output?.commit();
    if (target.kind === 'device') await writeDevice(target.path, pieces);
    if (target.kind === 'stdout') for (const piece of batched(pieces)) await terminal().out.print(piece);
  } catch (error) {
    for (const file of beside) await file?.discard();
    await output?.discard();
    throw error;
  }
}
