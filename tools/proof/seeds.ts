/**
 * The laws hold for other generated cases than those of `npm test`, whose seed is fixed.
 *
 * `npm run proof -- seeds [runs]`: runs every test file with generated cases, each run with a seed of its own; default 5.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LAST_LINES = 60;

export async function prove([runs = '5']: readonly string[]): Promise<boolean> {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => join('test', file))
    .filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'"));
  let failed = 0;
  for (let run = 0; run < Number(runs); run++) {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const { status, stdout } = spawnSync('npx', ['vitest', 'run', ...files], {
      env: { ...process.env, SEED: String(seed), NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    });
    if (status !== 0) {
      failed++;
      console.log(stdout.split('\n').slice(-LAST_LINES).join('\n'));
    }
    console.log(`Seed ${seed}: ${files.length} files, ${status === 0 ? 'all hold' : 'not all hold'}.`);
  }
  return failed === 0;
}
