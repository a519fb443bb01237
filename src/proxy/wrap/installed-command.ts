import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { CompressionStrategyError } from '../../errors.ts';
import type { WrappedAgent } from '../agents/agent.ts';
import { WRAPPED_AGENTS } from '../agents/index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What Windows adds to the name of a command, where it does not say so itself. */
const DEFAULT_ENDINGS = '.COM;.EXE;.BAT;.CMD';

/** True if a folder of the PATH contains the command; on Windows also as `.cmd`, which npm makes there. */
export function isOnPath(
  command: string,
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const isWindows = platform === 'win32';
  const { delimiter, sep } = isWindows ? path.win32 : path.posix;
  const endings = isWindows ? ['', ...(environment['PATHEXT'] ?? DEFAULT_ENDINGS).split(';')] : [''];
  const folders = (environment['PATH'] ?? environment['Path'] ?? '').split(delimiter);
  return folders.some((folder) => endings.some((ending) => isExecutable(`${folder}${sep}${command}${ending}`)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws CompressionStrategyError `USAGE` with the way to install it if a command is not on the PATH. */
export function assertInstalled(
  command: string,
  environment: Environment,
  agents: readonly WrappedAgent[] = WRAPPED_AGENTS,
): void {
  if (isOnPath(command, environment)) return;
  const install = agents.find((agent) => agent.command === command)?.install;
  const how = install === undefined ? '' : ` To install it: ${install}`;
  throw new CompressionStrategyError(`Expected ${command} to be installed, but it is not on the PATH.${how}`, 'USAGE');
}
