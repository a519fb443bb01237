/** `npm run proof -- <name> [arguments]`: one long proof that `npm test` only samples. Exits with 1 if it fails. */
import { readdirSync } from 'node:fs';

interface Proof {
  /** Prints its counts; resolves to true if the proof holds. */
  readonly prove?: (parameters: readonly string[]) => Promise<boolean>;
}

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.js') && file !== 'main.js')
  .map((file) => file.slice(0, -3))
  .sort();
const [name = '', ...parameters] = process.argv.slice(2);
const proof = names.includes(name) ? ((await import(`./${name}.js`)) as Proof) : undefined;
if (!proof?.prove) {
  console.error(`Expected the name of a proof (${names.join(', ')}), got ${JSON.stringify(name)}.`);
  process.exitCode = 2;
} else if (!(await proof.prove(parameters))) process.exitCode = 1;
