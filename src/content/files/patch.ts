const HEADER = /^\*\*\* (?:Update File|Add File|Delete File|Move to): (.+)$/gm;

/** The files that a patch in Codex syntax writes, as it names them: updated, added, deleted, moved from and moved to. */
export function patchedFiles(patch: string): string[] {
  if (!patch.includes('*** Begin Patch')) return [];
  return [...new Set(Array.from(patch.matchAll(HEADER), (match) => (match[1] as string).trim()))];
}

/** The files of all patches in a JavaScript source that hands them to `tools.apply_patch`; literal paths only. */
export function patchedFilesOfScript(source: string): string[] {
  if (!source.includes('apply_patch(')) return [];
  const text = source.replaceAll('\\r', '').replaceAll('\\n', '\n');
  return patchedFiles(text).filter((file) => !file.includes('${'));
}
