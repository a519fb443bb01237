import module from 'node:module';
import path from 'node:path';
import envPaths from 'env-paths';
import { makeOwnerFolder } from '../disk/owner-only.ts';

/**
 * Lets later starts reuse the bytecode of the first, since Node 22.1. It is kept in this user's own cache folder: what others
 * can write, as the temporary folder that Node would take, must not be run. Await it before anything else loads.
 */
export async function cacheBytecode(): Promise<void> {
  // The types are those of Node 20.
  const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown };
  const isTurnedOff = process.env['NODE_DISABLE_COMPILE_CACHE'] !== undefined;
  const { cache } = envPaths('high-density', { suffix: '' });
  // Without a home it would be in the folder of a project.
  if (enableCompileCache === undefined || isTurnedOff || !path.isAbsolute(cache)) return;
  const folder = path.join(cache, 'compiled');
  try {
    // Node would try for ever to make it below `/proc`.
    await makeOwnerFolder(folder);
    enableCompileCache(folder);
  } catch {
    // Each start compiles anew.
  }
}
