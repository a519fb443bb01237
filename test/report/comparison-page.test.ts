import { describe, expect, test } from 'vitest';
import { placedLabels } from '../../src/report/charts/frontier-labels.ts';
import { comparisonPage } from '../../src/report/comparison-page.ts';
import { comparisonOf } from './comparisons.ts';

describe('the page of a comparison', () => {
  const page = comparisonPage(comparisonOf(5));

  test('shows for each profile savings, regrets by rule, and cost', () => {
    for (const name of ['no-pruning', 'a-policy-of-mine-4']) expect(page.split(name).length).toBeGreaterThan(4);
    for (const heading of ['stale read', 'older result', 'thinking made invalid', 'fewer compressions'])
      expect(page).toContain(`<th scope="col">${heading}</th>`);
    expect(page).not.toContain('superseded read');
  });

  test('draws the sets whose bill changes, and names the others', () => {
    expect(page.match(/class="costs"/g)).toHaveLength(2);
    expect(page).toContain('No profile changes the bill by 1% or more for gemini-cli.');
  });

  test('has no script, loads nothing and escapes what it shows', () => {
    const hostile = comparisonPage({ ...comparisonOf(2), title: '<script>alert(1)</script>' });
    expect(hostile).not.toContain('<script');
    expect(hostile).toContain('&lt;script&gt;');
    expect(hostile).toContain("default-src 'none'");
    expect(hostile).not.toMatch(/(?:src|href)="http/);
  });

  test('says if there is no evidence of later needs, and if nothing was needed later', () => {
    const report = comparisonOf(3);
    const none = report.totals.map((one) => ({
      ...one,
      evidencedEdits: 0,
      regretsByRule: report.totals[0]!.regretsByRule,
    }));
    const told = comparisonPage({ ...report, totals: none });
    expect(told).toContain('no evidence of what was needed later');
    expect(told).toContain('No profile removed text that was needed later');
  });
});

describe('labels of points', () => {
  test('are beside their points, and absent where there is no room', () => {
    const alone = placedLabels([{ x: 0.5, y: 0.5, label: 'alone' }], 300);
    expect(alone).toEqual([{ point: { x: 0.5, y: 0.5, label: 'alone' }, side: 'right', risePixels: 0 }]);
    const crowd = Array.from({ length: 30 }, () => ({ x: 0.5, y: 0.5, label: 'one of many' }));
    expect(placedLabels(crowd, 300).length).toBeLessThan(8);
    expect(placedLabels([{ x: 0.99, y: 0.5, label: 'at the edge' }], 300)[0]?.side).toBe('left');
  });
});
