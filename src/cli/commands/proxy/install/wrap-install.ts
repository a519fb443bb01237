import { lstatSync, mkdirSync, readFileSync, realpathSync, statSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import { OWNER_FOLDER_MODE } from '../../../../disk/owner-only.ts';
import { pendingFile } from '../../../../disk/pending-file.ts';
import { reasonOf } from '../../../../disk/reason-of.ts';
import { SessionLock } from '../../../../disk/session-lock.ts';
import { CompressionStrategyError, codeOf } from '../../../../errors.ts';
import { dataFolder } from '../../../../sessions/places/data-folder.ts';
import { homeFolder, pathFromHome } from '../../../../sessions/places/home-folder.ts';
import { typedLine } from '../../../output/own-command.ts';
import { printable, terminal, UsageError } from '../../../terminal/terminal.ts';
import { withLines, withoutLines } from './marked-lines.ts';
import { ownWords } from './own-words.ts';
import { SHELLS } from './shells.ts';

interface Installing {
  /** Default: the one that `SHELL` names. */
  readonly shell?: string | undefined;
  /** True if the user is not asked. */
  readonly yes?: boolean | undefined;
}

function shellNamed(named: string | undefined): { readonly name: string; readonly shell: (typeof SHELLS)[string] } {
  const name = named ?? path.basename(process.env['SHELL'] ?? '');
  const shell = Object.hasOwn(SHELLS, name) ? SHELLS[name] : undefined;
  if (shell) return { name, shell };
  throw new UsageError(
    `Expected one of ${Object.keys(SHELLS).join(', ')} as the shell, got "${name}". Name it: --shell bash.`,
  );
}

/** True if the person says yes. @throws UsageError if no user can be asked */
async function isAgreed(question: string, isYes: boolean | undefined): Promise<boolean> {
  if (isYes) return true;
  if (!process.stdin.isTTY || !terminal().notes.isLive)
    throw new UsageError('Expected a terminal to ask on, or --yes. Nothing was changed.');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await reader.question(`${question} [y/N] `)).trim());
  } finally {
    reader.close();
  }
}

/** The usual mode of a new file. */
const NEW_MODE = 0o644;
const WRITE_BITS = 0o222;

/** The start file of a shell as it is now. */
interface StartFile {
  /** Of the file itself, where the usual path is a link. */
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
function readStartFile(named: string): StartFile {
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
async function writeStartFile({ path: file, mode }: StartFile, text: string | undefined): Promise<void> {
  try {
    if (text === undefined) return unlinkSync(file);
    mkdirSync(path.dirname(file), { recursive: true });
  } catch (error) {
    throw refused(file, reasonOf(error));
  }
  await (await pendingFile(file, [Buffer.from(text, 'latin1')], { mode, mayReplace: true })).commit();
}

const WAIT_MS = 50;
const LONGEST_WAIT_MS = 10_000;

/** Changes a start file as no other process of ours does meanwhile. @throws CompressionStrategyError as the other functions */
async function changeStartFile(named: string, change: (text: string | undefined) => string | undefined): Promise<void> {
  const folder = dataFolder();
  mkdirSync(folder, { recursive: true, mode: OWNER_FOLDER_MODE });
  const lock = await takenLock(path.join(folder, 'start-file'), Date.now() + LONGEST_WAIT_MS);
  try {
    const now = readStartFile(named);
    const text = change(now.text);
    if (text !== now.text) await writeStartFile(now, text);
  } finally {
    lock.release();
  }
}

async function takenLock(name: string, endMs: number): Promise<SessionLock> {
  for (;;) {
    try {
      return SessionLock.take(name);
    } catch (error) {
      if (codeOf(error) !== 'SESSION_IN_USE' || Date.now() > endMs) throw error;
    }
    await setTimeout(WAIT_MS);
  }
}

/** Adds a function that starts `agent` by `density wrap` to the start file of the shell: shows it, asks, and writes. */
export async function installWrap(agent: string, { shell: named, yes }: Installing): Promise<void> {
  const { out, notes } = terminal();
  const { name, shell } = shellNamed(named);
  const file = shell.startFile(process.env, homeFolder(), process.platform);
  const shown = printable(pathFromHome(file));
  const before = readStartFile(file);
  const { words, isTried } = ownWords(name);
  const lines = shell.wrapper(agent, words);
  if (withLines(before.text, agent, lines) === before.text)
    return out.print(`${shown} has these lines already. Nothing was changed.\n`);
  await out.print(`${withLines('', agent, lines)}\n`);
  if (!isTried) await notes.print(`density: there is no ${name} on this computer, so the lines were not tried in it\n`);
  if (!(await isAgreed(`Write these lines into ${shown}?`, yes))) return out.print('Nothing was changed.\n');
  await changeStartFile(file, (text) => withLines(text, agent, lines));
  await out.print(
    `Written to ${shown}. In a new terminal \`${agent}\` runs \`density wrap ${agent}\`. \`${typedLine(`density wrap --uninstall ${agent}`)}\` takes the lines out.\n`,
  );
}

/** Takes the lines of `installWrap` out of the start file, byte for byte. */
export async function uninstallWrap(agent: string, { shell: named }: Pick<Installing, 'shell'>): Promise<void> {
  const { out } = terminal();
  const file = shellNamed(named).shell.startFile(process.env, homeFolder(), process.platform);
  const shown = printable(pathFromHome(file));
  const { text: before } = readStartFile(file);
  const without = (text: string | undefined) => (text === undefined ? undefined : withoutLines(text, agent));
  if (without(before) === before)
    return out.print(`${shown} has no lines of \`density wrap --install ${agent}\`. Nothing was changed.\n`);
  await changeStartFile(file, without);
  await out.print(`Taken out of ${shown}. In a new terminal \`${agent}\` starts as before.\n`);
}
