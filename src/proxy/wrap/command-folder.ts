import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const EXECUTABLE_MODE = 0o700;

/** A new folder `bin` with the `density` command in it, so that the command of a marker works in the agent's shell. */
export async function commandFolder(
  folder: string,
  commandFile: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string> {
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  const shell = `#!/bin/sh\nexec '${process.execPath}' '${commandFile}' "$@"\n`;
  await writeFile(path.join(bin, 'density'), shell, { mode: EXECUTABLE_MODE });
  // Shells of Windows find this one; its Git Bash the other.
  const batch = `@"${process.execPath}" "${commandFile}" %*\r\n`;
  if (platform === 'win32') await writeFile(path.join(bin, 'density.cmd'), batch);
  return bin;
}
