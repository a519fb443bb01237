import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ToolVocabulary } from '../../src/content/vocabularies/vocabulary.ts';
import type { Session } from '../../src/formats/contract.ts';
import { detectFormat } from '../../src/formats/index.ts';
import { linesOf } from '../../src/formats/lines/lines.ts';

const SHARED = path.resolve(import.meta.dirname, '../../../../shared');
const HEAD_BYTES = 256 * 1024;

export type RecordedSet = 'data' | 'more-data' | 'modern-data';

/** Files of the recorded sessions beside the checkout, sorted; empty, with a message, if there are none. */
export function recordedSessions(sets: readonly RecordedSet[] = ['data', 'more-data']): string[] {
  const folders = sets.map((name) => path.join(SHARED, name)).filter((folder) => existsSync(folder));
  if (folders.length === 0) console.log(`Recorded sessions are absent (${SHARED}): nothing can be proven.`);
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /^(?!manifest\.json$|[A-Z]+\.md$).*\.(jsonl?|traj|md)$/.test(name))
      .map((name) => path.join(folder, name))
      .sort(),
  );
}

/** The path of a recorded session from the folder of its set on. */
export const sessionName = (file: string): string => path.relative(SHARED, file);

/** One recorded session, read whole, with the tools of its format. */
export function recordedSession(file: string): Session & { readonly vocabulary: ToolVocabulary } {
  const bytes = readFileSync(file);
  const format = detectFormat(bytes.subarray(0, HEAD_BYTES).toString());
  return { ...format.read(linesOf(() => [bytes])), vocabulary: format.vocabulary };
}
