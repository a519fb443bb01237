import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withLines, withoutLines } from '../../../../../src/cli/commands/proxy/install/marked-lines.ts';

const LINES = ['function claude {', '}'];
const AGENTS = ['claude', 'codex', 'pi'];
const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array).toString('latin1'));
const lines = fc.array(fc.constantFrom('export A=1', '', '# >>> conda >>>', '\tünd'), { maxLength: 4 });
const text = fc.oneof(
  bytes,
  fc
    .tuple(lines, fc.constantFrom('\n', '\r\n', '\r'), fc.boolean())
    .map(([all, end, isEnded]) => all.join(end) + (isEnded ? end : '')),
);

test('what was added is taken out byte for byte, whatever the file holds, in any order of agents', () => {
  fc.assert(
    fc.property(
      fc.option(text, { nil: undefined }),
      fc.shuffledSubarray(AGENTS),
      fc.shuffledSubarray(AGENTS, { minLength: 3 }),
      (before, added, order) => {
        let now: string | undefined = before;
        for (const agent of added) now = withLines(now, agent, LINES);
        for (const agent of order) now = now === undefined ? undefined : withoutLines(now, agent);
        expect(now).toBe(before);
      },
    ),
  );
});

test('what was written after the lines since stays, and so does the end of the line before them', () => {
  const with2 = `${withLines('export A=1', 'claude', LINES)}export B=2\n`;
  expect(withoutLines(with2, 'claude')).toBe('export A=1\nexport B=2\n');
  expect(withoutLines(`${withLines(undefined, 'claude', LINES)}export B=2\n`, 'claude')).toBe('export B=2\n');
});

test('adding again changes nothing, and newer lines replace the older ones where they are', () => {
  const once = `${withLines('a\n', 'claude', LINES)}b\n`;
  expect(withLines(once, 'claude', LINES)).toBe(once);
  const newer = withLines(once, 'claude', ['newer']);
  expect(newer).toBe('a\n# >>> density wrap claude >>>\nnewer\n# <<< density wrap claude <<<\nb\n');
  expect(withoutLines(newer, 'claude')).toBe('a\nb\n');
});

test('lines whose ends an editor changed are found', () => {
  const crlf = `a\n${withLines('', 'claude', LINES)}b\n`.replaceAll('\n', '\r\n');
  expect(withoutLines(crlf, 'claude')).toBe('a\r\nb\r\n');
});

test('marks that are not one pair are named, and nothing is made of them', () => {
  const block = withLines('', 'claude', LINES);
  const [start, ...rest] = block.split('\n');
  for (const broken of [block + block, `x\n${start}\n`, rest.join('\n'), `${rest.join('\n')}${start}\n`]) {
    expect(() => withoutLines(broken, 'claude')).toThrow(/got marks in line \d/);
    expect(() => withLines(broken, 'claude', LINES)).toThrow(/one pair of marks/);
  }
  expect(() => withoutLines(block + block, 'claude')).toThrow('got marks in line 1, 4, 5, 8.');
});
