import { askChild } from './child.ts';
import { type Limits, printLimits } from './limits.ts';
import { type Row, rowOf } from './row.ts';

/** About four characters each. */
const TOKENS = [200_000, 1_000_000];

/** Of a session of 3,000 reads: each file is read three times, or fifty times, which is work for the rules. */
const FILES = [1000, 60];

const LIMITS: Limits = {
  'live.200k.turn-cpu': ['<=', 1.5],
  'live.1000k.turn-cpu': ['<=', 4],
  'live.1000k.first-busy-max': ['<=', 10],
  'live.long.1000-files.growth': ['<=', 1.5],
  'live.long.60-files.growth': ['<=', 1.5],
  'live.recorded.200k.turn-cpu': ['<=', 1.5],
  'live.memory.100': ['<=', 2.5],
  'live.memory.400-large': ['<=', 1.1],
};

const ROUNDS = 5;

/** The medians of rounds, each in its own process, so that first sight finds no code that ran before. */
async function rounds(method: string, input: object): Promise<Row[]> {
  const found: Row[][] = [];
  for (let round = 0; round < ROUNDS; round++) found.push(await askChild<Row[]>('live-requests', method, input));
  return found[0]!.map(({ id, unit }, at) =>
    rowOf(
      id,
      unit,
      found.map((rows) => rows[at]!.median),
    ),
  );
}

export async function run(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const tokens of TOKENS) rows.push(...(await rounds('turns', { tokens })));
  for (const files of FILES) rows.push(...(await rounds('longSession', { files })));
  rows.push(
    ...(await askChild<Row[]>('live-requests', 'memory')),
    ...(await askChild<Row[]>('live-requests', 'manyLarge')),
    ...(await askChild<Row[]>('live-recorded', 'turns')),
  );
  printLimits(rows, LIMITS);
  return rows;
}
