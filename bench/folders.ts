import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { namedSessions } from '../src/cli/options/named-sessions.ts';
import { fileStatus } from '../src/disk/file-status.ts';
import { packageFile } from '../src/package-file.ts';
import { type Row, rowOf } from './row.ts';

const DENSITY = fileURLToPath(packageFile('dist/density.js'));
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  bill: ['bill'],
  compactions: ['bill', '--compactions'],
};
const ROUNDS = 7;
/** Source: what both commands are to reach on two processors that do nothing else. */
const MIN_MB_PER_S = 20;

const recorded = (...names: string[]): string[] =>
  names.map((name) => path.resolve(import.meta.dirname, '../../../shared', name));

const FOLDERS = [
  { id: 'sessions', folders: recorded('data') },
  { id: 'all-sessions', folders: recorded('data', 'more-data') },
];

function ranOnce(
  words: readonly string[],
  folders: readonly string[],
): { readonly tookMs: number; readonly said: string } {
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [DENSITY, ...words, ...folders], { encoding: 'utf8' });
  const tookMs = performance.now() - startedAt;
  if (status !== 0) throw new Error(stderr);
  return { tookMs, said: stdout };
}

/** Commands about folders with sessions as a user starts them, from the start of the process to its end, in turn. */
export async function run(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { id, folders } of FOLDERS) {
    if (!folders.every(existsSync)) {
      console.log(`No recorded sessions at ${folders.join(', ')}.`);
      continue;
    }
    const megabytes = namedSessions(folders).files.reduce((sum, file) => sum + fileStatus(file)!.size, 0) / 1e6;
    const speeds = new Map<string, number[]>(Object.keys(COMMANDS).map((command) => [command, []]));
    const answers = new Map<string, string>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [command, words] of Object.entries(COMMANDS)) {
        const { tookMs, said } = ranOnce(words, folders);
        if ((answers.get(command) ?? said) !== said) throw new Error(`${command} said something else the second time.`);
        answers.set(command, said);
        speeds.get(command)!.push(megabytes / (tookMs / 1000));
      }
    }
    rows.push(...[...speeds].map(([command, values]) => rowOf(`folders.${command}.${id}`, 'MB/s', values)));
  }
  const missed = rows.filter(({ median }) => median < MIN_MB_PER_S).map((row) => row.id);
  console.log(`At least ${MIN_MB_PER_S} MB/s: ${missed.length === 0 ? 'met' : `missed by ${missed.join(', ')}`}`);
  return rows;
}
