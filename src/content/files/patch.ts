import type { ToolDefinition } from '../vocabularies/vocabulary.ts';

const HEADER = /^\*\*\* (?:Update File|Add File|Delete File|Move to): (.+)$/gm;

/** The files that a patch in Codex syntax updates, adds, deletes, or moves, by both names; paths as written. */
export function patchedFiles(patch: string): string[] {
  if (!patch.includes('*** Begin Patch')) return [];
  return [...new Set(Array.from(patch.matchAll(HEADER), (match) => (match[1] as string).trim()))];
}

/** The files of all patches that a JavaScript source passes to `tools.apply_patch`; literal paths only. */
function patchedFilesOfScript(source: string): string[] {
  if (!source.includes('apply_patch(')) return [];
  const text = source.replaceAll('\\r', '').replaceAll('\\n', '\n');
  return patchedFiles(text).filter((file) => !file.includes('${'));
}

/** The function that finds the files in a text of this tool. */
export function patchParser({ parser }: ToolDefinition): (text: string) => string[] {
  return parser === 'script' ? patchedFilesOfScript : patchedFiles;
}
