import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { jsonOf } from '../../../content/foreign-value.ts';
import { fileStatus } from '../../../disk/file-status.ts';
import { reasonOf } from '../../../disk/reason-of.ts';
import type { ComparedFile } from '../../../lab/compared-file.ts';
import type { FileQuestion } from '../../../lab/files/file-answers.ts';
import type { ComparedProfile } from '../../../lab/policy.ts';
import { packageVersion } from '../../output/package-version.ts';
import { UsageError } from '../../terminal/terminal.ts';

/** A line of the file: the results of a session, and what they depend on. */
interface ResultRecord {
  readonly version: string;
  readonly policies: readonly ComparedProfile[];
  readonly place: string;
  readonly changedAt: number;
  readonly copied?: FileQuestion['copied'];
  readonly sent?: FileQuestion['sent'];
  readonly file: ComparedFile;
}

/** Results that an interrupted comparison can continue from. */
export interface ComparisonResults {
  /** The kept result of a file, if file, copied calls, what was sent of it, policies and version are unchanged. */
  of(file: FileQuestion): ComparedFile | undefined;
  keep(result: ComparedFile, file: FileQuestion): void;
}

export const NOTHING_KEPT: ComparisonResults = { of: () => undefined, keep: () => {} };

/** The start of every record, by which even a cut one is recognised. */
const RECORD_START = '{"version":';

/** True if records may be appended: the file is empty, or starts with a record, which may be cut. */
const isOurs = (text: string): boolean =>
  text === '' || text.slice(0, RECORD_START.length) === RECORD_START.slice(0, text.length);

/**
 * The results kept in the file `results`. If its last line is cut, that session is compared again.
 * @throws UsageError if the file cannot be written or has other content, for example a session.
 */
export function comparisonResults(
  results: string | undefined,
  policies: readonly ComparedProfile[],
): ComparisonResults {
  if (results === undefined) return NOTHING_KEPT;
  const known = new Map<string, ResultRecord>();
  const version = packageVersion();
  const wanted = JSON.stringify(policies);
  try {
    const text = existsSync(results) ? readFileSync(results, 'utf8') : '';
    if (!isOurs(text)) {
      throw new UsageError(
        `Expected results of an earlier comparison in ${results}, or no file yet, got a file with other content. Name another file.`,
      );
    }
    for (const line of text.split('\n')) {
      const record = jsonOf(line) as ResultRecord | undefined;
      if (record === undefined || record.version !== version || JSON.stringify(record.policies) !== wanted) continue;
      if (isUnchanged(record)) known.set(record.place, record);
    }
    // The next record must not continue a cut line.
    appendFileSync(results, text === '' || text.endsWith('\n') ? '' : '\n');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Expected a file to keep results in at ${results}, but ${reasonOf(error)}.`);
  }
  return {
    of({ path: file, copied, sent }) {
      const kept = known.get(path.resolve(file));
      const isSame = kept && isDeepStrictEqual([kept.copied, kept.sent], [copied, sent]);
      return isSame ? { ...kept.file, path: file } : undefined;
    },
    keep(file, { path: _, ...facts }) {
      const place = path.resolve(file.path);
      const { mtimeMs: changedAt } = statSync(place);
      const record: ResultRecord = { version, policies, place, changedAt, ...facts, file };
      appendFileSync(results, `${JSON.stringify(record)}\n`);
    },
  };
}

function isUnchanged({ place, changedAt, file }: ResultRecord): boolean {
  const status = fileStatus(place);
  return status !== undefined && status.mtimeMs === changedAt && status.size === file.sizeBytes;
}
