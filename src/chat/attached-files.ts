import type { ContentBlock } from '../content/content.ts';
import { ToolError } from './tools/tool-error.ts';
import type { Workspace } from './workspace.ts';

/** What a person typed, with the files they named. */
export interface AttachedFiles {
  readonly blocks: readonly ContentBlock[];
  /** Paths as they were typed. */
  readonly attached: readonly string[];
  /** Why a file could not be attached, one line each. */
  readonly refused: readonly string[];
}

/** `@path`, at the start of a word; a path with blanks stands in quotes. */
const MENTION = /(?<=^|\s)@(?:"([^"\n]+)"|([^\s"@,;:!?]+))/g;

/** The paths that a text mentions, each once; a dot or bracket at the end of a sentence is not part of one. */
export function mentionedPaths(text: string): string[] {
  const found = [...text.matchAll(MENTION)].map(([, quoted, bare]) => quoted ?? bare!.replace(/[.)\]]+$/, ''));
  return [...new Set(found)].filter((path) => path !== '');
}

/**
 * The text as typed, and behind it each mentioned file between the lines that make it an inclusion, so that an older
 * copy can be pruned later. A word with `@` that names no file inside the workspace stays a word. Source: REQ-HD-006.1.
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
