import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { rebuildPruned } from '../../src/replay/rebuild.ts';

const human = (id: string, text: string): IContent => ({
  speaker: 'human',
  blocks: [{ type: 'text', text }],
  metadata: { id },
});

describe('a rebuilt history', () => {
  const one = human('1', 'one');
  const two = human('2', 'two');
  const three = human('3', 'three');

  test('takes what is new, leaves out what we dropped, keeps what we changed', () => {
    const changed = human('3', 'th');
    const fresh = human('4', 'summary');
    expect(rebuildPruned([fresh, two, three], [one, two, three], [one, changed])).toEqual([fresh, changed]);
  });

  test("takes the agent's own change of an entry that we left alone", () => {
    const cleared = human('2', '[cleared]');
    expect(rebuildPruned([one, cleared], [one, two], [one, two])).toEqual([one, cleared]);
  });
});
