import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOr } from '../../content/foreign-value.ts';
import { packageFile } from '../../package-file.ts';
import { isOnPath } from '../../proxy/wrap/installed-command.ts';
import { quoted } from '../terminal/terminal.ts';

/** Folders that npm and npx put on the PATH of what they start. */
const FOLDER_OF_NPM = /[\\/](?:node_modules[\\/]\.bin|node-gyp-bin)[\\/]?$/;

/** The environment of a terminal: without the folders that npm and npx put on the PATH. */
export function terminalEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (environment['npm_execpath'] === undefined) return environment;
  const folders = (environment['PATH'] ?? '').split(path.delimiter);
  return { ...environment, PATH: folders.filter((folder) => !FOLDER_OF_NPM.test(folder)).join(path.delimiter) };
}

/** The file of this command. */
export const ownFile = (): string => fileURLToPath(packageFile('dist/density.js'));

/** True if `density` in a terminal is this command, and not another one with its name. */
function isNamed(environment: NodeJS.ProcessEnv): boolean {
  const realPath = (file: string): string | undefined => readOr(() => realpathSync(file), undefined);
  const folders = (environment['PATH'] ?? '').split(path.delimiter);
  const first = folders.map((folder) => realPath(path.join(folder, 'density'))).find((file) => file !== undefined);
  return first !== undefined && first === realPath(ownFile());
}

/** A line that starts with `density`, as it works in a terminal here: with Node and the file where the name does not start this command. */
export function typedLine(line: string): string {
  const environment = terminalEnvironment(process.env);
  if (isNamed(environment)) return line;
  const node = isOnPath('node', environment) ? 'node' : quoted(process.execPath);
  return line.replace(/^density(?= |$)/, () => `${node} ${quoted(ownFile())}`);
}
