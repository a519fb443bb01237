import { resolvePath } from '../../../content/files/workspace-path.ts';
import type { SharedSettings } from '../../settings/shared-settings.ts';

interface ReadingCall {
  readonly call: { readonly name: string };
  readonly reads: readonly string[];
}

/** The tools and files that pruning leaves alone. */
export class Protection {
  readonly #tools: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  readonly #paths: readonly string[];
  readonly #isEmpty: boolean;

  /** A path without a slash is the name of a file or folder, wherever it is; others start at the workspace root. */
  constructor({ protectedTools, protectedPaths }: SharedSettings, workspaceRoot: string) {
    this.#tools = new Set(protectedTools);
    this.#isEmpty = protectedTools.length === 0 && protectedPaths.length === 0;
    this.#names = new Set(protectedPaths.filter((path) => !path.includes('/')));
    const placed = protectedPaths.filter((path) => path.includes('/'));
    this.#paths = placed.map((path) => resolvePath(workspaceRoot, path));
  }

  /** Whether the tool of a call, or a file that it reads, is protected. */
  coversCall(reading: ReadingCall): boolean {
    if (this.#isEmpty) return false;
    return this.coversTool(reading.call.name) || reading.reads.some((file) => this.coversFile(file));
  }

  coversTool(name: string): boolean {
    return this.#tools.has(name);
  }

  /** Whether a file, by its absolute path, is protected or in a protected folder. */
  coversFile(file: string): boolean {
    if (this.#paths.some((path) => file === path || file.startsWith(path === '/' ? path : `${path}/`))) return true;
    return this.#names.size > 0 && file.split('/').some((part) => this.#names.has(part));
  }
}
