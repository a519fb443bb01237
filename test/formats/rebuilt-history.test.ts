import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { highDensity } from '../../src/formats/high-density/high-density.ts';
import { decode, joinLines, linesOfText } from '../../src/formats/lines/lines.ts';

const said = (id: string, text: string): IContent => ({
  speaker: 'human',
  blocks: [{ type: 'text', text }],
  metadata: { id },
});
const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const HEADER = { format: 'high-density', version: 1, id: 's' };
const text = lines(
  HEADER,
  said('a', 'one'),
  said('b', 'two'),
  said('c', 'three'),
  { history: [said('s', 'so far: one, two'), 'c'] },
  said('d', 'four'),
);
const live = (file: string): IContent[] => liveHistory(highDensity.read(linesOfText(file)));
const written = (file: string, history: readonly IContent[]): string =>
  decode(joinLines(highDensity.write?.(linesOfText(file), history) ?? []));

describe('a session that was compressed while it went on', () => {
  test('has everything that was said, and the history that a model was sent at the end', () => {
    const session = highDensity.read(linesOfText(text));
    expect(session.events.map(({ kind }) => kind)).toEqual(['add', 'add', 'add', 'replace', 'add']);
    expect(live(text)).toEqual([said('s', 'so far: one, two'), said('c', 'three'), said('d', 'four')]);
    expect(session.skipped).toEqual([]);
  });

  test('keeps the identity of what a compression kept', () => {
    const { events } = highDensity.read(linesOfText(text));
    const third = events[2];
    const replaced = events[3];
    if (third?.kind !== 'add' || replaced?.kind !== 'replace') throw new Error('expected an add and a replace');
    expect(replaced.contents[1]).toBe(third.content);
  });

  test('is written back byte for byte, and with a line after it where the history changed', () => {
    expect(written(text, live(text))).toBe(text);
    const changed = [...live(text).slice(1), said('e', 'five')];
    const again = written(text, changed);
    expect(again.startsWith(text)).toBe(true);
    expect(again.slice(text.length)).toBe(lines({ history: ['c', 'd', said('e', 'five')] }));
    expect(live(again)).toEqual(changed);
  });

  test('names what its history lacks, and continues with the rest', () => {
    const broken = lines(HEADER, said('a', 'one'), { history: ['a', 'lost', 7] });
    const { skipped } = highDensity.read(linesOfText(broken));
    expect(skipped.map(({ line }) => line)).toEqual([3, 3]);
    expect(skipped[0]?.reason).toContain('"lost"');
    expect(live(broken)).toEqual([said('a', 'one')]);
  });

  test('an incomplete line of a killed process loses only that line', () => {
    const cut = `${text}{"speaker":"human","blo\n${lines(said('f', 'six'))}`;
    expect(live(cut).map(({ metadata }) => metadata?.id)).toEqual(['s', 'c', 'd', 'f']);
  });
});
