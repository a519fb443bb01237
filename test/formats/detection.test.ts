import { describe, expect, it } from 'vitest';
import { detectFormat, formatOfLine } from '../../src/formats/index.ts';
import { headDocument, headLines } from '../../src/formats/json/json-file.ts';

describe('the head of a file', () => {
  it('returns the objects and lists in its lines, and the complete part of the last one', () => {
    expect(headLines('{"a":1}\n\n[2]\r\nnot { JSON }\n{"b":{"c":3')).toEqual([{ a: 1 }, [2], { b: { c: 3 } }]);
  });

  it('gives nothing for prose and for the lines of an indented document', () => {
    expect(headLines('# A heading\n"quoted": [\n{\n}\n12\nend')).toEqual([]);
  });

  it('is one document where it is JSON, closed where it is cut', () => {
    expect(headDocument(' {"a": [1, {"b": "c')).toEqual({ a: [1, { b: 'c' }] });
    expect(headDocument('# A heading')).toBeUndefined();
  });

  it('is looked at again when another one is asked for', () => {
    const heads = ['{"a":1}\n', '{"a":2}\n', '{"a":1}\n'];
    expect(heads.map((head) => headLines(head)[0])).toEqual([{ a: 1 }, { a: 2 }, { a: 1 }]);
    expect(heads.map((head) => headDocument(head))).toEqual([{ a: 1 }, { a: 2 }, { a: 1 }]);
  });
});

describe('files of other products that look like a known format', () => {
  const said = [{ type: 'text', text: 'Fix it.' }];
  const call = { type: 'tool_use', id: 't', name: 'Read', input: { path: 'a' } };
  const amp = [
    { role: 'user', content: said, messageId: 0 },
    { role: 'assistant', content: [call], messageId: 1 },
    { role: 'user', content: [{ type: 'tool_result', toolUseID: 't', run: { status: 'done' } }], messageId: 2 },
  ];
  const converse = [
    { role: 'user', content: [{ text: 'Fix it.' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 't', name: 'read', input: {} } }] },
    { role: 'user', content: [{ toolResult: { toolUseId: 't', content: [{ text: 'let a;' }] } }] },
  ];
  const steps = [
    { type: 'user_input', content: said },
    { type: 'function_call', id: 't', name: 'read', arguments: { path: 'a' } },
    { type: 'function_result', call_id: 't', name: 'read', result: 'let a;' },
    { type: 'model_output', content: said },
  ];
  const goose = [
    { id: 'm', role: 'user', created: 1, content: said },
    { id: 'n', role: 'assistant', created: 2, content: [{ type: 'toolRequest', id: 't', toolCall: {} }] },
  ];
  const told = { object: 'thread.message', role: 'user', content: [{ type: 'text', text: { value: 'Fix it.' } }] };

  it.each([
    ['an Amp thread', { v: 1, id: 'T-1', messages: amp }],
    ['an Amp thread', { v: 1, id: 'T-1', messages: amp.slice(0, 1) }],
    ['a request of Bedrock Converse', { modelId: 'claude', messages: converse }],
    ['a request of Bedrock Converse', converse],
    ['a request of Bedrock Converse', { messages: converse.slice(0, 1) }],
    ['steps of Gemini Interactions', { model: 'gemini-3.5-flash', input: steps }],
    ['steps of Gemini Interactions', { model: 'gemini-3.5-flash', input: steps.slice(1, 2) }],
    ['steps of Gemini Interactions', { id: 'v1_x', status: 'completed', steps }],
    [
      'steps of Gemini Interactions',
      {
        model: 'm',
        input: [
          { role: 'user', content: said },
          { role: 'model', content: said },
        ],
      },
    ],
    ['a session of goose', { messages: goose }],
    ['a session of goose', goose],
    ['messages of OpenAI Assistants', { object: 'list', data: [told] }],
  ])('are refused by name: %s', (title, document) => {
    const refusal = `Expected a session in a known format, got ${title}, which is not read.`;
    for (const head of [JSON.stringify(document), JSON.stringify(document, undefined, 2)]) {
      expect(formatOfLine(head)).toBeUndefined();
      expect(() => detectFormat(head)).toThrow(refusal);
    }
  });

  it.each([
    ['a part without a type', { role: 'user', content: [{ words: 'Fix it.' }] }],
    ['a part that is named in another style', { role: 'assistant', content: [{ type: 'toolCall', id: 't' }] }],
    ['a result that names no call', { role: 'user', content: [{ type: 'tool_result', toolUseID: 't' }] }],
  ])('are refused if they have %s, whatever product it is', (_, message) => {
    expect(() => detectFormat(JSON.stringify({ messages: [message, { role: 'user', content: 'On.' }] }))).toThrow(
      'Expected a session in a known format',
    );
  });

  it('are not requests whose only item is a search for tools or a list of them', () => {
    for (const type of ['tool_search_call', 'tool_search_output', 'mcp_list_tools', 'mcp_approval_request'])
      expect(detectFormat(JSON.stringify({ input: [{ type, id: 'x' }] })).name).toBe('openai-responses');
  });
});
