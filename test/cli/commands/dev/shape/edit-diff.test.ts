import { describe, expect, test } from 'vitest';
import { editDiff } from '../../../../../src/cli/commands/dev/shape/edit-diff.ts';

describe('the difference that an edit makes', () => {
  test('shows each change with three lines around it', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    const before = `${lines.join('\n')}\n`;
    const after = before.replace('line 5\n', 'five\n').replace('line 25\n', '');
    expect(editDiff(before, after)).toEqual([
      '@@ line 2 @@',
      ' line 2',
      ' line 3',
      ' line 4',
      '-line 5',
      '+five',
      ' line 6',
      ' line 7',
      ' line 8',
      '@@ line 22 @@',
      ' line 22',
      ' line 23',
      ' line 24',
      '-line 25',
      ' line 26',
      ' line 27',
      ' line 28',
    ]);
  });

  test('shows a new file without a heading, and nothing for no change', () => {
    expect(editDiff('', 'a\r\nb\n')).toEqual(['+a', '+b']);
    expect(editDiff('a\n', 'a\n')).toEqual([]);
  });

  test('gives up on two long texts without a common line, and shows everything between what they share', () => {
    const text = (word: string): string =>
      `first\n${Array.from({ length: 30_000 }, (_, at) => word + at).join('\n')}\nlast\n`;
    const diff = editDiff(text('old'), text('new'));
    expect(diff).toHaveLength(60_001);
    expect(diff.slice(0, 2)).toEqual(['@@ line 2 @@', '-old0']);
    expect(diff.at(-1)).toBe('+new29999');
  });
});
