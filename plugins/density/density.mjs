// Runs the installed `density`: agents copy this folder to a place of their own, so that the package is looked for on the PATH.
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [, , command, ...rest] = process.argv;

/** The folders that may contain the built package: around this file, and those of the command on the PATH. */
function* packages() {
  yield fileURLToPath(new URL('../../dist', import.meta.url));
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    const link = path.join(folder, 'density');
    // On Windows the command is a script beside the packages.
    if (process.platform === 'win32') yield path.join(folder, 'node_modules/high-density/dist');
    else if (existsSync(link)) yield path.dirname(realpathSync(link));
  }
}

/** The package is in no registry yet: a clone packs it. */
const MISSING =
  'the command `density` is not on the PATH. In a clone of high-density: npm ci && npm pack && npm install --global ./high-density-*.tgz';

/** What a hook says if there is no package; of the other hooks nothing is heard. */
async function sayMissing() {
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  if (!text.includes('"SessionStart"')) return;
  process.stdout.write(
    `${JSON.stringify({ systemMessage: `density: the plugin does nothing, because ${MISSING}` })}\n`,
  );
}

const name = command === 'hook' ? 'hook.js' : 'density.js';
let found;
for (const folder of packages()) {
  if (!existsSync(path.join(folder, name))) continue;
  found = path.join(folder, name);
  break;
}
if (found !== undefined) {
  process.argv = [process.argv[0], found, ...(command === 'hook' ? [] : [command, ...rest])];
  await import(pathToFileURL(found).href);
} else if (command === 'hook') await sayMissing();
else {
  process.stderr.write(`density: ${MISSING}\n`);
  process.exitCode = 1;
}
