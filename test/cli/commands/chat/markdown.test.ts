import fc from 'fast-check';
import picocolors from 'picocolors';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { MarkdownAnswer } from '../../../../src/cli/commands/chat/markdown/markdown-answer.ts';

const style = (columns = 60, hasColor = false) => ({
  colors: picocolors.createColors(hasColor),
  columns,
  isPlain: false,
});

/** The lines of an answer that arrives in these parts. */
function linesOf(parts: readonly string[], columns?: number, hasColor?: boolean): string[] {
  const answer = new MarkdownAnswer(() => style(columns, hasColor));
  return [...parts.flatMap((part) => answer.add(part)), ...answer.end()];
}

const ANSWER = `# Two ways

Here is **bold** text, \`code\` and a [link](https://example.org/a), and it is
long enough to break.

1. first
2. second
   - nested
   - [x] done

> quoted *text*

| name | tokens |
|:-----|-------:|
| a    |     12 |
| long name | 1,234 |

\`\`\`ts
const a = 1;

export { a };
\`\`\`
The end.`;

const SHOWN = [
  '# Two ways',
  '',
  'Here is bold text, `code` and a link',
  '(https://example.org/a), and it is',
  'long enough to break.',
  '',
  '1. first',
  '2. second',
  '   • nested',
  '   • ☑ done',
  '',
  '│ quoted text',
  '',
  'name      │ tokens',
  '──────────┼───────',
  'a         │     12',
  'long name │  1,234',
  '',
  '```ts',
  '  const a = 1;',
  '',
  '  export { a };',
  '```',
  'The end.',
];

describe('an answer in Markdown', () => {
  test('has headings, lists, quotes, tables and code', () => {
    expect(linesOf([ANSWER])).toEqual(SHOWN);
  });

  test('is the same however its text arrives', () => {
    expect(linesOf([...ANSWER])).toEqual(SHOWN);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (sizes) => {
        const parts: string[] = [];
        for (let at = 0, next = 0; at < ANSWER.length; next++) {
          const size = sizes[next % sizes.length]!;
          parts.push(ANSWER.slice(at, at + size));
          at += size;
        }
        expect(linesOf(parts)).toEqual(SHOWN);
      }),
    );
  });

  test('with colours has no signs of Markdown, and each word is painted by itself', () => {
    const lines = linesOf(['**two words** and `code`\n\n```\nx\n```\n'], 60, true);
    const bold = picocolors.createColors(true).bold;
    expect(lines[0]).toContain(`${bold('two')} ${bold('words')} and `);
    expect(lines.join('\n')).not.toMatch(/[*`]/);
  });

  test('finishes blocks, items and lines of code early; only the rest is drawn again', () => {
    const answer = new MarkdownAnswer(() => style());
    expect(answer.add('Text\n\n- one\n- tw')).toEqual(['Text', '']);
    expect(answer.partial()).toEqual(['• one', '• tw']);
    expect(answer.add('o\n- three\n')).toEqual(['• one', '• two']);
    expect(answer.add('\n```js\nlet a;\nlet b')).toEqual(['• three', '', '```js', '  let a;']);
    expect(answer.partial()).toEqual(['  let b']);
    expect(answer.end()).toEqual(['  let b']);
    expect(answer.add('Next.\n')).toEqual([]);
    expect(answer.end()).toEqual(['Next.']);
  });

  test('stops at its width: paragraphs, tables, quotes and long words', () => {
    const wide = `${'word '.repeat(30)}\n\n| a | b |\n|---|---|\n| ${'cell '.repeat(20)} | ${'x'.repeat(70)} |\n\n> ${'quote '.repeat(20)}`;
    for (const columns of [30, 40, 80]) {
      const widths = linesOf([wide], columns).map((line) => stringWidth(line));
      expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    }
  });

  test('loses no word of any text, and draws a very long line in parts', () => {
    const words = (text: string): string => text.replace(/[^a-z]+/g, '');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a ', 'bc\n', '\n', '- d\n', '## e\n', '| f |\n', '    g\n', '> h\n')),
        (parts) => {
          expect(words(linesOf(parts).join('\n'))).toBe(words(parts.join('')));
        },
      ),
    );
    const answer = new MarkdownAnswer(() => style());
    const finished = answer.add('word '.repeat(4_000)).join(' ').length + answer.end().join(' ').length;
    expect(finished).toBeGreaterThan(19_990);
  });
});
