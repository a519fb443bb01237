/**
 * Run by `npm run build`: bundles what a comparing thread runs into one script beside its entry, and keeps the bytecode
 * that V8 made of it while it compared the example in every format that can be written. Does nothing when both are up to
 * date.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import writeFileAtomic from 'write-file-atomic';
import { convertSession, writableFormats } from '../formats/convert.ts';
import { codeCacheBytes, codeCacheOf, loadBundle } from '../offload/bundle.ts';
import { exampleSession } from '../sessions/example-session.ts';
import { newSessionFacts } from '../sessions/new-session.ts';
import { compileForComparison } from './compile-flags.ts';
import { USUAL_POLICIES } from './policy.ts';

const ENTRY = path.join(import.meta.dirname, 'comparison-answer.js');
const BUNDLE = new URL('../../workers/compare.cjs', import.meta.url);

/** What stands beside a module is found from the bundle too. */
const ownPlaces: Plugin = {
  name: 'own-places',
  transform(code, id) {
    const place = path.relative(path.dirname(fileURLToPath(BUNDLE)), id).replaceAll(path.sep, '/');
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`);
  },
};

async function bundled(): Promise<string> {
  const bundle = await rolldown({ input: ENTRY, platform: 'node', plugins: [ownPlaces] });
  const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false, strict: true, comments: false });
  await bundle.close();
  return output[0].code;
}

async function codeCache(): Promise<Buffer> {
  const { exports, script } = loadBundle<typeof import('./comparison-answer.ts')>(BUNDLE);
  const session = exampleSession();
  const facts = newSessionFacts(session, { id: 'example', startedAt: 0 });
  const folder = mkdtempSync(path.join(tmpdir(), 'density-build-'));
  try {
    for (const format of writableFormats()) {
      const file = path.join(folder, format.name);
      writeFileSync(file, Buffer.concat(convertSession(session, format, facts).pieces));
      const answer = await exports.answerComparison({ path: file, policies: USUAL_POLICIES });
      if (answer.kind === 'failed')
        throw new Error(`Expected a comparison of ${format.name}, got ${answer.error.message}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return codeCacheBytes(BUNDLE, script);
}

compileForComparison();
const code = await bundled();
const isUpToDate =
  existsSync(BUNDLE) && readFileSync(BUNDLE, 'utf8') === code && loadBundle(BUNDLE).script.cachedDataRejected === false;
if (!isUpToDate) {
  writeFileAtomic.sync(fileURLToPath(BUNDLE), code);
  writeFileAtomic.sync(fileURLToPath(codeCacheOf(BUNDLE)), await codeCache());
}
