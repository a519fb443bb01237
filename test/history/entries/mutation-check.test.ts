import { describe, expect, test } from 'vitest';
import type { IContent, TextBlock } from '../../../src/content/content.ts';
import { HistoryService } from '../../../src/history/history-service.ts';
import { answer, call, createHistory, human } from '../entries.ts';

type Changeable<Value> = { -readonly [Key in keyof Value]: Changeable<Value[Key]> };

describe('`verifyUnchanged` (docs/readings.md, row 27)', () => {
  test('finds the first entry that was changed in place and names its index', () => {
    const entries = [human('zero'), call('c1'), answer('c1', { lines: ['a', 'b'] })];
    const history = createHistory(entries);
    history.gateAccess.versions.verifyUnchanged();
    const result = (entries[2]!.blocks[0] as { result: { lines: string[] } }).result;
    result.lines[1] = 'changed';
    expect(() => history.gateAccess.versions.verifyUnchanged()).toThrowError(
      expect.objectContaining({ code: 'HISTORY_MUTATED', message: expect.stringContaining('index 2') }),
    );
  });

  test.each<[string, (entry: Changeable<IContent>) => unknown]>([
    ['a text', (entry) => ((entry.blocks[0] as Changeable<TextBlock>).text = 'y')],
    ['a block more', (entry) => entry.blocks.push({ type: 'text', text: '' })],
    ['a field more', (entry) => (entry.metadata = { id: 'x' })],
    ['a value of another type', (entry) => ((entry.blocks[0] as { text: unknown }).text = ['x'])],
  ])('sees %s', (_name, change) => {
    const entry = human('x');
    const history = createHistory([entry]);
    change(entry as Changeable<IContent>);
    expect(() => history.gateAccess.versions.verifyUnchanged()).toThrow('index 0');
  });

  test('entries that a result or `replaceAll` brought are watched, too', async () => {
    const replacement = human('new');
    const history = createHistory([human('old')]);
    await history.applyDensityResult({
      removals: [],
      replacements: new Map([[0, replacement]]),
      metadata: { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 },
    });
    history.gateAccess.versions.verifyUnchanged();
    (replacement.blocks[0] as Changeable<TextBlock>).text = 'changed';
    expect(() => history.gateAccess.versions.verifyUnchanged()).toThrow('index 0');
  });

  test('circular and deeply nested values are followed without harm', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    let deep: unknown = 'bottom';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const history = createHistory([call('c1'), answer('c1', circular), answer('c1', deep)]);
    history.gateAccess.versions.verifyUnchanged();
    circular['more'] = 1;
    expect(() => history.gateAccess.versions.verifyUnchanged()).toThrow('index 1');
  });

  test('is off unless asked for', () => {
    const entry = human('x');
    const history = new HistoryService();
    history.add(entry);
    (entry.blocks[0] as Changeable<TextBlock>).text = 'changed';
    expect(() => history.gateAccess.versions.verifyUnchanged()).not.toThrow();
  });
});
