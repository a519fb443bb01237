import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileBytes } from '../../disk/file-bytes.ts';
import { type WorkerName, workerFile } from '../../threads/worker-file.ts';

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** The hash of a session's bytes. @throws CompressionStrategyError `SESSION_UNREADABLE` */
export function contentHash(path: string): string {
  const hash = createHash('sha256');
  for (const chunk of fileBytes(path).chunks()) hash.update(chunk);
  return hash.digest('hex');
}

/** The hash of the built file that answers these questions: two builds that differ in it share no result. */
export const buildHash = (kind: WorkerName): string => sha256(readFileSync(workerFile(kind)));

interface Asked {
  readonly build: string;
  /** The question without the path of a file. */
  readonly question: object;
  readonly content: string;
}

/** Names a result by all that it depends on: what was asked, about which bytes, of which build. */
export const resultKey = ({ build, question, content }: Asked): string =>
  sha256(JSON.stringify([build, question, content]));
