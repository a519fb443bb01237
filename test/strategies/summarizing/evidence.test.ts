import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import type { Claim } from '../../../src/strategies/summarizing/claims.ts';
import { unsupportedClaims } from '../../../src/strategies/summarizing/evidence.ts';
import { ai, call, human, response, tool } from '../conversation.ts';

async function unsupported(
  claims: readonly [Claim['kind'], string][],
  history: readonly IContent[],
): Promise<string[]> {
  const listed = claims.map(([kind, text], line): Claim => ({ kind, text, line }));
  const open = await unsupportedClaims(listed, {
    history,
    more: ['Earlier: docs/plan.md, "keep it simple, always"'],
    workspaceRoot: '/repo',
    pause: async () => {},
  });
  return open.map(({ text }) => text);
}

const HISTORY = [
  human('Please don’t  touch the "lock" file.\nUse tabs.'),
  ai(
    'I use spaces and brackets.',
    call('1', 'bash', { command: 'cd /work && npm test -- --run', note: { path: 'src/a.ts' } }),
  ),
  tool(response('1', 'bash', { result: { output: ['lib\\win.cs', 'ok'] }, error: 'ENOENT /tmp/gone.txt' })),
];

describe('evidence', () => {
  test('for a path may be anywhere, relative to the workspace or absolute', async () => {
    const paths = [
      'src/a.ts',
      './src/a.ts',
      '/repo/src/a.ts',
      'src/a.ts:12',
      'lib/win.cs',
      '/tmp/gone.txt',
      'docs/plan.md',
    ];
    expect(
      await unsupported(
        paths.map((path) => ['path', path]),
        HISTORY,
      ),
    ).toEqual([]);
    expect(
      await unsupported(
        [
          ['path', 'src/b.ts'],
          ['path', '/other/src/a.ts'],
        ],
        HISTORY,
      ),
    ).toEqual(['src/b.ts', '/other/src/a.ts']);
  });

  test('for a command is the command itself', async () => {
    expect(
      await unsupported(
        [
          ['command', 'npm test -- --run'],
          ['command', 'npm run deploy'],
        ],
        HISTORY,
      ),
    ).toEqual(['npm run deploy']);
  });

  test('for a quotation is what a person said, with any case, spacing and quotation marks', async () => {
    const said: [Claim['kind'], string][] = [
      ['quotation', "don't touch the “lock” file"],
      ['quotation', 'PLEASE DON’T … use tabs'],
      ['quotation', 'keep it simple, always'],
    ];
    expect(await unsupported(said, HISTORY)).toEqual([]);
    expect(await unsupported([['quotation', 'I use spaces and brackets']], HISTORY)).toHaveLength(1);
    expect(await unsupported([['quotation', 'please don’t … use spaces']], HISTORY)).toHaveLength(1);
  });

  test('is asked for once for every line that claims the same', async () => {
    expect(
      await unsupported(
        [
          ['path', 'no/such.ts'],
          ['path', 'no/such.ts'],
        ],
        HISTORY,
      ),
    ).toHaveLength(2);
  });

  test('is searched for in slices that let the event loop turn', async () => {
    let pauses = 0;
    const history = Array.from({ length: 20 }, () => tool(response('1', 'cat', { result: 'x'.repeat(400_000) })));
    await unsupportedClaims([{ kind: 'path', text: 'no/such.ts', line: 0 }], {
      history,
      more: [],
      workspaceRoot: '/repo',
      pause: async () => void pauses++,
    });
    expect(pauses).toBeGreaterThanOrEqual(2);
  });
});
