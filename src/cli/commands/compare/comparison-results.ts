import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { reasonOf } from '../../../disk/file-bytes.ts';
import { fileStatus } from '../../../disk/file-status.ts';
import type { ComparedFile } from '../../../lab/compared-file.ts';
import type { Policy } from '../../../lab/policy.ts';
import { packageVersion } from '../../output/package-version.ts';
import { UsageError } from '../../terminal/failure.ts';

/** A line of the file: a session as it was compared, and what that stands on. */
interface ResultRecord {
  readonly version: string;
  readonly policies: readonly Policy[];
  readonly place: string;
  readonly changedAt: number;
  readonly file: ComparedFile;
}

/** What is kept of a comparison, so that one that was ended can go on. */
export interface ComparisonResults {
  /** What is known of a file that did not change since it was compared with the same policies by this version. */
  of(file: string): ComparedFile | undefined;
  keep(file: ComparedFile): void;
}

const NOTHING_KEPT: ComparisonResults = { of: () => undefined, keep: () => {} };

/** How every record starts: what one that was cut short is known by. */
const RECORD_START = '{"version":';

/** Whether a file may be added to: it is empty, or its first line is a record, whole or the start of one. */
const isOurs = (text: string): boolean =>
  text === '' || text.slice(0, RECORD_START.length) === RECORD_START.slice(0, text.length);

/**
 * What was kept at `results`, whose last line may be cut short: that session is compared again.
 * @throws UsageError when it cannot be written, or holds something else: a session, say, is never changed.
 */
export function comparisonResults(results: string | undefined, policies: readonly Policy[]): ComparisonResults {
  if (results === undefined) return NOTHING_KEPT;
  const known = new Map<string, ComparedFile>();
  const version = packageVersion();
  const wanted = JSON.stringify(policies);
  try {
    const text = existsSync(results) ? readFileSync(results, 'utf8') : '';
    if (!isOurs(text)) {
      throw new UsageError(
        `Expected results of an earlier comparison in ${results}, or no file yet, got one with something else in it. Name another file.`,
      );
    }
    for (const line of text.split('\n')) {
      const record = recordIn(line);
      if (record === undefined || record.version !== version || JSON.stringify(record.policies) !== wanted) continue;
      if (isUnchanged(record)) known.set(record.place, record.file);
    }
    // What follows a line that is cut must not become part of it.
    appendFileSync(results, text === '' || text.endsWith('\n') ? '' : '\n');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Expected a file to keep results in at ${results}, but ${reasonOf(error)}.`);
  }
  return {
    of(file) {
      const kept = known.get(path.resolve(file));
      return kept && { ...kept, path: file };
    },
    keep(file) {
      const place = path.resolve(file.path);
      const record: ResultRecord = { version, policies, place, changedAt: statSync(place).mtimeMs, file };
      appendFileSync(results, `${JSON.stringify(record)}\n`);
    },
  };
}

function recordIn(line: string): ResultRecord | undefined {
  try {
    return JSON.parse(line) as ResultRecord;
  } catch {
    return undefined;
  }
}

function isUnchanged({ place, changedAt, file }: ResultRecord): boolean {
  const status = fileStatus(place);
  return status !== undefined && status.mtimeMs === changedAt && status.size === file.sizeBytes;
}
