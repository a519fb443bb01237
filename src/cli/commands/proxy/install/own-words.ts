import { spawnSync } from 'node:child_process';
import { CompressionStrategyError, codeOf } from '../../../../errors.ts';
import { ownFile, terminalEnvironment } from '../../../output/own-command.ts';
import { packageVersion } from '../../../output/package-version.ts';
import { quoted } from '../../../terminal/terminal.ts';
import type { Words } from './shells.ts';

/** Start files may ask a network, and may wait for a terminal without end. */
const START_MS = 10_000;

/** True if a new terminal of this shell runs this version by these words; undefined if there is no such shell here. */
function isStarted(shell: string, words: Words): boolean | undefined {
  // Terminals of macOS open login shells.
  const flags = process.platform === 'darwin' ? ['-l', '-i', '-c'] : ['-i', '-c'];
  // An interactive shell would take the terminal for itself. @types/node lacks this option of `spawnSync`.
  const withoutTerminal = { detached: true };
  const { stdout, error } = spawnSync(shell, [...flags, `${words.join(' ')} --version`], {
    ...withoutTerminal,
    env: terminalEnvironment(process.env),
    input: '',
    encoding: 'utf8',
    timeout: START_MS,
    killSignal: 'SIGKILL',
    // A start file may print any number of errors.
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  if (error !== undefined && codeOf(error) === 'ENOENT') return undefined;
  return stdout.split('\n').some((line) => line.trim() === packageVersion());
}

/** What starts this command in new terminals of a shell. */
export interface OwnWords {
  readonly words: Words;
  /** False if there is no such shell here to try it in. */
  readonly isTried: boolean;
}

/** What starts this command in new terminals of a shell: its name, or Node and its file. @throws CompressionStrategyError `OUTPUT_FAILED` if neither does */
export function ownWords(shell: string): OwnWords {
  const byFile: Words = [quoted(process.execPath), quoted(ownFile())];
  for (const words of [['density'], byFile] satisfies Words[]) {
    const isOurs = isStarted(shell, words);
    if (isOurs === undefined) return { words: byFile, isTried: false };
    if (isOurs) return { words, isTried: true };
  }
  throw new CompressionStrategyError(
    `Expected a new terminal of ${shell} to run ${byFile.join(' ')}, but it does not within ${START_MS / 1000} seconds. Run \`${shell} -i -c '${byFile.join(' ')} --version'\` to see why; the start file may end, or start another program, before it is done. Nothing was changed.`,
    'OUTPUT_FAILED',
  );
}
