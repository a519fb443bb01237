import module from 'node:module';
import path from 'node:path';
import envPaths from 'env-paths';

/**
 * Lets later starts reuse the bytecode of the first, since Node 22.1. It is kept in this user's own cache folder: what others
 * can write, as the temporary folder that Node would take, must not be run. Call it before anything else loads.
 */
export function cacheBytecode(): void {
  // The types are those of Node 20.
  const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown };
  enableCompileCache?.(path.resolve(envPaths('high-density', { suffix: '' }).cache, 'compiled'));
}
