import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { detectFormat } from '../../../src/formats/index.ts';
import { linesOf } from '../../../src/formats/lines/lines.ts';
import { compareProfiles } from '../../../src/lab/comparison.ts';
import { recordedCuts } from '../../../src/lab/cuts/recorded-cuts.ts';
import type { FileQuestion } from '../../../src/lab/files/file-answers.ts';
import { DEFAULT_PROFILES, NO_PRUNING } from '../../../src/lab/policy.ts';
import { answering } from '../../../src/threads/answer.ts';
import { blockCounter } from '../../../src/tokens/entries/block-counter.ts';

const HEAD_BYTES = 256 * 1024;
const POLICIES = [NO_PRUNING, ...DEFAULT_PROFILES.filter(({ name }) => name === 'recommended')];

/** What is done with a session: that of `density compactions`, or that of `density compare`, which takes several times as long. */
export const WORKS = ['compactions', 'compare'] as const;

/** A question about one of many sessions that are made from one file. */
export interface SaltedQuestion extends FileQuestion {
  readonly salt: number;
  readonly work: (typeof WORKS)[number];
}

export interface SaltedResult {
  readonly path: string;
  readonly hash: string;
}

/** Reads the session at `path` with another word in place of each "the", and returns the hash of what was read and of what came out. */
async function play({ path, salt, work }: SaltedQuestion): Promise<SaltedResult> {
  const text = readFileSync(path, 'utf8').replaceAll(' the ', ` th${salt.toString(36)} `);
  const bytes = Buffer.from(text);
  const format = detectFormat(bytes.subarray(0, HEAD_BYTES).toString());
  const session = format.read(linesOf(() => [bytes]));
  const model = session.model ?? 'unknown';
  const countBlock = blockCounter(model);
  const outcome =
    work === 'compare'
      ? await compareProfiles({ session, vocabulary: format.vocabulary, model, countBlock }, POLICIES)
      : recordedCuts(session, countBlock);
  const hash = createHash('sha256')
    .update(bytes)
    .update(JSON.stringify([session.events.length, outcome]));
  return { path, hash: hash.digest('hex') };
}

export default answering(play);
