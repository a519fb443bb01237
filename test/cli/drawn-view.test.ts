import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DrawnView } from '../../src/cli/commands/chat/screen/drawn-view.ts';

const STATUS = { before: 'model · ', bar: '█░', after: '', level: 'low' } as const;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function drawn() {
  const view = new DrawnView(STATUS, () => ({ partial: ['fresh'] }));
  const drawings: string[] = [];
  view.subscribe(() => drawings.push(view.now.printed.map(({ text }) => text).join('\n')));
  return { view, drawings };
}

describe('what the screen shows', () => {
  test('is drawn at once for a key, and later, together, for other events', () => {
    const { view, drawings } = drawn();
    view.later({ activity: 'asking' });
    view.later({ activity: 'answering' });
    view.print(['one', 'two']);
    expect(drawings).toEqual([]);
    vi.runAllTimers();
    expect(drawings).toEqual(['one\ntwo']);
    expect(view.now).toMatchObject({ activity: 'answering', partial: ['fresh'] });
    view.set({ hint: 'now' });
    expect(drawings).toHaveLength(2);
  });

  test('draws long output and long lines in slices, complete and in order', () => {
    const { view, drawings } = drawn();
    const lines = Array.from({ length: 300 }, (_, index) => `${index} ${'word '.repeat(10)}`);
    view.print([...lines, 'x'.repeat(5_000)]);
    vi.runAllTimers();
    expect(drawings.length).toBeGreaterThan(8);
    const sizes = view.now.printed.map(({ text }) => text.length);
    expect(Math.max(...sizes)).toBeLessThan(2_100);
    expect(drawings.at(-1)?.replaceAll('\n', '')).toBe(`${lines.join('')}${'x'.repeat(5_000)}`);
    expect(new Set(view.now.printed.map(({ id }) => id)).size).toBe(sizes.length);
  });

  test('draws everything at the end, and nothing after it is stopped', () => {
    const { view, drawings } = drawn();
    view.print(['word '.repeat(300), 'word '.repeat(300), 'last']);
    view.set({ hasEnded: true });
    expect(drawings.at(-1)).toContain('last');
    view.later();
    view.stop();
    vi.runAllTimers();
    expect(drawings).toHaveLength(1);
  });

  test('an empty line has its own line', () => {
    const { view } = drawn();
    view.print(['']);
    vi.runAllTimers();
    expect(view.now.printed.map(({ text }) => text)).toEqual([' ']);
  });
});
