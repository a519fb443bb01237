/** Requests that are hard to look at: long, wide, deep, or of many parts; at most what is looked at at all. */
const LONG = 32_000_000;

export interface HardBody {
  readonly name: string;
  readonly path: string;
  readonly body: Buffer;
}

const tools = [{ name: 'Read' }];
const line = (file: string, at: number): string =>
  `  const value${at} = compute(${(at * 7) % 1_013}, "of line ${at}"); // file ${file}`;

function fileText(file: string, length: number): string {
  const lines: string[] = [];
  for (let size = 0; size < length; size += lines.at(-1)!.length + 1) lines.push(line(file, lines.length));
  return lines.join('\n');
}

function reads(count: number, length: number): object[] {
  return Array.from({ length: count }, (_, at) => {
    const id = `t${at}`;
    const file = `/src/file${at % 40}.ts`;
    return [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: file } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: fileText(file, length) }] },
    ];
  }).flat();
}

export const anthropic = (messages: unknown, fields: object = {}): string =>
  JSON.stringify({ model: 'claude-sonnet-4-5', tools, ...fields, messages });

/** `content` of a message is written as it is: it may be what no object can be. */
const written = (content: string): string =>
  `{"model":"claude-sonnet-4-5","tools":[{"name":"Read"}],"messages":[{"role":"user","content":${content}}]}`;

const many = (count: number, part: string): string => `${`${part},`.repeat(count - 1)}${part}`;
const messages = (count: number, part: string): string =>
  `{"model":"m","tools":[{"name":"Read"}],"messages":[${many(count, part)}]}`;
const CHARACTER = '{"role":"user","content":"x"},{"role":"assistant","content":"x"}';
const parts = (type: string): string =>
  Array.from({ length: 100_000 }, (_, at) =>
    type === 'call'
      ? `{"type":"tool_use","id":"c${at}","name":"Read","input":{"file_path":"/a"}}`
      : `{"type":"tool_result","tool_use_id":"c${at}","content":"x"}`,
  ).join(',');

const TEXTS: Readonly<Record<string, () => string>> = {
  '200,000 messages of one character': () => messages(100_000, CHARACTER),
  '80,000 messages of one character': () => messages(40_000, CHARACTER),
  '500,000 messages of one character': () => messages(250_000, CHARACTER),
  'one long text': () => written(`"${'x y '.repeat(LONG / 4)}"`),
  'one long text with two bytes a character': () => written(`"€${'x y '.repeat(LONG / 4)}"`),
  'one long result': () => anthropic([{ role: 'user', content: 'Go.' }, ...reads(1, LONG / 1.05)]),
  'a thousand long results': () => anthropic([{ role: 'user', content: 'Go.' }, ...reads(1_000, LONG / 1_050)]),
  'a text of escapes': () => written(`"${'\\u20ac'.repeat(LONG / 6)}"`),
  'a text of quotes': () => written(`"${'\\"'.repeat(LONG / 2)}"`),
  'a million parts': () => written(`[${many(1_000_000, '{"type":"text","text":"x"}')}]`),
  'ten million empty parts': () => written(`[${many(10_000_000, '{}')}]`),
  'ten million empty lists': () => written(`[${many(10_000_000, '[]')}]`),
  '60,000 parts': () => written(`[${many(60_000, '{"type":"text","text":"x"}')}]`),
  'an object of two million members': () => written(`{${many(2_000_000, '"a":1')}}`),
  'two million fields': () => `{${Array.from({ length: 2_000_000 }, (_, at) => `"f${at}":1`).join(',')},"messages":[]}`,
  'a message of 100,000 calls, and one of their results': () =>
    `{"model":"m","tools":[{"name":"Read"}],"messages":[{"role":"assistant","content":[${parts('call')}]},{"role":"user","content":[${parts('result')}]}]}`,
  'lists in lists in a message': () => written(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`),
  'objects in objects in a call': () =>
    written(`[{"type":"tool_use","id":"a","name":"Read","input":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}]`),
  'lists in lists beside the messages': () =>
    `{"model":"m","tools":[{"name":"Read"}],"other":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)},"messages":[{"role":"user","content":"x"}]}`,
  blanks: () => `{"model":"m","tools":[{}],"messages":[${' '.repeat(LONG)}]}`,
};

/** In the forms of other APIs. */
const OTHER_TEXTS: readonly { readonly name: string; readonly path: string; readonly text: () => string }[] = [
  {
    name: '50,000 calls and their results',
    path: '/v1/responses',
    text: () => {
      const item = (at: number): string =>
        `{"type":"function_call","call_id":"c${at}","name":"shell","arguments":"{}"},{"type":"function_call_output","call_id":"c${at}","output":"x"}`;
      const input = Array.from({ length: 25_000 }, (_, at) => item(at)).join(',');
      return `{"model":"gpt-5","tools":[{"name":"shell"}],"input":[${input}]}`;
    },
  },
  {
    name: 'a long message in the middle',
    path: '/v1/chat/completions',
    text: () => {
      const message = { role: 'user', content: fileText('a', LONG / 1.05) };
      return JSON.stringify({ model: 'gpt-5', tools, messages: [{ role: 'user', content: 'Go.' }, message] });
    },
  },
  {
    name: 'two million members inside',
    path: '/v1internal:generateContent',
    text: () => `{"model":"gemini-2.5-pro","request":{${many(2_000_000, '"a":1')},"contents":[]}}`,
  },
];

/** Each of them once, all new objects. */
export function hardBodies(): readonly HardBody[] {
  return [
    ...Object.entries(TEXTS).map(([name, text]) => ({ name, path: '/v1/messages', body: Buffer.from(text()) })),
    ...OTHER_TEXTS.map(({ text, ...one }) => ({ ...one, body: Buffer.from(text()) })),
  ];
}
