/** What a model writes and how it ends. */
export interface Reply {
  readonly texts: readonly string[];
  readonly ending: 'stop' | 'length' | 'filter';
}

/** A call of a tool in an answer; Gemini gives calls no id. */
export interface WireCall {
  readonly text: string;
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

/** How one vendor's API looks on the wire; the shapes are those of the vendors' published API references. */
export interface Wire {
  /** Path of the one endpoint that is used, below the base URL. */
  readonly path: RegExp;
  /** Header that contains the key, and the text before the key. */
  readonly keyHeader: readonly [name: string, prefix: string];
  /** The system prompt, the message and the limit in a request body. */
  readRequest(body: unknown): { instructions: unknown; input: unknown; maxOutputTokens: unknown };
  /** Server-sent events of a whole answer, one per element. */
  events(reply: Reply): string[];
  /** The same for an answer that says something and then calls a tool. */
  callEvents(call: WireCall): string[];
  /** The text of results of tools in a request body. */
  readResults(body: unknown): unknown[];
  /** An error inside a stream that began with 200, that says the vendor is too busy. */
  readonly busyEvent: string;
  /** The body of an error answer. */
  errorBody(message: string, type: string): unknown;
}

const event = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
const named = (data: { type: string; [field: string]: unknown }): string => event(data, data.type);

const anthropic: Wire = {
  path: /^\/v1\/messages$/,
  keyHeader: ['x-api-key', ''],
  readRequest: (body) => {
    const { system, messages, max_tokens } = body as {
      system: { text: string }[];
      messages: never;
      max_tokens: number;
    };
    const [{ content }] = messages as [{ content: { text: string }[] }];
    return { instructions: system[0]?.text, input: content[0]?.text, maxOutputTokens: max_tokens };
  },
  events: ({ texts, ending }) => [
    named({
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 11, output_tokens: 1 },
      },
    }),
    named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...texts.map((text) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    named({ type: 'content_block_stop', index: 0 }),
    named({
      type: 'message_delta',
      delta: {
        stop_reason: { stop: 'end_turn', length: 'max_tokens', filter: 'refusal' }[ending],
        stop_sequence: null,
      },
      usage: { output_tokens: 7 },
    }),
    named({ type: 'message_stop' }),
  ],
  callEvents: ({ text, id, name, input }) => {
    const [start, open, said, stop] = anthropic.events({ texts: [text], ending: 'stop' }) as [
      string,
      string,
      string,
      string,
    ];
    const json = JSON.stringify(input);
    const pieces = [json.slice(0, 5), json.slice(5)];
    return [
      start,
      open,
      said,
      stop,
      named({ type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id, name, input: {} } }),
      ...pieces.map((partial_json) =>
        named({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json } }),
      ),
      named({ type: 'content_block_stop', index: 1 }),
      named({
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 7 },
      }),
      named({ type: 'message_stop' }),
    ];
  },
  readResults: (body) =>
    (body as { messages: { content: { type: string; content: unknown }[] }[] }).messages.flatMap(({ content }) =>
      content.filter(({ type }) => type === 'tool_result').map((part) => part.content),
    ),
  busyEvent: named({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  errorBody: (message, type) => ({ type: 'error', error: { type, message } }),
};

const chatChunk = (choice: object | undefined, more: object = {}): string =>
  event({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: choice === undefined ? [] : [{ index: 0, ...choice }],
    ...more,
  });

const openaiError = (message: string, type: string): unknown => ({ error: { message, type, param: null, code: null } });

const openaiChat: Wire = {
  path: /^\/v1\/chat\/completions$/,
  keyHeader: ['authorization', 'Bearer '],
  readRequest: (body) => {
    const { messages, max_tokens, max_completion_tokens } = body as {
      messages: { content: unknown }[];
      max_tokens?: number;
      max_completion_tokens?: number;
    };
    return {
      instructions: messages[0]?.content,
      input: messages[1]?.content,
      maxOutputTokens: max_tokens ?? max_completion_tokens,
    };
  },
  events: ({ texts, ending }) => [
    chatChunk({ delta: { role: 'assistant', content: '' }, finish_reason: null }),
    ...texts.map((content) => chatChunk({ delta: { content }, finish_reason: null })),
    chatChunk({ delta: {}, finish_reason: { stop: 'stop', length: 'length', filter: 'content_filter' }[ending] }),
    chatChunk(undefined, { usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } }),
    'data: [DONE]\n\n',
  ],
  callEvents: ({ text, id, name, input }) => {
    const json = JSON.stringify(input);
    const delta = (more: object): string =>
      chatChunk({ delta: { tool_calls: [{ index: 0, ...more }] }, finish_reason: null });
    return [
      chatChunk({ delta: { role: 'assistant', content: text }, finish_reason: null }),
      delta({ id, type: 'function', function: { name, arguments: json.slice(0, 5) } }),
      delta({ function: { arguments: json.slice(5) } }),
      chatChunk({ delta: {}, finish_reason: 'tool_calls' }),
      chatChunk(undefined, { usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } }),
      'data: [DONE]\n\n',
    ];
  },
  readResults: (body) =>
    (body as { messages: { role: string; content: unknown }[] }).messages
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content),
  busyEvent: event({ error: { message: 'The server had an error processing your request.', type: 'server_error' } }),
  errorBody: openaiError,
};

