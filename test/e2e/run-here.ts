import path from 'node:path';
import { Writable } from 'node:stream';
import type { main as Main } from '../../src/cli/main.ts';
import type { Outcome } from './density.ts';
import { slowClock } from './slow-clock.ts';

/** The built command line, with its chunks as Node loads them. */
const BUILT = path.resolve(import.meta.dirname, '../../dist/command-line.js');

/** A stream that keeps what is written to it, as the reader of a pipe does. */
class Kept extends Writable {
  /** No file. */
  readonly fd = -1;
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: () => void): void {
    this.text += chunk.toString();
    written();
  }
}

/** Sets the variables of this process; each of its threads and programs inherits them. */
function setVariables(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  Object.assign(process.env, variables);
}

let last: Promise<unknown> = Promise.resolve();

/** Runs a command line in this process, one at a time: the working folder and the variables belong to the process. */
export function runHere(
  words: readonly string[],
  { folder, environment }: { readonly folder: string; readonly environment: NodeJS.ProcessEnv },
): Promise<Outcome> {
  const outcome = last.then(() => runAlone(words, { folder, environment }));
  last = outcome.catch(() => {});
  return outcome;
}

async function runAlone(
  words: readonly string[],
  { folder, environment }: { readonly folder: string; readonly environment: NodeJS.ProcessEnv },
): Promise<Outcome> {
  const { main } = (await import(BUILT)) as { readonly main: typeof Main };
  const before = { folder: process.cwd(), variables: { ...process.env }, exitCode: process.exitCode };
  const out = new Kept();
  const err = new Kept();
  const { PATH } = process.env;
  const home = environment['HOME']!;
  const endClock = words[0] === 'wrap' ? slowClock() : undefined;
  try {
    process.chdir(folder);
    setVariables({
      PATH,
      // A package reads the home folder once, when it loads.
      XDG_DATA_HOME: path.join(home, '.local/share'),
      XDG_CONFIG_HOME: path.join(home, '.config'),
      XDG_CACHE_HOME: path.join(home, '.cache'),
      XDG_STATE_HOME: path.join(home, '.local/state'),
      ...environment,
    });
    process.exitCode = undefined;
    await main({ words, out, err } as unknown as Parameters<typeof Main>[0]);
    return { code: Number(process.exitCode ?? 0), signal: null, out: out.text, err: err.text };
  } finally {
    endClock?.();
    process.exitCode = before.exitCode;
    setVariables(before.variables);
    process.chdir(before.folder);
  }
}
