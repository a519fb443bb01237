import { describe, expect, test } from 'vitest';
import { firstShown, fittingRows, type PickerRow, rowLine } from '../../../src/cli/picker/picker-state.ts';
import { widthOf } from '../../../src/cli/terminal/columns.ts';

const row = (more: Partial<PickerRow>): PickerRow => ({
  path: '/s/1',
  id: '3fa9c1',
  agent: 'Claude Code',
  age: '5 min',
  tokens: '≈12k',
  project: '',
  isOwn: true,
  title: '',
  ...more,
});

describe('the rows to pick from', () => {
  test('fit if they contain every word of the filter', () => {
    const rows = [row({ title: 'Fix the login' }), row({ agent: 'Codex', project: 'shop', title: 'Add a LOGIN page' })];
    const fitting = (filter: string): number[] => fittingRows(rows, filter).map((one) => rows.indexOf(one));
    expect([fitting(''), fitting('login'), fitting('log shop'), fitting('3fa claude'), fitting('none')]).toEqual([
      [0, 1],
      [0, 1],
      [1],
      [0],
      [],
    ]);
  });

  test('are one line each', () => {
    expect(rowLine(row({ title: 'Fix it' }), 80)).toBe('3fa9c1  Claude Code   5 min    ≈12k  Fix it');
    const wide = row({ project: '設定', title: '名前を変えました'.repeat(20) });
    expect(widthOf(rowLine(wide, 60))).toBeLessThanOrEqual(60);
  });

  test('scroll with the chosen one', () => {
    expect([0, 4, 5, 50, 99].map((chosen) => firstShown(chosen, 100, 10))).toEqual([0, 0, 0, 45, 90]);
    expect(firstShown(2, 3, 10)).toBe(0);
  });
});
