import { describe, expect, test } from 'vitest';
import { claimsOf } from '../../../src/strategies/summarizing/claims.ts';

const found = (text: string): string[] => claimsOf(text).map((claim) => `${claim.kind}: ${claim.text}`);

describe('claims', () => {
  test.each([
    ['- Changed `src/parse.ts` and /repo/app/index.js.', ['path: src/parse.ts', 'path: /repo/app/index.js']],
    ['- CREATED: ./README.md (new)', ['path: ./README.md']],
    ['see package.json and tsconfig.build.json', ['path: package.json', 'path: tsconfig.build.json']],
    ['in C:\\repo\\src\\main.cs', ['path: C:\\repo\\src\\main.cs']],
    ['~/.config/tool/settings.toml', ['path: ~/.config/tool/settings.toml']],
    ['at src/a.ts:12', ['path: src/a.ts']],
    ['The error is in `lib/deep/x-y_z.test.tsx`', ['path: lib/deep/x-y_z.test.tsx']],
    ['/etc/nginx/sites', ['path: /etc/nginx/sites']],
  ])('%j names the paths %j', (text, claims) => {
    expect(found(text)).toEqual(claims);
  });

  test.each([
    'and/or, read/write, 1/2, client/server/proxy',
    'See https://example.org/a/b.html for more.',
    'version 1.2.3, e.g. this, i.e. that',
    '<overall_goal>Ship it</overall_goal>',
    '/help and /set',
    'a.b.d of obj.method()',
  ])('%j names none', (text) => {
    expect(found(text)).toEqual([]);
  });

  test('a command is a span of code that begins with a program, or a line of a shell', () => {
    expect(found('Run `npm test -- src/parse` and `git push`.')).toEqual([
      'command: npm test -- src/parse',
      'command: git push',
    ]);
    expect(found('  $ ./run.sh --fast src/a.ts')).toEqual(['command: ./run.sh --fast src/a.ts']);
    expect(found('`parse(text)` calls `node.next`')).toEqual([]);
  });

  test('a quotation is the user’s inside <user_directives>, and elsewhere where it says so', () => {
    const inside =
      '<user_directives>\n- "Never touch the lock file"\n- “use tabs, please”\n> no new files\n</user_directives>';
    expect(found(inside)).toEqual([
      'quotation: Never touch the lock file',
      'quotation: use tabs, please',
      'quotation: no new files',
    ]);
    expect(found('The user asked: "make it fast and small"')).toEqual(['quotation: make it fast and small']);
    expect(found('The error was "cannot read properties of undefined"')).toEqual([]);
    expect(found('<user_directives>- "yes"</user_directives>')).toEqual([]);
  });

  test('a file inside a quotation is not claimed twice, and a line claims a thing once', () => {
    expect(found('<user_directives>"leave src/a.ts alone please"</user_directives>')).toEqual([
      'quotation: leave src/a.ts alone please',
    ]);
    expect(found('src/a.ts and src/a.ts')).toEqual(['path: src/a.ts']);
    expect(claimsOf('x\nsrc/a.ts\nsrc/a.ts').map(({ line }) => line)).toEqual([1, 2]);
  });

  test.each(['a-'.repeat(60_000), 'a/'.repeat(60_000), '.a'.repeat(60_000), '"'.repeat(60_000), '('.repeat(60_000)])(
    'hostile text ends (%#)',
    (text) => {
      expect(claimsOf(text).length).toBeLessThan(3);
    },
  );
});
