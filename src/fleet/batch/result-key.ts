import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileBytes } from '../../disk/file-bytes.ts';
import { givenModels } from '../../economics/models/given-models.ts';
import { type WorkerName, workerFile } from '../../threads/worker-file.ts';

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** The hash of a session's bytes. @throws CompressionStrategyError `SESSION_UNREADABLE` */
export function contentHash(path: string): string {
  const hash = createHash('sha256');
  for (const chunk of fileBytes(path).chunks()) hash.update(chunk);
  return hash.digest('hex');
}

/** The hash of a built file and of what it loads late, which is in the folder of its name. */
export function builtHash(file: URL): string {
  const folder = new URL(file.href.replace(/\.js$/, '/'));
  const late = existsSync(folder) ? readdirSync(folder).sort() : [];
  const files = [file, ...late.map((name) => new URL(name, folder))];
  return sha256(JSON.stringify(files.map((one) => sha256(readFileSync(one))).concat(late)));
}

/**
 * The hash of what answers these questions: two builds that differ in it, or two users who give other prices, share no work and
 * no result.
 */
export const buildHash = (kind: WorkerName): string =>
  sha256(JSON.stringify([builtHash(workerFile(kind)), givenModels()]));

/** Names a result by all that it depends on: the question without the path of a file, the bytes, and the build. */
export const resultKey = (asked: { build: string; question: object; content: string }): string =>
  sha256(JSON.stringify([asked.build, asked.question, asked.content]));
