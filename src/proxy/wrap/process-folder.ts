import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { isProcessAlive, processToken } from '../../disk/session-lock.ts';

/** Processes of another name may be those of a container with the same folder of temporary files. */
const HOST = hostname().replace(/[^\w.]/g, '');
/** `density-wrap-PID-START-HOST-random`. */
const NAME = /^density-(?:wrap|route)-(\d+)-(\d*)-([\w.]*)-[A-Za-z0-9]{6}$/;

/** A new temporary folder that carries the identity of this process, so that another process can tell when it is not needed any more. */
export async function processFolder(kind: 'wrap' | 'route'): Promise<string> {
  const [pid, start = ''] = processToken().trim().split(' ');
  return mkdtemp(path.join(tmpdir(), `density-${kind}-${pid}-${start}-${HOST}-`));
}

/** Deletes the folders of this user's processes that were killed. Never rejects: what cannot be deleted now waits for another run. */
export async function deleteLeftFolders(): Promise<void> {
  const folder = tmpdir();
  const names = await readdir(folder).catch(() => []);
  await Promise.all(
    names.map(async (name) => {
      const [, pid, start, host] = NAME.exec(name) ?? [];
      if (pid === undefined || host !== HOST || isProcessAlive(`${pid} ${start}`)) return;
      const left = path.join(folder, name);
      try {
        const { uid } = await lstat(left);
        if (uid === (process.getuid?.() ?? uid)) await rm(left, { recursive: true, force: true });
      } catch {
        // Another run was faster, or it is not ours.
      }
    }),
  );
}
