import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The built command, as a user runs it. */
export const COMMAND = path.resolve(import.meta.dirname, '../../dist/density.js');

/** A folder for a PATH on which this command is `density`. */
export const COMMAND_FOLDER = mkdtempSync(path.join(tmpdir(), 'density-bin-'));
symlinkSync(COMMAND, path.join(COMMAND_FOLDER, 'density'));
process.once('exit', () => rmSync(COMMAND_FOLDER, { recursive: true, force: true }));

/** The PATH of these computers. */
export const PATH = (): string => [COMMAND_FOLDER, process.env['PATH']].join(path.delimiter);
