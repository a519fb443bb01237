import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isRecord, jsonFields, readOr } from '../../content/foreign-value.ts';
import { fileStatus } from '../../disk/file-status.ts';
import { databaseAt } from '../../disk/opencode-database/database-session.ts';
import { regularFileBytes, regularFileText } from '../../disk/regular-file.ts';
import { importsFolder } from '../places/data-folder.ts';
import { foundSessions } from '../places/session-places.ts';
import { isRemovalStep, type RemovalStep } from '../removal-step.ts';
import { transcriptOf } from './family.ts';

/** What the transcript of a smaller copy says of it. */
export interface Installed {
  /** Under which its agent finds it. */
  readonly id: string;
  /** The absolute path of the session that it is a copy of. */
  readonly source: string;
}

/** A smaller copy of a session that `density` wrote where its agent finds it. */
export interface WrittenCopy extends Installed {
  readonly path: string;
  readonly transcript: string;
  readonly step: RemovalStep;
}

function copyIn(line: string): (Installed & { readonly step: RemovalStep }) | undefined {
  const { taken: step, installed } = jsonFields(line) ?? {};
  if (!isRemovalStep(step) || !isRecord(installed)) return undefined;
  const { id, source } = installed;
  return typeof id === 'string' && typeof source === 'string' ? { id, source, step } : undefined;
}

/** What is known of the session at `file` if it is such a copy, whether it was gone on with or not. */
export function writtenCopy(file: string): WrittenCopy | undefined {
  const transcript = transcriptOf(file);
  if (transcript === undefined) return undefined;
  const text = readOr(() => regularFileText(transcript), '');
  const found = copyIn(text.slice(0, text.indexOf('\n')));
  const place = databaseAt(file);
  return (
    found && { ...found, path: place === undefined ? file : path.join(importsFolder(), `${place.id}.json`), transcript }
  );
}

function copiesIn(folder: string): readonly WrittenCopy[] {
  if (!fileStatus(folder)?.isDirectory()) return [];
  return readdirSync(folder).flatMap((name) => writtenCopy(path.join(folder, name)) ?? []);
}

/** True if a copy is byte for byte as it was written, and its agent did not import it. */
export function isUntouched({ path: file, id, source, step }: WrittenCopy): boolean {
  const bytes = readOr(() => regularFileBytes(file), undefined);
  if (bytes === undefined || bytes.length !== step.file?.sizeBytes) return false;
  if (createHash('sha256').update(bytes).digest('hex') !== step.file.digest) return false;
  const isImported = databaseAt(source) !== undefined;
  return !isImported || !foundSessions().some((found) => databaseAt(found.path)?.id === id);
}

/** The untouched copy that an earlier run made of the same session by the same step, in this folder. */
export function sameCopy(
  folder: string,
  { source, step }: { readonly source: string; readonly step: RemovalStep },
): WrittenCopy | undefined {
  const isSame = ({ step: { file: _, ...own }, ...copy }: WrittenCopy): boolean =>
    copy.source === source && isDeepStrictEqual(own, JSON.parse(JSON.stringify(step)));
  return copiesIn(folder).find((copy) => isSame(copy) && isUntouched(copy));
}

/** True if the copy has nothing of its own: its source still exists, and no agent continued the copy. */
const isRemovable = (copy: WrittenCopy): boolean =>
  fileStatus(databaseAt(copy.source)?.file ?? copy.source)?.isFile() === true && isUntouched(copy);

/** True for a session that is such a copy. */
export function isRemovableCopy(file: string): boolean {
  const copy = writtenCopy(file);
  return copy !== undefined && isRemovable(copy);
}

/** The untouched copies on this computer whose source is still there. */
export function removableCopies(): readonly WrittenCopy[] {
  const installed = foundSessions().flatMap(({ path: file }) => writtenCopy(file) ?? []);
  const all = new Map([...installed, ...copiesIn(importsFolder())].map((copy) => [copy.path, copy]));
  return [...all.values()].filter(isRemovable);
}
