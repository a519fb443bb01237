import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { moveCalls } from '../../tools/proof/ccusage/moved-calls.ts';

test('The lines of one month get another day, and no other text changes', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'density-moved-'));
  const file = path.join(folder, 'rollout.jsonl');
  const line = (at: string): string => `{"timestamp":"${at}","type":"event_msg","payload":{"text":"2026-07-03"}}\n`;
  writeFileSync(file, line('2026-06-30T23:59:59.999Z') + line('2026-07-31T10:00:00.000Z'));
  moveCalls([file], { month: '2026-07', day: '2026-11-29' });
  expect(readFileSync(file, 'utf8')).toBe(line('2026-06-30T23:59:59.999Z') + line('2026-11-29T10:00:00.000Z'));
  rmSync(folder, { recursive: true });
});
