import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { IContent } from '../content/content.ts';
import { CompressionStrategyError } from '../errors.ts';
import { highDensity } from '../formats/high-density.ts';
import { fileBytes } from '../replay/file-bytes.ts';
import { dataFolder } from './data-folder.ts';
import type { OutputTarget } from './output-target.ts';
import { type PendingFile, pendingFile } from './pending-file.ts';
import type { SessionFile } from './session-file.ts';

const NEWLINE = 10;

/** Beside the output, or in the user's data folder where the output has no place of its own. */
export function transcriptPath(target: OutputTarget, { bytes }: SessionFile, now: Date): string {
  if (target.kind === 'file') return `${target.path}.transcript.jsonl`;
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return path.join(dataFolder(), 'transcripts', `${path.basename(bytes.path)}.${time}.jsonl`);
}

/** Entries of `before` that do not stand in `after` as they were. */
export function replacedEntries(before: readonly IContent[], after: readonly IContent[]): IContent[] {
  const kept = new Set(after);
  return before.filter((entry) => !kept.has(entry));
}

function* earlier(file: string): Generator<Uint8Array> {
  if (!existsSync(file)) return;
  let last = NEWLINE;
  for (const chunk of fileBytes(file).chunks()) {
    last = chunk.at(-1) ?? last;
    yield chunk;
  }
  if (last !== NEWLINE) yield new Uint8Array([NEWLINE]);
}

/**
 * The transcript with `replaced` behind what it holds already, ready to be put in place: a session of our own format
 * that `density inspect` reads. Every earlier run keeps its part (DESIGN 4, row 22).
 * @throws CompressionStrategyError `OUTPUT_FAILED`, also when the file is the session itself, which is never written to.
 */
export async function pendingTranscript(
  file: string,
  replaced: readonly IContent[],
  { session, bytes }: SessionFile,
  now: Date,
): Promise<PendingFile> {
  function* pieces(): Generator<Uint8Array> {
    yield* earlier(file);
    yield* highDensity.create!(replaced, {
      id: session.id ?? path.basename(bytes.path),
      ...(session.model !== undefined && { model: session.model }),
      ...(session.workspaceRoot !== undefined && { workspaceRoot: session.workspaceRoot }),
      startedAt: now.getTime(),
    });
  }
  if (existsSync(file) && fileBytes(file).identity === bytes.identity) {
    throw new CompressionStrategyError(
      `Expected a place for what is taken out, but ${file} is the session itself, which is never changed. Name another output.`,
      'OUTPUT_FAILED',
    );
  }
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // It holds what the session held, so nobody else may read it who may not read that.
  return pendingFile(file, pieces(), { mode: (bytes.mode & 0o700) | 0o600, mayReplace: true });
}
