import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeOwnerFolder, OWNER_FILE_MODE } from '../disk/owner-only.ts';

/** The first version of Claude Code that calls the modules of a plugin; an earlier one ignores them. */
const FIRST = { words: '2.1.287', parts: [2, 1, 287] };
/** Claude Code names itself to what it starts: `AI_AGENT=claude-code_2-1-332_harness`. Source: seen in 2.1.332. */
const NAME = /^claude-code_(\d+)-(\d+)-(\d+)_/;

/** True if the parts are those of a version before the first one. */
function isEarlier(parts: readonly number[]): boolean {
  const at = FIRST.parts.findIndex((part, index) => part !== parts[index]);
  return at !== -1 && parts[at]! < FIRST.parts[at]!;
}

/**
 * What the plugin lacks in this Claude Code, said once for each version; undefined for one that has it, and where the
 * version is not known. @throws the system's error.
 */
export async function missingMods(runsIn: string | undefined, folder: string): Promise<object | undefined> {
  const parts = NAME.exec(runsIn ?? '')
    ?.slice(1)
    .map(Number);
  if (parts === undefined || !isEarlier(parts)) return undefined;
  const version = parts.join('.');
  const said = path.join(folder, 'claude-code-said');
  if (existsSync(said) && readFileSync(said, 'utf8') === version) return undefined;
  await makeOwnerFolder(folder);
  await writeFile(said, version, { mode: OWNER_FILE_MODE });
  return {
    systemMessage: `density: the command /density and compaction by rules need Claude Code ${FIRST.words} or newer, and this is ${version}; the rest of the plugin works.`,
  };
}
