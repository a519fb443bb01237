import { expect, test } from 'vitest';
import { repeatedLines } from '../../../src/strategies/high-density/repeated-lines/repeated-lines.ts';
import { SHAPERS } from '../../../src/strategies/high-density/shapers/index.ts';
import { shaped } from '../../../src/strategies/high-density/shapers/shaped.ts';
import { SHAPING_SETTINGS } from '../../../src/strategies/settings/shaping-settings.ts';

test('every setting of what gives new results a form is among them, and is off by default', () => {
  const keys = SHAPING_SETTINGS.map(({ key }) => key);
  expect(new Set(keys)).toEqual(new Set([...repeatedLines.settings, ...shaped.settings].map(({ key }) => key)));
  expect(keys).toHaveLength(1 + SHAPERS.length);
  for (const row of SHAPING_SETTINGS) expect([0, false]).toContain(row.default);
});
