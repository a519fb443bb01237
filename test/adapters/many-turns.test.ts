import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { stillClock } from '../still-clock.ts';
import { HOOKS } from './hooks.ts';
import { manyTurns } from './many-turns.ts';

stillClock();

const folder = mkdtempSync(path.join(tmpdir(), 'many-turns-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('two conversations at once, with retries and a restart', () => {
  test.each(Object.entries(HOOKS))('%s repeats what it sent, and leaves the record', async (name, hook) => {
    const played = await manyTurns(hook, 60, path.join(folder, name));
    expect(played).toMatchObject({ changedPrefixes: 0, changedRetries: 0, untouched: 0, isSameRecord: true });
    expect(played.sent).toBeLessThan(0.8 * played.recorded);
  });
});
