import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { formatNamed } from '../../src/formats/index.ts';
import { decode, joinLines, linesOfText } from '../../src/formats/lines/lines.ts';

const HEAD = 'Exit code 0';
const OLD = 'one\ntwo\nthree';
const NEW = '[2 lines]\nthree';
const PNG = 'iVBORw0KGgo=';

/** A result that is a list of two texts and a picture, in a file of each format. */
const FILES: Readonly<Record<string, (first: string, second: string) => unknown>> = {
  'anthropic-messages': (first, second) => [
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'exec', input: {} }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [
            { type: 'text', text: first },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
            { type: 'text', text: second, cache_control: { type: 'ephemeral' } },
          ],
        },
      ],
    },
  ],
  'openai-responses': (first, second) => [
    { type: 'message', role: 'user', content: 'Go' },
    { type: 'custom_tool_call', call_id: 'call_1', name: 'exec', input: 'x' },
    {
      type: 'custom_tool_call_output',
      call_id: 'call_1',
      output: [
        { type: 'input_text', text: first },
        { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
        { type: 'input_text', text: second },
      ],
    },
  ],
  'openai-chat': (first, second) => [
    { role: 'user', content: 'Go' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'exec', arguments: '{}' } }],
    },
    {
      role: 'tool',
      tool_call_id: 'call_1',
      content: [
        { type: 'text', text: first },
        { type: 'text', text: second },
      ],
    },
  ],
  'ai-sdk-messages': (first, second) => [
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'exec', input: {} }] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_1',
          toolName: 'exec',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: first },
              { type: 'file-data', data: PNG, mediaType: 'image/png' },
              { type: 'text', text: second },
            ],
          },
        },
      ],
    },
  ],
};

describe.each(Object.entries(FILES))('a result that is a list, in a file of %s', (name, fileOf) => {
  const format = formatNamed(name);
  const lines = linesOfText(JSON.stringify(fileOf(HEAD, OLD)));
  const history = liveHistory(format.read(lines));

  /** The file in which the text of the result is another. */
  const writtenWith = (result: string): unknown => {
    const changed = history.map(
      (entry): IContent => ({
        ...entry,
        blocks: entry.blocks.map((block) => (block.type === 'tool_response' ? { ...block, result } : block)),
      }),
    );
    return JSON.parse(decode(joinLines(format.write!(lines, changed))));
  };

  test('stays a list in which each text keeps what is left of it, and its other parts their places', () => {
    expect(writtenWith(`${HEAD}\n${NEW}`)).toEqual(fileOf(HEAD, NEW));
  });

  test('has one text if nothing is left of the others', () => {
    const text = JSON.stringify(writtenWith('[all]'));
    expect(text).toContain('"[all]"');
    expect(text).not.toMatch(/"text":""/);
    expect(text.includes(PNG)).toBe(JSON.stringify(fileOf('', '')).includes(PNG));
  });
});
