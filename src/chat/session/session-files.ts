import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isContent } from '../../content/content-guard.ts';
import { counted } from '../../content/counted.ts';
import { isRecord, readOr } from '../../content/foreign-value.ts';
import { oneLine } from '../../content/lines/one-line.ts';
import { filePart } from '../../disk/file-part.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { headLines } from '../../formats/json/json-file.ts';
import { nearestName } from '../../settings/nearest-name.ts';

/** A session of our own format, as described by the start of its file. */
export interface StoredSession {
  readonly id: string;
  readonly path: string;
  readonly changedAt: number;
  readonly sizeBytes: number;
  readonly model?: string;
  readonly workspaceRoot?: string;
  /** The start of the user's first message. */
  readonly title?: string;
}

const SUFFIX = '.jsonl';
const HEAD_BYTES = 16 * 1024;
const TITLE_CHARS = 80;

/** For example `20261121-093005-3f9a`: ids sort by time. */
export function newSessionId(now: Date): string {
  const time = now
    .toISOString()
    .replaceAll(/[-:]|\..*/g, '')
    .replace('T', '-');
  return `${time}-${randomBytes(2).toString('hex')}`;
}

export const sessionFile = (folder: string, id: string): string => path.join(folder, `${id}${SUFFIX}`);

/** @throws the system's error. */
function stored(file: string): StoredSession | undefined {
  const { mtimeMs: changedAt, size: sizeBytes } = statSync(file);
  const [header, ...lines] = headLines(filePart(file, 0, HEAD_BYTES).toString('utf8'));
  if (!lines.some((line) => isRecord(line) && 'speaker' in line)) return undefined;
  const text = (field: 'model' | 'workspaceRoot'): Partial<StoredSession> =>
    isRecord(header) && typeof header[field] === 'string' ? { [field]: header[field] } : {};
  const said = lines.filter(isContent).find(({ speaker }) => speaker === 'human')?.blocks[0];
  const title = said?.type === 'text' ? { title: oneLine(said.text, TITLE_CHARS) } : {};
  const id = path.basename(file, SUFFIX);
  return { id, path: file, changedAt, sizeBytes, ...text('model'), ...text('workspaceRoot'), ...title };
}

/** The sessions in `folder` that contain an entry, the latest change first. */
export function storedSessions(folder: string): StoredSession[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .flatMap((name) => readOr(() => stored(path.join(folder, name)), undefined) ?? [])
    .sort((one, other) => other.changedAt - one.changedAt);
}

/**
 * The session whose id is or starts with `wanted`. Without `wanted`: the newest of the workspace, else the newest of all.
 * @throws CompressionStrategyError `SESSION_UNKNOWN` if none or several fit.
 */
export function findSession(
  folder: string,
  { wanted, workspaceRoot }: { wanted: string | undefined; workspaceRoot: string },
): StoredSession {
  const all = storedSessions(folder);
  if (all.length === 0) throw unknown(`Expected a session to continue, but there is none in ${folder} yet.`);
  if (wanted === undefined) return all.find((one) => one.workspaceRoot === workspaceRoot) ?? all[0]!;
  const fitting = all.filter(({ id }) => id.startsWith(wanted));
  const exact = fitting.find(({ id }) => id === wanted) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (exact) return exact;
  const ids = all.map(({ id }) => id);
  const help =
    fitting.length > 1
      ? `${counted(fitting.length, 'id')} start like this: ${fitting
          .map(({ id }) => id)
          .slice(0, 5)
          .join(', ')}.`
      : `Did you mean "${nearestName(wanted, ids)}"?`;
  throw unknown(`Expected the id of a session, got ${JSON.stringify(wanted)}. ${help}`);
}

const unknown = (message: string): CompressionStrategyError => new CompressionStrategyError(message, 'SESSION_UNKNOWN');
