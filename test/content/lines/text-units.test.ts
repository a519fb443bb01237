import { expect, test } from 'vitest';
import { textUnits } from '../../../src/content/lines/text-units.ts';

const SMALL = 'a line → of ünits \ud83d\ude00';
const LARGE = SMALL.repeat(100_000);

test('the units of a text end with a 0 and do not depend on earlier texts', () => {
  for (const text of [SMALL, '', LARGE.slice(0, 70_000), 'x', LARGE, SMALL]) {
    const units = textUnits(text);
    const isSame = Array.from({ length: text.length }, (_, at) => units[at] === text.charCodeAt(at));
    expect(isSame).not.toContain(false);
    expect(units[text.length]).toBe(0);
  }
});
