import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shellAccess } from '../../../src/content/shell/shell-access.ts';
import { runs } from '../../property-runs.ts';

const run = (script: string, directory?: string) => plainly([script], directory ?? '/w');

/** Without `allWrites`, which `written-operands.test.ts` tests. */
function plainly(scripts: Parameters<typeof shellAccess>[0], directory: string | undefined) {
  const { reads, writes, readsOnly } = shellAccess(scripts, directory);
  return { reads, writes, readsOnly };
}

describe('shellAccess', () => {
  test.each([
    ['cat a.ts', ['/w/a.ts']],
    ['cat -n "my file" /b', ['/w/my file', '/b']],
    ["sed -n '1,260p' src/a.ts", ['/w/src/a.ts']],
    ["sed -n -e '1,5p' -e '/^func/,$p' a", ['/w/a']],
    ["sed -nE '3p;$p' a", ['/w/a']],
    ['nl -ba a.ts | sed -n 1,40p', ['/w/a.ts']],
    ['nl -b a -w 4 a.ts', ['/w/a.ts']],
    ['head -n 50 a && tail -c +9 b; head -5 c', ['/w/a', '/w/b', '/w/c']],
    ['cat < a 2>/dev/null', ['/w/a']],
    ['cd src && cat a.ts', ['/w/src/a.ts']],
    ['cd "C:/repo/x" && cat a.ts', ['c:/repo/x/a.ts']],
    ['cat C:/repo/a.ts', ['c:/repo/a.ts']],
    ["echo '--- a' && cat a # the first", ['/w/a']],
    ['cat a \\\n  b', ['/w/a', '/w/b']],
    ["bash -lc 'cd /x && cat a' && cat b", ['/x/a', '/w/b']],
    ['cat a 2>&1', ['/w/a']],
  ])('%s only reads', (script, files) => {
    expect(run(script)).toEqual({ reads: files, writes: [], readsOnly: true });
  });

  test.each([
    ["cat > a.ts <<'EOF'\nx > y $(z) '\nEOF\ncat b", ['/w/a.ts'], ['/w/b']],
    ['cat <<-EOF >> a\n\tx\n\tEOF\necho done', ['/w/a'], []],
    ['echo x >a; echo y 2>>b', ['/w/a', '/w/b'], []],
    ['make | tee -a build.log', ['/w/build.log'], []],
    ['make &> out', ['/w/out'], []],
    ['cat a >| b', ['/w/b'], ['/w/a']],
    ["apply_patch <<'P'\n*** Begin Patch\n*** Update File: a\n*** End Patch\nP", ['/w/a'], []],
    ["cd sub && applypatch '*** Begin Patch\n*** Delete File: a\n*** End Patch'", ['/w/sub/a'], []],
    ["bash -c 'echo x > a'", ['/w/a'], []],
    [
      "cat <<'P' | apply_patch\n*** Begin Patch\n*** Update File: a b\n*** Move to: c\n*** End Patch\nP",
      ['/w/a b', '/w/c'],
      [],
    ],
    ["echo '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch' | apply_patch", ['/w/a'], []],
    ['bash -lc "apply_patch <<\'P\'\n*** Begin Patch\n*** Update File: a\n*** End Patch\nP"', ['/w/a'], []],
    ['cat <<< "x" > a', ['/w/a'], []],
    ['cat a 3>b 1>&-', ['/w/b'], ['/w/a']],
    ["cat >'it''s' <<'E'\nx\nE", ['/w/its'], []],
    ['nl -ba a | sed -n "1,3p" | tee part', ['/w/part'], ['/w/a']],
    ['X=1 cat a > b', ['/w/b'], []],
  ])('%s writes', (script, files, reads) => {
    expect(run(script)).toEqual({ reads, writes: files, readsOnly: false });
  });

  test.each([
    'grep x a',
    'sed -i s/a/b/ a',
    "sed 's/a/b/' a",
    "sed -n 'w out' a",
    "sed -n '1,5p' -i a",
    'cat *.ts',
    'cat "$FILE"',
    'cat ~/a',
    'cat {a,b}',
    'cat a | wc -l',
    'cat a; rm a',
    'tail -f a',
    'cd - && cat a',
    'cd "$X" && cat a',
    'X=1 cat a',
    '$CAT a',
    'bash run.sh',
    'python3 - <<EOF\nopen("a", "w")\nEOF',
    'test -f a || cat > a <<EOF\nx\nEOF',
    'make || cat b | tee a',
    'make || bash -c "echo x > a"',
    'echo x > "$F"',
    'cat "unterminated',
    "cat 'unterminated",
    'cat <> a',
    'pushd sub && echo x > a',
    'popd; echo x > a',
    'eval "cd x"; echo x > a',
    '. ./env.sh && echo x > a',
    'false || cd x; echo x > a',
    'echo y | cd x; echo x > a',
    "cat p.diff | apply_patch <<< ''",
    'make || apply_patch "*** Begin Patch\n*** Delete File: a\n*** End Patch"',
    'sudo tee a < b',
    'tail --follow=name a',
    'sed -n -i.bak 1p a',
    'awk \'{print > "a"}\' b',
    "sed -n '/a\\/b/p' a",
  ])('%s is not a pure read and certainly writes nothing', (script) => {
    expect(run(script)).toMatchObject({ writes: [], readsOnly: false });
  });

  test.each([
    'for f in a b; do cat $f > c; done',
    '(cat a > b)',
    'cat $(ls) > b',
    'if x; then cat a > b; fi',
    '`x` > b',
    'f() { x > b; }',
    'tee >(cat) < a',
    'cat <(ls) > a',
    'cat a | while read l; do echo $l > b; done',
    'cat "a`b`" > c',
    '! cat a > b',
  ])('nothing is guessed about %s', (script) => {
    expect(run(script)).toEqual({ reads: [], writes: [], readsOnly: false });
  });

  test.each([
    ["exit 0; cat > a <<'E'\nx\nE", [], []],
    ["test -f a && exit; cat > a <<'E'\nx\nE", [], []],
    ['exec make; echo x > a', [], []],
    ["cd sub || exit 1; cat > a <<'E'\nx\nE", ['/w/sub/a'], []],
    ["test -d sub || exit 1; cat > a <<'E'\nx\nE", ['/w/a'], []],
    ['exec > log; echo x > a', ['/w/log', '/w/a'], []],
    ["bash -c 'exit 0'; echo x > a", ['/w/a'], []],
  ])('%s writes only files of commands that certainly ran', (script, writes, reads) => {
    expect(run(script)).toEqual({ reads, writes, readsOnly: false });
  });

  test('relative paths name nothing without a directory', () => {
    expect(plainly(['cat a > b; cat /c'], undefined)).toEqual({
      reads: ['/c'],
      writes: [],
      readsOnly: false,
    });
  });

  test('never throws and always ends, for any text', () => {
    const shellish = fc.array(
      fc.constantFrom(
        'cat',
        'sed -n',
        ' ',
        '\n',
        "'",
        '"',
        '\\',
        '<<EOF',
        'EOF',
        '>',
        '&',
        '|',
        ';',
        '$(',
        '`',
        'a',
        '#',
        '<',
        '2',
        '>&',
        '(',
        '-e',
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          shellish.map((parts) => parts.join('')),
        ),
        (script) => {
          const { reads, writes } = run(script);
          expect([...reads, ...writes].every((file) => file.startsWith('/'))).toBe(true);
        },
      ),
      { numRuns: runs(3000) },
    );
  });

  test('reads a very long script in one pass', () => {
    const body = `${'x '.repeat(20)}\n`.repeat(50_000);
    expect(run(`cat > a <<EOF\n${body}EOF\ncat b`)).toEqual({
      reads: ['/w/b'],
      writes: ['/w/a'],
      readsOnly: false,
    });
  });
});
