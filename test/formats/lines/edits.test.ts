import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../../src/content/content.ts';
import { compareHistories } from '../../../src/formats/lines/edits.ts';

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const answer = (callId: string, result: string): ContentBlock => ({
  type: 'tool_response',
  callId,
  toolName: 'read',
  result,
});
const entry = (id: string, ...blocks: ContentBlock[]): IContent => ({ speaker: 'tool', blocks, metadata: { id } });
const kinds = (before: IContent, after: IContent): string[] => {
  const edits = compareHistories([before], [after]).entries.get(before.metadata?.id ?? '');
  return edits!.map(({ kind }) => kind);
};

describe('compareHistories', () => {
  test('keeps, drops and changes entries by their id', () => {
    const a = entry('a', text('1'));
    const b = entry('b', text('2'));
    const c = entry('c', text('3'));
    const { entries, added } = compareHistories([a, b, c], [structuredClone(a), { ...c, blocks: [text('4')] }]);
    expect([...entries]).toEqual([
      ['a', [{ kind: 'keep' }]],
      ['b', [{ kind: 'drop' }]],
      ['c', [{ kind: 'change', block: text('4') }]],
    ]);
    expect(added).toEqual([]);
  });

  test('says after which entry a new one is', () => {
    const a = entry('a', text('1'));
    const b = entry('b', text('2'));
    const fresh: IContent = { speaker: 'human', blocks: [text('summary')] };
    expect(compareHistories([a, b], [fresh, b, fresh]).added).toEqual([
      { content: fresh },
      { content: fresh, afterId: 'b' },
    ]);
  });

  test('compares entries of many blocks in one pass', () => {
    const blocks = Array.from({ length: 20_000 }, (_, index) => text(`${index}`));
    const changed = blocks.map((block, index) => (index % 100 === 0 ? block : text('gone')));
    const found = kinds(entry('a', ...blocks), entry('a', ...changed));
    expect(found.filter((kind) => kind === 'keep')).toHaveLength(200);
    expect(found.filter((kind) => kind === 'change')).toHaveLength(19_800);
  });

  test('matches blocks by identity, then by call id, then by type in order', () => {
    const before = entry('a', text('x'), answer('1', 'r1'), answer('2', 'r2'), text('y'));
    const [x, r1, r2, y] = before.blocks as [ContentBlock, ContentBlock, ContentBlock, ContentBlock];
    expect(kinds(before, entry('a', answer('2', 'short'), y))).toEqual(['drop', 'drop', 'change', 'keep']);
    expect(kinds(before, entry('a', text('z'), r1, r2, y))).toEqual(['change', 'keep', 'keep', 'keep']);
    expect(kinds(before, entry('a', x, r2, text('z')))).toEqual(['keep', 'drop', 'keep', 'change']);
    expect(kinds(before, entry('a', ...structuredClone(before.blocks)))).toEqual(['keep', 'keep', 'keep', 'keep']);
  });

  test('refuses entries that changed places, a new speaker, and blocks that were never read', () => {
    const a = entry('a', text('1'));
    const b = entry('b', text('2'));
    expect(() => compareHistories([a, b], [b, a])).toThrow(/order/);
    expect(() => compareHistories([a, b], [a, a])).toThrow(/order/);
    expect(() => compareHistories([a], [{ ...a, speaker: 'ai', blocks: [text('2')] }])).toThrow(/speaker "tool"/);
    expect(() => compareHistories([a], [entry('a', text('1'), text('more'))])).toThrow(/each block/);
    expect(() => compareHistories([a], [entry('a', answer('1', 'r'))])).toThrow(/each block/);
  });
});
