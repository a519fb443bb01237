import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { largestFirst, namedSessions } from '../src/cli/options/named-sessions.ts';
import type { ComparedFile, ComparisonQuestion } from '../src/lab/compared-file.ts';
import { FileThreads } from '../src/lab/files/file-threads.ts';
import { DEFAULT_PROFILES } from '../src/lab/policy.ts';
import { workerFile } from '../src/threads/worker-file.ts';
import { type Row, rowOf } from './row.ts';

const SESSIONS = path.resolve(import.meta.dirname, '../../../shared/data');
/** What is compared: the sessions, and eight times as much, where starting cold no longer counts. */
const FOLDERS = [
  { id: 'compare.sessions', copies: 1, rounds: 5 },
  { id: 'compare.eightfold', copies: 8, rounds: 1 },
];
/** Source: what `density compare` is to reach on two processors that do nothing else. */
const MIN_MB_PER_S = 12;

interface Round {
  readonly sessions: number;
  readonly sizeBytes: number;
  readonly regrets: number;
  readonly tookMs: number;
}

async function compareAll(files: readonly string[]): Promise<Round> {
  let [sessions, sizeBytes, regrets] = [0, 0, 0];
  const startedAt = performance.now();
  const threads = new FileThreads<ComparisonQuestion, ComparedFile>(availableParallelism(), workerFile('compare'));
  await threads.ask(
    files.map((file) => ({ path: file, policies: DEFAULT_PROFILES })),
    (outcome) => {
      if (!('result' in outcome)) return;
      sessions++;
      sizeBytes += outcome.result.sizeBytes;
      regrets += outcome.result.outcomes.reduce((sum, policy) => sum + policy.regrets.length, 0);
    },
  );
  await threads.close();
  return { sessions, sizeBytes, regrets, tookMs: performance.now() - startedAt };
}

/** All recorded sessions under the usual policies, on new threads in every round, as in the command. */
export async function run(): Promise<readonly Row[]> {
  if (!existsSync(SESSIONS)) {
    console.log(`No recorded sessions at ${SESSIONS}: nothing is compared.`);
    return [];
  }
  const files = largestFirst(namedSessions([SESSIONS]).files);
  const rows: Row[] = [];
  for (const { id, copies, rounds } of FOLDERS) {
    const done: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      done.push(await compareAll(Array(copies).fill(files).flat()));
      console.log(`${id}, round ${round} of ${rounds}: ${speedOf(done.at(-1)!).toFixed(1)} MB/s`);
    }
    expectSame(done);
    rows.push(rowOf(id, 'MB/s', done.map(speedOf)));
    console.log(`${done[0]!.sessions} sessions, ${DEFAULT_PROFILES.length} policies`);
  }
  console.log(`At least ${MIN_MB_PER_S} MB/s: ${rows[0]!.median >= MIN_MB_PER_S ? 'met' : 'missed'}`);
  return rows;
}

const speedOf = ({ sizeBytes, tookMs }: Round): number => sizeBytes / 1000 / tookMs;

function expectSame([first, ...others]: readonly Round[]): void {
  const isSame = others.every(({ sessions, regrets }) => sessions === first?.sessions && regrets === first.regrets);
  if (!isSame || first?.sessions === 0) throw new Error('Expected every round to find the same in the same sessions.');
}
