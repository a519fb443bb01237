import { describe, expect, test } from 'vitest';
import { blockTexts } from '../../../src/content/block-text.ts';
import { isFailure } from '../../../src/content/calls/pairing.ts';
import type { IContent, ToolResponseBlock } from '../../../src/content/content.ts';
import { isContent } from '../../../src/content/content-guard.ts';
import { openaiChat } from '../../../src/formats/openai-chat/openai-chat.ts';
import { summarizeResponse } from '../../../src/strategies/high-density/summary.ts';
import { countBlock } from '../../../src/tokens/entries/entry.ts';
import { createTokenizer } from '../../../src/tokens/index.ts';

const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

/** A result whose error may be anything, as one from JavaScript or JSON. */
const failed = (error: unknown): ToolResponseBlock =>
  ({ type: 'tool_response', callId: 'a', toolName: 'read_file', result: 'ok', error }) as ToolResponseBlock;

describe('the error of a result (docs/readings.md, row 36)', () => {
  test.each(['', null, undefined, false, {}, []])('%j says nothing: the call succeeded', (error) => {
    const response = failed(error);
    expect(isFailure(response)).toBe(false);
    expect(blockTexts(response)).toEqual(['ok']);
    expect(countBlock(response, createTokenizer('o200k'))).toBe(1);
    const summary = summarizeResponse(response, 'a.ts');
    expect(summary.result).toBe('[read_file: a.ts — success, 2 chars]');
    expect(isContent({ speaker: 'tool', blocks: [response] })).toBe(true);
  });

  test.each([
    ['ENOENT', 'ENOENT'],
    [{ code: 'ENOENT' }, '{"code":"ENOENT"}'],
    [['a'], '["a"]'],
    [cyclic, '{"self":"…"}'],
    [new Error('gone'), 'gone'],
    [2n, '2'],
  ])('%o is a failure, with these words', (error, words) => {
    const response = failed(error);
    expect(isFailure(response)).toBe(true);
    expect(blockTexts(response)).toEqual(['ok', words]);
    const summary = summarizeResponse(response, 'a.ts');
    expect(summary).toMatchObject({ result: `[read_file: a.ts — error: ${words}, 2 chars]`, error: words });
  });

  test('an error whose fields cannot be read is a failure', () => {
    const throwing = Object.defineProperty({}, 'code', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(blockTexts(failed(throwing))).toEqual(['ok', '{"code":null}']);
  });

  test('a format writes an empty error as success, and an object as its JSON', () => {
    const history: IContent[] = [
      { speaker: 'human', blocks: [{ type: 'text', text: 'Read.' }] },
      { speaker: 'ai', blocks: [{ type: 'tool_call', id: 'a', name: 'read_file', parameters: {} }] },
    ];
    const written = (error: unknown): string =>
      Buffer.concat([
        ...openaiChat.create!([...history, { speaker: 'tool', blocks: [failed(error)] }], { id: 's', startedAt: 0 }),
      ]).toString();
    expect(written('')).toBe(written(undefined));
    expect(written({})).toBe(written(undefined));
    expect(written({ code: 1 })).toContain(String.raw`{\"code\":1}\nok`);
  });
});
