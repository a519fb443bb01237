import { describe, expect, test } from 'vitest';
import type { IContent, Usage } from '../../../src/content/content.ts';
import type { ContextCut, SessionEvent } from '../../../src/content/session-event.ts';
import type { Session } from '../../../src/formats/contract.ts';
import { recordedCuts } from '../../../src/lab/cuts/recorded-cuts.ts';
import { blockCounter } from '../../../src/tokens/entries/block-counter.ts';
import { ai, human } from '../../strategies/conversation.ts';
import { edit, read } from '../fixture.ts';

const MODEL = 'claude-opus-4-5';
const add = (content: IContent): SessionEvent => ({ kind: 'add', content });
const cut = (contents: readonly IContent[], by: ContextCut = { kind: 'compaction' }): SessionEvent => ({
  kind: 'replace',
  contents,
  by,
});
/** An answer with this recorded input, of which `cachedTokens` were read from the cache. */
const answered = (promptTokens: number, cachedTokens = 0, text = 'done', model = MODEL): IContent => {
  const usage: Usage = { promptTokens, cachedTokens, completionTokens: 0, totalTokens: promptTokens };
  return { ...ai(text), metadata: { model, usage, timestamp: 1 } };
};
const cutsOf = (...events: readonly SessionEvent[]) => {
  const session: Session = { format: 'claude-code', model: MODEL, events, skipped: [] };
  return recordedCuts(session, blockCounter(MODEL));
};

const shown = read('1');
const summary: IContent = { ...human('What was done so far.'), metadata: { isSummary: true } };
const OLD_LINE = '  return computeTheFirst();';

describe('the cuts that an agent made in its own context', () => {
  test('have the recorded input before and after, and the price of what was not read from the cache', () => {
    const [found] = cutsOf(
      add(human('Fix it.')),
      add(answered(150_000)),
      cut([summary], { kind: 'compaction', trigger: 'auto' }),
      add(answered(30_000, 20_000)),
      add(answered(30_100, 30_000)),
    );
    expect(found).toMatchObject({
      kind: 'compaction',
      trigger: 'auto',
      event: 2,
      model: MODEL,
      beforeTokens: 150_000,
      afterTokens: 30_000,
      // 10,000 × 5, per million
      rewritten: { tokens: 10_000, dollars: expect.closeTo(0.05, 10), match: 'exact' },
      callsAfter: 2,
    });
    expect(found!.unseenTokens).toBe(0);
  });

  test('count an edit of removed text that no summary repeats, among the edits after it', () => {
    const [found] = cutsOf(
      ...shown.map(add),
      add(answered(100_000)),
      cut([summary]),
      add(answered(20_000)),
      ...edit('2', OLD_LINE, '  return 1;').map(add),
    );
    expect(found!.losses).toMatchObject({
      summary: 'text',
      uses: { edit: 1 },
      regrets: [{ kind: 'edit', tool: 'Edit' }],
    });
    expect(found!.losses!.removedTokens).toBeGreaterThan(40);
  });

  test.each([
    ['the summary repeats it', [cut([{ ...summary, blocks: [{ type: 'text', text: OLD_LINE }] }])]],
    ['it is read again', [cut([summary]), ...read('3').map(add)]],
    ['its result was kept', [cut([summary, ...shown])]],
  ] as const)('count no edit if %s', (_how, events) => {
    const [found] = cutsOf(...shown.map(add), ...events, ...edit('2', OLD_LINE, '  return 1;').map(add));
    expect(found!.losses!.uses.edit).toBe(1);
    expect(found!.losses!.regrets.filter(({ kind }) => kind === 'edit')).toEqual([]);
  });

  test('belong to the cut that removed the text, and end with the next cut', () => {
    const [first, second] = cutsOf(
      ...shown.map(add),
      cut([summary]),
      ...read('3').map(add),
      cut([summary]),
      ...edit('2', OLD_LINE, '  return 1;').map(add),
    );
    expect([first!.callsAfter, second!.callsAfter]).toEqual([1, 1]);
    expect(first!.losses!.regrets.filter(({ kind }) => kind === 'edit')).toEqual([]);
    expect(second!.losses!.regrets).toMatchObject([{ kind: 'edit' }]);
  });

  test('of a recording that starts after one have what the agent says about it, and no losses', () => {
    const [found] = cutsOf(cut([summary], { kind: 'compaction', beforeTokens: 990_000 }), add(answered(50_000)));
    expect(found).toMatchObject({ beforeTokens: 990_000, afterTokens: 50_000 });
    expect(found!.losses).toBeUndefined();
  });

  test('are only inferred from a smaller prompt of the same model, and never where the context was rebuilt', () => {
    const fall = cutsOf(add(answered(50_000)), add(human('next')), add(answered(40_000, 1000)));
    expect(fall).toMatchObject([{ kind: 'fall', event: 2, beforeTokens: 50_000, afterTokens: 40_000 }]);
    expect(fall[0]!.losses).toBeUndefined();
    expect(cutsOf(add(answered(50_000)), add(answered(46_000)))).toEqual([]);
    expect(cutsOf(add(answered(50_000)), add(answered(40_000, 0, 'done', 'gpt-5')))).toEqual([]);
    expect(cutsOf(add(answered(50_000)), { kind: 'replace', contents: [] }, add(answered(40_000)))).toEqual([]);
  });
});
