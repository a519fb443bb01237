import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { AgentStart } from './agent.ts';

const LONGEST_MS = 5000;

/** The first number of the version of an installed command; undefined where it says none in five seconds. */
export async function majorVersion(
  command: string,
  environment: AgentStart['environment'],
): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)(command, ['--version'], { env: environment, timeout: LONGEST_MS });
    const [, digits] = /(\d{1,9})\.\d/.exec(stdout) ?? [];
    return digits === undefined ? undefined : Number(digits);
  } catch {
    // Whether it can be started at all is asked elsewhere, and a version that is not known is taken for the one that was tried.
    return undefined;
  }
}
