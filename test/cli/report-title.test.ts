import { describe, expect, test } from 'vitest';
import { reportTitle } from '../../src/cli/commands/replay/written-page.ts';
import type { SessionEvent } from '../../src/content/session-event.ts';

const FILE = '/logs/0ccf1a04.jsonl';
const BARE = { format: 'codex', skipped: [] };

const said = (text: string, metadata = {}): SessionEvent => ({
  kind: 'add',
  content: { speaker: 'human', blocks: [{ type: 'text', text }], metadata },
});

describe('the title of a report', () => {
  test('is the project, the day and the first message that the user typed', () => {
    const timestamp = Date.UTC(2026, 0, 5, 23);
    const events = [said('<environment>sh</environment>', { timestamp }), said('Use  port\n8080.')];
    const session = { workspaceRoot: '/srv/harbour', events, ...BARE };
    expect(reportTitle(session, FILE)).toBe('harbour · 2026-01-05 · Use port 8080.');
  });

  test('cuts a message at 80 characters, with a mark by which a cut key is found', () => {
    const session = { events: [said('x'.repeat(100))], ...BARE };
    expect(reportTitle(session, FILE)).toBe(`${'x'.repeat(80)}…`);
  });

  test('is the name of the file where nothing of it is recorded', () => {
    expect(reportTitle({ workspaceRoot: '/', events: [], ...BARE }, FILE)).toBe('0ccf1a04.jsonl');
  });
});