const openai: Wire = {
  path: /^\/v1\/responses$/,
  keyHeader: ['authorization', 'Bearer '],
  readRequest: (body) => {
    const { input, max_output_tokens } = body as { input: { content: unknown }[]; max_output_tokens: number };
    const [text] = (input[1]?.content ?? []) as { text?: string }[];
    return { instructions: input[0]?.content, input: text?.text, maxOutputTokens: max_output_tokens };
  },
  events: ({ texts, ending }) => {
    const item = { id: 'msg_1', type: 'message', role: 'assistant' };
    const reason = { stop: undefined, length: 'max_output_tokens', filter: 'content_filter' }[ending];
    const type = reason === undefined ? 'response.completed' : 'response.incomplete';
    const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18 };
    return [
      named({ type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'm' } }),
      named({
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, status: 'in_progress', content: [] },
      }),
      ...texts.map((delta) =>
        named({ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta }),
      ),
      named({
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...item, status: 'completed', content: [] },
      }),
      named({ type, response: { incomplete_details: reason === undefined ? null : { reason }, usage } }),
    ];
  },
  callEvents: ({ text, id, name, input }) => {
    const said = openai.events({ texts: [text], ending: 'stop' });
    const item = { type: 'function_call', id: 'fc_1', call_id: id, name };
    const json = JSON.stringify(input);
    return [
      ...said.slice(0, -1),
      named({
        type: 'response.output_item.added',
        output_index: 1,
        item: { ...item, status: 'in_progress', arguments: '' },
      }),
      named({ type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: json }),
      named({ type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index: 1, arguments: json }),
      named({
        type: 'response.output_item.done',
        output_index: 1,
        item: { ...item, status: 'completed', arguments: json },
      }),
      said.at(-1)!,
    ];
  },
  readResults: (body) =>
    (body as { input: { type?: string; output?: unknown }[] }).input
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => output),
  busyEvent: named({
    type: 'error',
    sequence_number: 1,
    error: { type: 'server_error', code: 'server_error', message: 'The server had an error', param: null },
  }),
  errorBody: openaiError,
};

const google: Wire = {
  path: /^\/v1beta\/models\/[^/]+:streamGenerateContent\?alt=sse$/,
  keyHeader: ['x-goog-api-key', ''],
  readRequest: (body) => {
    const { systemInstruction, contents, generationConfig } = body as {
      systemInstruction: { parts: { text: string }[] };
      contents: { parts: { text: string }[] }[];
      generationConfig: { maxOutputTokens: number };
    };
    return {
      instructions: systemInstruction.parts[0]?.text,
      input: contents[0]?.parts[0]?.text,
      maxOutputTokens: generationConfig.maxOutputTokens,
    };
  },
  events: ({ texts, ending }) => [
    ...texts.map((text) => event({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }] })),
    event({
      candidates: [
        {
          content: { parts: [{ text: '' }], role: 'model' },
          finishReason: { stop: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' }[ending],
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
    }),
  ],
  callEvents: ({ text, name, input }) => [
    event({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }] }),
    event({
      candidates: [
        {
          content: { parts: [{ functionCall: { name, args: input }, thoughtSignature: 'signed' }], role: 'model' },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
    }),
  ],
  readResults: (body) =>
    (body as { contents: { parts: { functionResponse?: { response: { content: unknown } } }[] }[] }).contents.flatMap(
      ({ parts }) =>
        parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.response.content] : [])),
    ),
  busyEvent: event({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
  errorBody: (message, status) => ({ error: { code: 400, message, status } }),
};

/** The wire of each vendor, by the name under which it is listed. */
export const WIRES: Readonly<Record<string, Wire>> = {
  anthropic,
  openai,
  'openai-chat': openaiChat,
  google,
  'openai-compatible': openaiChat,
};
