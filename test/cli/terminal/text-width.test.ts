import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { cutEnd, cutStart, hanging, widthOf } from '../../../src/cli/terminal/columns.ts';

test('a text is as wide as the library says, also where the library is not asked', () => {
  const signs = Array.from({ length: 0x2300 }, (_, code) => String.fromCharCode(code));
  for (const sign of signs) expect(widthOf(`a ${sign} b`), sign).toBe(stringWidth(`a ${sign} b`));
});

test('a hanging text begins after its start, and goes on below its own first word', () => {
  expect(hanging('3 × ', 'it was sent with many calls', 16)).toBe('3 × it was sent\n    with many\n    calls');
  expect(hanging('3 × ', 'short', 16)).toBe('3 × short');
});

test('a text of a megabyte is measured and cut in parts', () => {
  const text = `${'👩‍👩‍👧é漢'.repeat(30_000)}!`;
  expect(widthOf('漢'.repeat(300_000))).toBe(600_000);
  expect(cutEnd(text, 9)).toBe('👩‍👩‍👧é漢👩‍👩‍👧é…');
  expect(cutStart(text, 9)).toBe('…漢👩‍👩‍👧é漢!');
});
