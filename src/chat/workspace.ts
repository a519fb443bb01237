import { realpathSync } from 'node:fs';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { containedPath } from '../compaction/restore/contained-path.ts';
import { workspaceReader } from '../compaction/restore/workspace-reader.ts';
import { fileStatus } from '../disk/file-status.ts';
import { makeFolder } from '../disk/owner-only.ts';
import { CompressionStrategyError, codeOf, messageOf } from '../errors.ts';
import { ToolError } from './tools/tool-error.ts';

/** The largest file that can be read or attached. */
const LARGEST_FILE_BYTES = 4 << 20;

/** The only folder that the agent may read and change. Every path is checked after its links are followed. */
export class Workspace {
  /** Absolute, links resolved. */
  readonly root: string;

  /** @throws CompressionStrategyError `USAGE` if there is no such folder. */
  constructor(folder: string) {
    const absolute = path.resolve(folder);
    if (!fileStatus(absolute)?.isDirectory()) {
      throw new CompressionStrategyError(
        `Expected a folder for --workspace, but ${absolute} is not one. Create it, or name another folder.`,
        'USAGE',
      );
    }
    this.root = realpathSync(absolute);
  }

  /** The real, absolute path of `given`, which may be relative to the workspace. @throws ToolError if it is outside. */
  async resolve(given: string): Promise<string> {
    const absolute = path.resolve(this.root, given);
    if (absolute === this.root) return this.root;
    const found = await containedPath(absolute, { workDir: this.root, realWorkDir: this.root });
    if (found.kind === 'inside') return found.realPath;
    throw new ToolError(`Refused ${given}: ${found.reason}.`);
  }

  /** Relative to the workspace, with `/`. */
  shown(file: string): string {
    return path.relative(this.root, file).split(path.sep).join('/') || '.';
  }

  /** @throws ToolError if the file is outside, missing, not regular, too large or not text. */
  async read(given: string, signal: AbortSignal): Promise<string> {
    const file = await this.resolve(given);
    try {
      return await workspaceReader.read(file, { limitBytes: LARGEST_FILE_BYTES, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw new ToolError(reasonFor(given, error));
    }
  }

  /** Replaces or creates a regular file, and creates its folders. @throws ToolError */
  async write(given: string, text: string): Promise<void> {
    const file = await this.resolve(given);
    if (file === this.root) throw new ToolError(`Refused ${given}: it is the workspace itself.`);
    try {
      await makeFolder(path.dirname(file));
      const place = await this.resolve(given);
      const status = fileStatus(place);
      // A new file would take the place of a pipe, a socket or a device.
      if (status && !status.isFile()) throw new ToolError(`${given} is not a regular file.`);
      await writeFileAtomic(place, text);
    } catch (error) {
      throw new ToolError(reasonFor(given, error));
    }
  }
}

const noFile = (given: string): string => `${given} is not a file.`;
const denied = (given: string): string => `Permission is denied for ${given}.`;

/** What the model is told, by the code of an error. */
const REASONS: Readonly<Record<string, (given: string) => string>> = {
  ENOENT: (given) => `There is no file ${given}.`,
  EISDIR: noFile,
  ENOTDIR: noFile,
  EACCES: denied,
  EPERM: denied,
  ERR_ENCODING_INVALID_ENCODED_DATA: (given) => `${given} is binary, not text.`,
};

const reasonFor = (given: string, error: unknown): string =>
  REASONS[String(codeOf(error))]?.(given) ?? messageOf(error);
