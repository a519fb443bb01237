import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../../src/content/content.ts';
import { ai, answer, call, createHistory, human } from '../entries.ts';

const view = (entries: readonly IContent[], tail?: readonly IContent[]): IContent[] =>
  createHistory(entries).getCuratedForProvider(tail);
const withId = (entry: IContent, id: string): IContent => ({
  ...entry,
  blocks: entry.blocks.map((block) => (block.type === 'tool_call' ? { ...block, id } : block)),
});
const image = (data: string): ContentBlock => ({ type: 'media', mimeType: 'image/png', data, encoding: 'base64' });
const cancelled = (...ids: string[]): IContent => ({
  speaker: 'tool',
  blocks: ids.flatMap(
    (id) =>
      answer(id, null, { error: 'Tool call interrupted or cancelled', isComplete: true }).blocks as ContentBlock[],
  ),
  metadata: { synthetic: true, reason: 'orphaned_tool_call' },
});

describe('`getCuratedForProvider`', () => {
  test('leaves a history alone that is fine already, as a deep copy', () => {
    const entries = [
      human('q'),
      call('c1', 'c2'),
      answer('c2'),
      { ...answer('c1'), metadata: { id: 'kept' } },
      ai('done'),
      call('c3'),
      { speaker: 'tool', blocks: [...answer('c3').blocks, image('AAAA')] },
    ] satisfies IContent[];
    const sent = view(entries);
    expect(sent).toEqual(entries);
    expect(sent[0]).not.toBe(entries[0]);
    expect(sent[1]?.blocks[0]).not.toBe(entries[1]?.blocks[0]);
  });

  test('is curated, appends the tail and leaves the stored history untouched', () => {
    const history = createHistory([human('q'), ai('  ')]);
    expect(history.getCuratedForProvider([ai('tail'), ai(' ')])).toEqual([human('q'), ai('tail')]);
    expect(history.getAll()).toEqual([human('q'), ai('  ')]);
  });

  test('moves calls in tool entries to the ai entry before, or to a new one', () => {
    const callBlock = call('c2').blocks;
    expect(
      view([call('c1'), { speaker: 'tool', blocks: [...answer('c1').blocks, ...callBlock] }, answer('c2')]),
    ).toEqual([call('c1', 'c2'), answer('c1'), answer('c2')]);
    expect(view([human('q'), { speaker: 'tool', blocks: callBlock }, answer('c2')])).toEqual([
      human('q'),
      { ...call('c2'), metadata: { synthetic: true, reason: 'moved_tool_call' } },
      answer('c2'),
    ]);
  });

  test('answers every unanswered call as cancelled', () => {
    expect(view([call('c1', 'c2', 'c3'), answer('c2'), human('stop'), call('c4')])).toEqual([
      call('c1', 'c2', 'c3'),
      answer('c2'),
      cancelled('c1', 'c3'),
      human('stop'),
      call('c4'),
      cancelled('c4'),
    ]);
  });

  test('gives every orphan response a call', () => {
    expect(view([human('q'), answer('lost'), ai('a')])).toEqual([
      human('q'),
      {
        speaker: 'ai',
        blocks: [{ type: 'tool_call', id: 'lost', name: 'read_file', parameters: {} }],
        metadata: { synthetic: true, reason: 'orphaned_tool_response' },
      },
      answer('lost'),
      ai('a'),
    ]);
  });

  test('puts responses directly after their call, also a response that was before it', () => {
    expect(view([call('c1'), human('meanwhile'), ai('thinking'), answer('c1')])).toEqual([
      call('c1'),
      answer('c1'),
      human('meanwhile'),
      ai('thinking'),
    ]);
    expect(view([answer('c1'), call('c1')])).toEqual([call('c1'), answer('c1')]);
    expect(view([{ speaker: 'ai', blocks: [...call('c1').blocks, ...answer('c1').blocks] }])).toEqual([
      call('c1'),
      answer('c1'),
    ]);
  });

  test.each([
    [
      'complete ones over incomplete ones',
      answer('c1', 'a', { isComplete: false }),
      answer('c1', null, { error: 'e' }),
    ],
    ['ones without an error', answer('c1', 'a', { error: 'e' }), answer('c1', null)],
    ['ones with a result', answer('c1', null), answer('c1', 'a')],
  ])('reduces duplicates to the best one: %s', (_name, worse, better) => {
    expect(view([call('c1'), worse, better])).toEqual([call('c1'), better]);
    expect(view([call('c1'), better, worse])).toEqual([call('c1'), better]);
    expect(view([worse, better]).slice(1)).toEqual([better]);
  });

  test('of equal duplicates the first is kept', () => {
    expect(view([call('c1'), answer('c1', 'first'), answer('c1', 'second')])).toEqual([
      call('c1'),
      answer('c1', 'first'),
    ]);
  });

  test('keeps the media of a response that is dropped', () => {
    const dropped: IContent = { speaker: 'tool', blocks: [...answer('c1', null).blocks, image('BBBB')] };
    const sent = view([call('c1'), dropped, answer('c1', 'good')]);
    expect(sent).toEqual([call('c1'), { speaker: 'tool', blocks: [...answer('c1', 'good').blocks, image('BBBB')] }]);
  });

  test('keeps reused ids apart: the second call gets another id, and its result with it (docs/readings.md, rows 7 and 46)', () => {
    const history = createHistory([
      call('c1'),
      answer('c1', 'first'),
      human('again'),
      call('c1'),
      answer('c1', 'second'),
    ]);
    expect(history.getCuratedForProvider()).toEqual([
      call('c1'),
      answer('c1', 'first'),
      human('again'),
      withId(call('c1'), 'c1_2'),
      answer('c1_2', 'second'),
    ]);
    expect(history.getAll()[3]).toEqual(call('c1'));
  });

  test('two calls with one id in one turn get ids of their own, answered or not', () => {
    const both = (second: string): IContent => ({
      ...call('c1', 'c1'),
      blocks: [...call('c1').blocks, ...withId(call('c1'), second).blocks],
    });
    expect(view([call('c1', 'c1'), answer('c1', 'a'), answer('c1', 'b')])).toEqual([
      both('c1_2'),
      answer('c1', 'a'),
      answer('c1_2', 'b'),
    ]);
    expect(view([call('c1', 'c1'), answer('c1', 'a')])).toEqual([both('c1_2'), answer('c1', 'a'), cancelled('c1_2')]);
    expect(view([call('c1', 'c1', 'c1_2')]).at(-1)).toEqual(cancelled('c1', 'c1_2', 'c1_2_2'));
    expect(view([answer('c1_2'), call('c1', 'c1')])[0]!.blocks[0]).toMatchObject({ id: 'c1_2_2' });
  });

  test('cuts circular values and keeps what is not', () => {
    const circular: Record<string, unknown> = { shared: { x: 1 } };
    circular['self'] = circular;
    circular['again'] = circular['shared'];
    circular['big'] = 12n;
    circular['when'] = new Date(0);
    const sent = view([{ speaker: 'ai', blocks: [{ type: 'tool_call', id: 'c', name: 't', parameters: circular }] }]);
    expect(sent[0]?.blocks[0]).toMatchObject({
      parameters: {
        shared: { x: 1 },
        self: '[Circular]',
        again: { x: 1 },
        big: '12',
        when: '1970-01-01T00:00:00.000Z',
      },
    });
  });

  test('names values that throw when they are read, and copies an object whose `toJSON` returns itself', () => {
    const broken = {
      kept: 1,
      get secret(): never {
        throw new Error('not for you');
      },
      list: [{ toJSON: () => Promise.reject.call(undefined) }, 'after'],
      proxy: new Proxy({}, { ownKeys: () => [].at(0)! }),
      own: {
        x: 1,
        toJSON() {
          return this;
        },
      },
    };
    const history = createHistory([human('q'), call('c'), answer('c', broken)]);
    const expected = {
      kept: 1,
      secret: '[Unreadable]',
      list: ['[Unreadable]', 'after'],
      proxy: '[Unreadable]',
      own: { x: 1 },
    };
    expect(history.getCuratedForProvider()[2]?.blocks[0]).toMatchObject({ result: expected });
    expect(JSON.parse(history.toJSON())[2].blocks[0].result).toEqual(expected);
  });

  test('cuts what is nested too deep to be written down', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const sent = view([human('q'), call('c'), answer('c', deep)]);
    expect(JSON.stringify(sent)).toContain('[Too deep]');
  });

  test('a key named like the prototype is still a key', () => {
    const parameters = JSON.parse('{"__proto__": {"polluted": true}}') as unknown;
    const [sent] = view([{ speaker: 'ai', blocks: [{ type: 'tool_call', id: 'c', name: 't', parameters }] }]);
    expect(JSON.stringify(sent)).toContain('__proto__');
    expect({}).not.toHaveProperty('polluted');
  });
});
