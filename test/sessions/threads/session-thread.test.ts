import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { fileBytes } from '../../../src/disk/file-bytes.ts';
import { claudeCode } from '../../../src/formats/claude-code/claude-code.ts';
import { liveHistory } from '../../../src/formats/contract.ts';
import { decode, joinLines, linesOfText } from '../../../src/formats/lines/lines.ts';
import { applyEdits } from '../../../src/history/apply.ts';
import { readSession } from '../../../src/sessions/read-session.ts';
import { rewritten } from '../../../src/sessions/rewritten.ts';
import { sessionFigures } from '../../../src/sessions/session-inspection.ts';
import { SessionThread } from '../../../src/sessions/threads/session-thread.ts';
import { getCompressionStrategy } from '../../../src/strategies/index.ts';
import { ThreadUnavailableError } from '../../../src/threads/unavailable.ts';
import { claudeCodeSample } from '../../formats/claude-code-fixture.ts';

const BUILT = pathToFileURL(path.resolve(import.meta.dirname, '../../../dist/workers/session.js'));
const folder = mkdtempSync(path.join(tmpdir(), 'density-thread-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RECENCY = {
  readWritePruning: true,
  fileDedupe: true,
  recencyPruning: true,
  recencyRetention: 1,
  workspaceRoot: '/',
};

function written(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('the thread that reads sessions', () => {
  test('reads what would be read here, and answers one question after the other', async () => {
    const thread = new SessionThread(BUILT);
    for (const [index, text] of claudeCodeSample.texts.entries()) {
      const file = written(`${index}.jsonl`, text);
      const { session } = await thread.open(file);
      expect(session).toEqual(claudeCode.read(linesOfText(text)));
      expect((await thread.open(file, { format: 'claude-code' })).session).toEqual(session);
      expect(await thread.figures(file, RECENCY)).toEqual(sessionFigures(readSession(fileBytes(file)), RECENCY));
    }
    await thread.close();
  });

  test('writes a session again as it would be written here, with the step that leads back', async () => {
    const thread = new SessionThread(BUILT);
    const strategy = getCompressionStrategy('high-density', { vocabulary: claudeCode.vocabulary });
    let changed = 0;
    for (const [index, text] of claudeCodeSample.texts.entries()) {
      const bytes = fileBytes(written(`again-${index}.jsonl`, text));
      const { session } = await thread.open(bytes.path);
      const live = liveHistory(session);
      const result = strategy.optimize!(live, RECENCY);
      const after = applyEdits(live, result);
      changed += result.replacements.size;
      // What is appended meanwhile is not seen.
      appendFileSync(bytes.path, text);
      const { step, pieces } = await thread.rewrite(bytes, { session, after });
      const here = rewritten({ session, format: claudeCode, lines: linesOfText(text) }, after);
      expect(step).toEqual(here.step);
      expect(decode(joinLines(pieces))).toBe(decode(joinLines(here.pieces)));
    }
    expect(changed).toBeGreaterThan(0);
    await thread.close();
  });

  test('throws an error with its code, and continues to work', async () => {
    const thread = new SessionThread(BUILT);
    const prose = written('prose.txt', 'Dear reader,\n');
    await expect(thread.open(prose)).rejects.toMatchObject({ code: 'SESSION_FORMAT_UNKNOWN' });
    await expect(thread.figures(path.join(folder, 'missing'), RECENCY)).rejects.toMatchObject({
      code: 'SESSION_UNREADABLE',
    });
    await expect(thread.open(written('one.jsonl', claudeCodeSample.texts[0] ?? ''))).resolves.toBeDefined();
    await thread.close();
  });

  test('that does not load, or ends meanwhile, is reported as lost', async () => {
    const missing = new SessionThread(pathToFileURL(path.join(folder, 'missing.js')));
    await expect(missing.open('any')).rejects.toBeInstanceOf(ThreadUnavailableError);
    await expect(missing.open('any')).rejects.toBeInstanceOf(ThreadUnavailableError);
    const ending = new SessionThread(pathToFileURL(written('ending.mjs', 'process.exit(3);')));
    await expect(ending.figures('any', RECENCY)).rejects.toBeInstanceOf(ThreadUnavailableError);
  });
});
