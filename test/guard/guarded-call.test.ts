import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ToolCallBlock } from '../../src/content/content.ts';
import type { CopiedMarker } from '../../src/guard/contract.ts';
import { GuardLog } from '../../src/guard/guard-log.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'density-guarded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CALL: ToolCallBlock = { type: 'tool_call', id: 'c', name: 'Write', parameters: { content: 'x' } };
const COPY: CopiedMarker = {
  marker: '⟦density: 118 lines, 3 to 120, as shown above by Read src/a.ts #1u9xtt1⟧',
  standsFor: '118 lines, 3 to 120, as shown above by Read src/a.ts',
};

test('a call is refused once in each session, in words from which no marker can be copied', async () => {
  const log = new GuardLog(folder);
  const reasons: (string | undefined)[] = [];
  for (const session of ['one', 'one', 'two'])
    reasons.push(await log.refusedFor(CALL, COPY, { agent: 'pi', session, at: 1 }));
  expect(reasons).toEqual([expect.any(String), undefined, expect.any(String)]);
  expect(reasons[0]).toContain(COPY.standsFor);
  expect(reasons[0]).not.toMatch(/[⟦⟧]/);
  expect(log.calls().map(({ kind }) => kind)).toEqual(['refused', 'passed', 'refused']);
});
