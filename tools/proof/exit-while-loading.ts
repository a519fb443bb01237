/**
 * A process that ends, or disposes its history, while a thread still loads must not abort. Node 20 aborted in 2 of 500
 * such processes when worker files were loaded by `require` ("FATAL ERROR: v8::Module::IsGraphAsync").
 *
 * `npm run proof -- exit-while-loading [runs] [node …]`: that many processes with each Node; default 500 with this one.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { seededRandom } from '../../bench/random.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../../..');

/** In turn: dispose and end, end without disposing, dispose and go on until nothing is left to do. */
const SCRIPT = `
import { createHistoryService } from 'high-density';
const [way, waitMs] = process.argv.slice(1).map(Number);
const history = createHistoryService({ engine: 'offloaded', model: 'gpt-4.1' });
history.add({ speaker: 'human', blocks: [{ type: 'text', text: 'hello' }] });
setTimeout(() => {
  if (way !== 1) history.dispose();
  if (way !== 2) process.exit(0);
}, waitMs);
`;
const LONGEST_WAIT_MS = 160;

export async function prove([runs = '500', ...nodes]: readonly string[]): Promise<boolean> {
  let failures = 0;
  for (const node of nodes.length > 0 ? nodes : [process.execPath]) {
    const random = seededRandom(1);
    const failed: string[] = [];
    const total = Number(runs);
    for (let index = 0; index < total; index++) {
      const parameters = [String(index % 3), String(random.next() * LONGEST_WAIT_MS)];
      await run(node, ['--input-type=module', '-e', SCRIPT, ...parameters], { cwd: ROOT, timeout: 60_000 }).catch(
        (error: { code?: number | null; signal?: string | null; stderr?: string }) => {
          failed.push(`${parameters.join(' ')}: ${error.signal ?? error.code} ${(error.stderr ?? '').slice(0, 400)}`);
        },
      );
    }
    for (const failure of failed) console.log(failure);
    const version = (await run(node, ['--version'])).stdout.trim();
    console.log(`${version}: ${failed.length} of ${total} processes failed`);
    failures += failed.length;
  }
  return failures === 0;
}
