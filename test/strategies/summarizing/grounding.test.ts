import { describe, expect, test } from 'vitest';
import { groundingRequest, mendSnapshot } from '../../../src/strategies/summarizing/grounding.ts';

const SNAPSHOT = [
  '<file_system_state>',
  '- src/a.ts: read',
  '- src/new.ts: to be made</file_system_state>',
  '<user_directives>',
  '- "be nice to everyone"',
  '- "never do that"</user_directives>',
].join('\n');

describe('a snapshot with claims that nothing supports', () => {
  test('flags lines, removes invented quotations, and keeps the sections', () => {
    const mended = mendSnapshot(SNAPSHOT, [
      { kind: 'path', text: 'src/new.ts', line: 2 },
      { kind: 'quotation', text: 'be nice to everyone', line: 4 },
      { kind: 'quotation', text: 'never do that', line: 5 },
    ]);
    expect(mended).toEqual({
      text: [
        '<file_system_state>',
        '- src/a.ts: read',
        '- src/new.ts: to be made (unverified)</file_system_state>',
        '<user_directives>',
        '</user_directives>',
      ].join('\n'),
      marked: 1,
      struck: 2,
    });
  });

  test('is marked once, however often it is mended', () => {
    const claims = [{ kind: 'path', text: 'src/new.ts', line: 2 } as const];
    const once = mendSnapshot(SNAPSHOT, claims);
    expect(mendSnapshot(once.text, claims)).toEqual({ text: once.text, marked: 0, struck: 0 });
  });

  test('is sent back with the list of them', () => {
    const request = groundingRequest(SNAPSHOT, [{ kind: 'command', text: 'npm run deploy', line: 0 }]);
    expect(request).toContain(SNAPSHOT);
    expect(request).toContain('<unsupported>\n- command: npm run deploy\n</unsupported>');
  });
});
