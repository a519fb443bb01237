import { spawn } from 'node:child_process';
import { within } from '../../deadline.ts';
import { reasonOf } from '../../disk/reason-of.ts';
import { quoted, terminal } from '../terminal/terminal.ts';

/** The command that opens a file with the program the user has chosen for it. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
const OTHER_OPENER = ['xdg-open'];
/** An opener that still runs after this time shows the page itself. */
const WAIT_MS = 3_000;

/** The line that opens a file in the default browser. */
export const openingLine = (file: string): string =>
  `${process.platform === 'win32' ? 'start' : (OPENERS[process.platform] ?? OTHER_OPENER).join(' ')} ${quoted(file)}`;

/** Opens a file in the default browser; resolves with the reason if that is not possible. */
function openFailure(file: string): Promise<string | undefined> {
  const [command = '', ...args] = OPENERS[process.platform] ?? OTHER_OPENER;
  const ended = new Promise<string | undefined>((resolve) => {
    const child = spawn(command, [...args, file], { stdio: 'ignore', detached: true });
    child.once('error', (error) => resolve(`${command}: ${reasonOf(error)}`));
    child.once('exit', (code) => resolve(code === 0 ? undefined : `${command} ended with exit code ${code ?? 'none'}`));
    child.unref();
  });
  return within(WAIT_MS, ended, () => undefined);
}

/** Opens a written page in the default browser, or says on standard error that it cannot. The page remains. */
export async function openPage(file: string): Promise<void> {
  const reason = await openFailure(file);
  const { notes } = terminal();
  if (reason === undefined) await notes.print(notes.colors.dim('Opened in the default browser.\n'));
  else await notes.print(`Cannot open a browser here (${reason}). Open the page yourself: ${file}\n`);
}
