import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fileBytes } from '../../../src/disk/file-bytes.ts';
import { readSession } from '../../../src/sessions/read-session.ts';
import { afterFile } from '../../after-file.ts';
import { claudeCodeSample } from '../../formats/claude-code-fixture.ts';

// What a user imports: the thread is a built file.
const { readSessionOnThread } = await import('high-density/sessions');

const folder = mkdtempSync(path.join(tmpdir(), 'density-read-'));
afterFile(() => rmSync(folder, { recursive: true, force: true }));

test('a session that a thread reads is what would be read here, and the share of it that is done grows to all of it', async () => {
  const file = path.join(folder, 'a.jsonl');
  writeFileSync(file, claudeCodeSample.texts[0] ?? '');
  const shares: number[] = [];
  const session = await readSessionOnThread(file, { onProgress: (share) => shares.push(share) });
  expect(session).toEqual(readSession(fileBytes(file)).recorded);
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  expect(shares.at(-1)).toBe(1);
});

test('a session that cannot be read names its file', async () => {
  await expect(readSessionOnThread(path.join(folder, 'none.jsonl'))).rejects.toMatchObject({
    code: 'SESSION_UNREADABLE',
    message: expect.stringContaining('none.jsonl'),
  });
});
