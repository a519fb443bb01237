import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { homeFolder, pathFromHome } from '../../../../sessions/places/home-folder.ts';
import { UsageError } from '../../../terminal/failure.ts';
import { printable } from '../../../terminal/printable.ts';
import { terminal } from '../../../terminal/terminal.ts';
import { withLines, withoutLines } from './marked-lines.ts';
import { SHELLS } from './shells.ts';
import { readStartFile, writeStartFile } from './start-file.ts';

interface Installing {
  /** Default: the one that `SHELL` names. */
  readonly shell?: string | undefined;
  /** True if the user is not asked. */
  readonly yes?: boolean | undefined;
}

function shellNamed(named: string | undefined): (typeof SHELLS)[string] {
  const name = named ?? path.basename(process.env['SHELL'] ?? '');
  const shell = Object.hasOwn(SHELLS, name) ? SHELLS[name] : undefined;
  if (shell) return shell;
  throw new UsageError(
    `Expected one of ${Object.keys(SHELLS).join(', ')} as the shell, got "${name}". Name it: --shell bash.`,
  );
}

function isOnPath(command: string): boolean {
  return (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, command), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
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

/** Adds a function that starts `agent` by `density wrap` to the start file of the shell: shows it, asks, and writes. */
export async function installWrap(agent: string, { shell: named, yes }: Installing): Promise<void> {
  const { out, notes } = terminal();
  const shell = shellNamed(named);
  const file = shell.startFile(process.env, homeFolder(), process.platform);
  const shown = printable(pathFromHome(file));
  const lines = shell.wrapper(agent);
  const before = readStartFile(file);
  if (withLines(before.text, agent, lines) === before.text) {
    await out.print(`${shown} has these lines already. Nothing was changed.\n`);
    return;
  }
  await out.print(`${withLines('', agent, lines)}\n`);
  const isFound = isOnPath('density');
  if (!isFound)
    await notes.print(
      `density: no \`density\` is on your PATH: these lines start \`${agent}\` as before until \`npm install --global\` with the packed file puts it there\n`,
    );
  if (!(await isAgreed(`Write these lines into ${shown}?`, yes))) {
    await out.print('Nothing was changed.\n');
    return;
  }
  // It may have changed while the question was open.
  const now = readStartFile(file);
  await writeStartFile(now, withLines(now.text, agent, lines));
  const effect = isFound ? ` In a new terminal \`${agent}\` runs \`density wrap ${agent}\`.` : '';
  await out.print(`Written to ${shown}.${effect} \`density wrap --uninstall ${agent}\` takes the lines out.\n`);
}

/** Takes the lines of `installWrap` out of the start file, byte for byte. */
export async function uninstallWrap(agent: string, { shell: named }: Pick<Installing, 'shell'>): Promise<void> {
  const { out } = terminal();
  const file = shellNamed(named).startFile(process.env, homeFolder(), process.platform);
  const shown = printable(pathFromHome(file));
  const now = readStartFile(file);
  const left = now.text === undefined ? undefined : withoutLines(now.text, agent);
  if (left === now.text) {
    await out.print(`${shown} has no lines of \`density wrap --install ${agent}\`. Nothing was changed.\n`);
    return;
  }
  await writeStartFile(now, left);
  await out.print(`Taken out of ${shown}. In a new terminal \`${agent}\` starts as before.\n`);
}
