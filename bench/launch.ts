import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../src/package-file.ts';
import { type Row, rowOf } from './row.ts';

const ROUNDS = 21;
const dist = (file: string): string => packageFile(`dist/${file}`).href;
const FIRST_COUNT = `
const { createHistoryService, ThreadPool } = await import('${dist('index.js')}');
const history = createHistoryService({ model: 'gpt-4o', pool: new ThreadPool({ minBytes: 0 }) });
history.add({ speaker: 'human', blocks: [{ type: 'text', text: 'Is anybody there?' }] });
await history.waitForTokenUpdates();
if (history.getTotalTokens() !== 4 || history.engine.stats().bytesCountedOnThreads === 0) throw new Error('not counted on a thread');
process.exit();`;

/** Processes from their start to their end; the first one is Node itself. */
const PROCESSES: readonly { readonly id: string; readonly args: readonly string[] }[] = [
  { id: 'launch.node', args: ['-e', '0'] },
  { id: 'launch.help', args: [fileURLToPath(dist('density.js')), '--help'] },
  { id: 'launch.import', args: ['--input-type=module', '-e', `import '${dist('index.js')}'`] },
  { id: 'launch.first-count', args: ['--input-type=module', '-e', FIRST_COUNT] },
];

function tookMs(args: readonly string[]): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - startedAt;
}

/** Each start over a bare `node -e 0` of the same round, in turn: the machine is never equally busy for long. */
export async function run(): Promise<readonly Row[]> {
  const times = new Map<string, number[]>(PROCESSES.map(({ id }) => [id, []]));
  for (let round = 0; round < ROUNDS; round++) {
    let bareMs = 0;
    for (const [index, { id, args }] of PROCESSES.entries()) {
      const ms = tookMs(args);
      if (index === 0) bareMs = ms;
      times.get(id)?.push(index === 0 ? ms : ms - bareMs);
    }
  }
  return [...times].map(([id, values]) => rowOf(id, 'ms', values));
}
