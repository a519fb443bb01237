import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { liveHistory } from '../../../src/formats/contract.ts';
import { highDensity } from '../../../src/formats/high-density/high-density.ts';
import { decode, joinLines, linesOfText } from '../../../src/formats/lines/lines.ts';
import { historyOf, rewritten, spoken } from '../../contracts/format.ts';
import { generatedHistory } from '../../generated-history.ts';
import { runs } from '../../property-runs.ts';

const HEADER = '{"format":"high-density","version":1}';
const entry = (id: string, text: string): string =>
  `{"speaker":"human","blocks":[{"type":"text","text":"${text}"}],"metadata":{"id":"${id}"}}`;
const ids = (text: string) => historyOf(highDensity, text).map(({ metadata }) => metadata?.id);

describe('our own sessions', () => {
  test('keep the facts of the session in the first line', () => {
    const session = { id: 's1', model: 'm1', workspaceRoot: '/repo/demo', startedAt: 5 };
    const text = decode(joinLines(highDensity.create?.([], session) ?? []));
    expect(text).toBe(
      '{"format":"high-density","version":1,"id":"s1","startedAt":5,"model":"m1","workspaceRoot":"/repo/demo"}\n',
    );
    expect(highDensity.read(linesOfText(text))).toEqual({
      format: 'high-density',
      id: 's1',
      model: 'm1',
      workspaceRoot: '/repo/demo',
      events: [],
      skipped: [],
    });
  });

  test('give an entry without an id, or with one that was there before, the number of its line', () => {
    const text = `${HEADER}\n${entry('a', 'one')}\n${entry('a', 'two')}\n{"speaker":"ai","blocks":[{"type":"code","code":"x"}]}\n`;
    expect(ids(text)).toEqual(['a', 'line-3', 'line-4']);
    expect(rewritten(highDensity, text, historyOf(highDensity, text))).toBe(text);
  });

  test('give an entry another id than any before it, also when one is called like a line', () => {
    const text = `${HEADER}\n${entry('line-3', 'one')}\n${entry('line-3', 'two')}\n${entry('line-3-2', 'three')}\n`;
    expect(ids(text)).toEqual(['line-3', 'line-3-2', 'line-4']);
    expect(rewritten(highDensity, text, historyOf(highDensity, text))).toBe(text);
  });

  test('say what is wrong with a line that is no entry', () => {
    const lines = [
      HEADER,
      '{"speaker":"robot","blocks":[]}',
      '{"speaker":"ai"}',
      '{"speaker":"ai","blocks":[]}',
      '{"speaker":"ai","blocks":[{"type":"sound"}]}',
      '{"speaker":"ai","blocks":[{"type":"tool_call","id":"c"}]}',
      '[1]',
      '{"note":"another program wrote this"}',
      entry('a', 'kept'),
    ];
    const { skipped, events } = highDensity.read(linesOfText(lines.join('\n')));
    expect(skipped).toEqual([
      { line: 2, reason: 'expected `speaker` human, ai or tool' },
      { line: 3, reason: 'expected a list in `blocks`' },
      { line: 4, reason: 'expected at least one block in `blocks`' },
      { line: 5, reason: 'block 0 has no known `type`' },
      { line: 6, reason: 'block 0 (tool_call) has no text in `name`' },
      { line: 7, reason: 'expected an object' },
    ]);
    expect(events.length).toBe(1);
  });

  test('take new entries at their position, also after a last line that is open', () => {
    const text = `${HEADER}\n${entry('a', 'one')}\n${entry('b', 'two')}`;
    const [one, two] = historyOf(highDensity, text) as [IContent, IContent];
    const added: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'new' }], metadata: { id: 'n' } };
    expect(ids(rewritten(highDensity, text, [added, one, two]))).toEqual(['n', 'a', 'b']);
    expect(ids(rewritten(highDensity, text, [one, added, two]))).toEqual(['a', 'n', 'b']);
    expect(ids(rewritten(highDensity, text, [one, two, added]))).toEqual(['a', 'b', 'n']);
    expect(ids(rewritten(highDensity, text, [added]))).toEqual(['n']);
    expect(ids(rewritten(highDensity, HEADER, [added]))).toEqual(['n']);
  });

  test('contain any history, and any part of it', () => {
    fc.assert(
      fc.property(generatedHistory(), fc.array(fc.boolean(), { minLength: 1 }), (history, dice) => {
        const text = decode(joinLines(highDensity.create?.(history, { id: 's', startedAt: 0 }) ?? []));
        const { events, skipped } = highDensity.read(linesOfText(text));
        expect(skipped).toEqual([]);
        expect(spoken(liveHistory({ format: '', events, skipped }))).toEqual(spoken(history));
        const part = historyOf(highDensity, text).filter((_, index) => dice[index % dice.length]);
        expect(spoken(historyOf(highDensity, rewritten(highDensity, text, part)))).toEqual(spoken(part));
      }),
      { numRuns: runs(1000) },
    );
  });
});
