import type { ContentBlock } from '../content/content.ts';
import { ToolError } from './tools/tool-error.ts';
import type { Workspace } from './workspace.ts';

/** A typed message with the files that it mentions. */
interface AttachedFiles {
  readonly blocks: readonly ContentBlock[];
  /** Paths as typed. */
  readonly attached: readonly string[];
  /** Why a file was not attached, one line each. */
  readonly refused: readonly string[];
}

/** `@path` at the start of a word, or `@"path"` for a path with blanks. */
const MENTION = /(?<=^|\s)@(?:"([^"\n]+)"|([^\s"@,;:!?]+))/g;

/** The paths that a text mentions, without duplicates. A dot or bracket after a path is not part of it. */
function mentionedPaths(text: string): string[] {
  const found = [...text.matchAll(MENTION)].map(([, quoted, bare]) => quoted ?? bare!.replace(/[.)\]]+$/, ''));
  return [...new Set(found)].filter((path) => path !== '');
}

/**
 * The text as typed, then each mentioned file between the lines that mark an inclusion, so that older copies can be pruned
 * later. An `@word` that names no file of the workspace is only text. Source: REQ-HD-006.1.
 */
export async function attachFiles(text: string, workspace: Workspace, signal: AbortSignal): Promise<AttachedFiles> {
  const blocks: ContentBlock[] = [{ type: 'text', text }];
  const attached: string[] = [];
  const refused: string[] = [];
  for (const path of mentionedPaths(text)) {
    try {
      const content = await workspace.read(path, signal);
      const end = content.endsWith('\n') ? '' : '\n';
      blocks.push({ type: 'text', text: `--- ${path} ---\n${content}${end}--- End of content ---` });
      attached.push(path);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      refused.push(`@${path}: ${error.message}`);
    }
  }
  return { blocks, attached, refused };
}
