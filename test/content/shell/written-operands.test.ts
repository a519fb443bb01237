import { describe, expect, test } from 'vitest';
import { shellAccess } from '../../../src/content/shell/shell-access.ts';

const writesOf = (script: string) => shellAccess([script], '/repo').allWrites;

describe('programs that change the files in their operands', () => {
  test.each([
    ["sed -i 's/a/b/' a.ts b.ts", ['/repo/a.ts', '/repo/b.ts']],
    ["sed -i.bak -e 's/a/b/' a.ts", ['/repo/a.ts']],
    ["perl -pi -e 's/a/b/' a.ts", ['/repo/a.ts']],
    ['mv a.ts b.ts', ['/repo/a.ts', '/repo/b.ts']],
    ['cp a.ts b.ts', ['/repo/b.ts']],
    ['rm -f a.ts', ['/repo/a.ts']],
    ['git checkout -- a.ts', ['/repo/a.ts']],
    ['git checkout HEAD -- src/a.ts', ['/repo/src/a.ts']],
    ['git restore a.ts', ['/repo/a.ts']],
    ['cd src && npx prettier --write a.ts', ['/repo/src/a.ts']],
    ['black a.py', ['/repo/a.py']],
    ['ruff check --fix a.py', ['/repo/a.py']],
    ['ruff format a.py', ['/repo/a.py']],
    ['npx biome check --write a.ts', ['/repo/a.ts']],
    ['gofmt -w a.go', ['/repo/a.go']],
    ['echo x > a.ts', ['/repo/a.ts']],
  ])('%s writes %j', (script, files) => {
    expect(writesOf(script)).toEqual(files);
    expect(shellAccess([script], '/repo').readsOnly).toBe(false);
  });

  test.each([
    "sed 's/a/b/' a.ts",
    "sed -n '1,5p' a.ts",
    'git checkout main',
    'git restore --staged a.ts',
    'npx prettier --check a.ts',
    'black --check a.py',
    'ruff check a.py',
    'gofmt -l a.go',
    'git mv -n a.ts b.ts',
    'git rm --dry-run a.ts',
    'git rm --cached a.ts',
    'ruff check --fix --diff a.py',
    'ruff format --check a.py',
    'clang-format -i -n a.c',
    'clang-format --dry-run -i a.c',
    'rustfmt --emit stdout a.rs',
    'npx eslint --fix-dry-run a.ts',
    'git apply --check a.patch',
    'patch --dry-run -p1 -i a.patch',
    'sed -i s/a/b/ *.ts',
    'false || rm a.ts',
    'rm "$FILE"',
  ])('%s certainly writes nothing', (script) => {
    expect(writesOf(script)).toEqual([]);
  });

  test('are separate from the writes of the shell itself', () => {
    const { writes, allWrites } = shellAccess(["sed -i 's/a/b/' a.ts && echo x > b.ts"], '/repo');
    expect(writes).toEqual(['/repo/b.ts']);
    expect(allWrites).toEqual(['/repo/a.ts', '/repo/b.ts']);
  });
});
