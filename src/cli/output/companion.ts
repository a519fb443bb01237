import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileBytes } from '../../disk/file-bytes.ts';
import { type PendingFile, pendingFile } from '../../disk/pending-file.ts';
import type { SessionChange } from '../../formats/contract.ts';
import { joinLines } from '../../formats/lines/lines.ts';
import type { SessionFile } from '../options/session-file.ts';
import type { OutputTarget } from './output-target.ts';

/**
 * The agent's second file of a session, rewritten for that change of the session. `undefined` if the session
 * has none, or if the output does not have the name that the agent expects.
 * @throws CompressionStrategyError `OUTPUT_FAILED`
 */
export async function pendingCompanion(
  { format: { companion }, bytes }: SessionFile,
  target: OutputTarget,
  change: SessionChange,
): Promise<PendingFile | undefined> {
  if (!companion || target.kind !== 'file') return undefined;
  const names = [bytes.path, target.path].map((file) => path.basename(file));
  if (names.some((name) => name !== companion.sessionName)) return undefined;
  const own = path.join(path.dirname(bytes.path), companion.name);
  if (!existsSync(own)) return undefined;
  const before = joinLines(fileBytes(own).chunks());
  const file = path.join(path.dirname(target.path), companion.name);
  return pendingFile(file, [companion.write(before, change)], target);
}
