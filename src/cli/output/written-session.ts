import { batched } from '../../disk/batched.ts';
import { type PendingFile, pendingFile, writeDevice } from '../../disk/pending-file.ts';
import { CompressionStrategyError } from '../../errors.ts';
import type { SessionFormat } from '../../formats/contract.ts';
import { SESSION_FORMATS } from '../../formats/index.ts';
import { openSession, type SessionFile } from '../options/session-file.ts';
import { terminal } from '../terminal/terminal.ts';
import { type OutputTarget, outputTarget } from './output-target.ts';

/** Where a session is to be written to, and how it is to be read. */
export interface WriteOptions {
  readonly output: string;
  readonly format?: SessionFormat;
  readonly force?: boolean;
}

/**
 * Opens a session that is to be written again, after everything that can be known before has been checked.
 * @throws CompressionStrategyError for a session that cannot be read or written, or an output that cannot be.
 */
export async function openForWriting(
  file: string,
  options: WriteOptions,
): Promise<{ opened: SessionFile; target: OutputTarget }> {
  const opened = await openSession(file, options.format);
  if (opened.format.write === undefined) {
    const writable = SESSION_FORMATS.filter(({ write }) => write !== undefined).map(({ name }) => name);
    throw new CompressionStrategyError(
      `Expected a session in a format that can be written (${writable.join(', ')}), got ${opened.format.name} in ${file}. It can be replayed, inspected, and converted to one of these first: density convert.`,
      'SESSION_NOT_WRITABLE',
    );
  }
  return { opened, target: outputTarget(options.output, opened.bytes, options.force ?? false) };
}

/** Writes all pieces, and puts the files `beside` in place before them; all appear complete or not at all. */
export async function writeOutput(
  target: OutputTarget,
  pieces: Iterable<Uint8Array>,
  beside: readonly (PendingFile | undefined)[] = [],
): Promise<void> {
  let output: PendingFile | undefined;
  try {
    if (target.kind === 'file') output = await pendingFile(target.path, pieces, target);
    else if (target.kind === 'device') await writeDevice(target.path, pieces);
    else for (const piece of batched(pieces)) await terminal().out.print(piece);
    // What is taken out is safe before the output stands there without it.
    for (const file of beside) await file?.commit();
    await output?.commit();
  } catch (error) {
    for (const file of beside) await file?.discard();
    await output?.discard();
    throw error;
  }
}
