import { resolvePath } from '../../../content/files/workspace-path.ts';
import type { SharedSettings } from '../../settings/shared-settings.ts';

/** The tools and files that pruning leaves alone. */
export interface Protection {
  /** Whether the tool of a call, or a file that it reads, is protected. */
  coversCall(reading: { readonly call: { readonly name: string }; readonly reads: readonly string[] }): boolean;
  coversTool(name: string): boolean;
  /** Whether a file, by its absolute path, is protected or in a protected folder. */
  coversFile(file: string): boolean;
}

/** A path without a slash is the name of a file or folder, wherever it is; others start at the workspace root. */
export function protectionOf({ protectedTools, protectedPaths }: SharedSettings, workspaceRoot: string): Protection {
  const tools = new Set(protectedTools);
  const names = new Set(protectedPaths.filter((path) => !path.includes('/')));
  const placed = protectedPaths.filter((path) => path.includes('/')).map((path) => resolvePath(workspaceRoot, path));
  const folders = placed.map((path) => (path === '/' ? path : `${path}/`));
  const coversTool = (name: string): boolean => tools.has(name);
  const coversFile = (file: string): boolean =>
    placed.includes(file) ||
    folders.some((folder) => file.startsWith(folder)) ||
    (names.size > 0 && file.split('/').some((part) => names.has(part)));
  return { coversCall: ({ call, reads }) => coversTool(call.name) || reads.some(coversFile), coversTool, coversFile };
}
