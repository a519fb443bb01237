import { beforeEach, describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { LiveApi, PromptChange, PruneReport } from '../../src/live/contract.ts';
import { LivePruner } from '../../src/live/live-pruner.ts';
import { Ledger } from '../../src/proxy/ledger/ledger.ts';
import { changeSentence } from '../../src/report/account-words.ts';
import { callOf } from '../proxy/live-calls.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Asked {
  readonly body: Fields;
  readonly headers?: Readonly<Record<string, string>>;
}

const encoder = new TextEncoder();
/** What a pruner says of the last of these requests, given as bytes or as objects. */
async function reportOf(api: LiveApi, requests: readonly Asked[], asBytes = true): Promise<PruneReport> {
  const pruner = new LivePruner({ api, vocabulary: claudeCode, workspaceRoot: '/' });
  let last: PruneReport | undefined;
  for (const { body, headers } of requests) {
    const { report } = await pruner.prune({
      body: asBytes ? encoder.encode(JSON.stringify(body)) : structuredClone(body),
      headers: { 'x-session-id': 's', ...headers },
    });
    await pruner.observe(report, { status: 200 });
    last = report;
  }
  return last!;
}

const schema = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const tool = (name: string, description = `What ${name} does.`, input_schema: unknown = schema('path')) => ({
  name,
  description,
  input_schema,
});
const READ = tool('Read');
const BASH = tool('Bash');
const GITHUB = ['create_issue', 'list_issues', 'get_file'].map((name) => tool(`mcp__github__${name}`));
const SYSTEM = Array.from({ length: 40 }, (_, at) => `Rule ${at + 1}.`).join('\n');
const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
const said = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });
/** A history of so many messages, which starts with one of the user. */
const history = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) =>
    at % 2 === 0 ? user(`question ${from + at}`) : said(`answer ${from + at}`),
  );
const START = history(9);
const MORE = [...START, said('answer 9'), user('question 10')];

const messages = (given: Fields = {}): Fields => ({
  model: 'claude-opus-5-5',
  max_tokens: 32_000,
  system: [
    { type: 'text', text: 'You are an agent.' },
    { type: 'text', text: SYSTEM, cache_control: { type: 'ephemeral' } },
  ],
  tools: [READ, BASH],
  thinking: { type: 'adaptive' },
  output_config: { effort: 'high' },
  messages: START,
  ...given,
});
const next = (given: Fields = {}): Fields => messages({ messages: MORE, ...given });
const without = (at: number, count = 1) => MORE.toSpliced(at, count);
const withMessages = (at: number, removed: number, ...added: typeof MORE) =>
  next({ messages: MORE.toSpliced(at, removed, ...added) });
const systemWith = (text: string) => [
  { type: 'text', text: 'You are an agent.' },
  { type: 'text', text },
];
const changedLine = SYSTEM.replace('Rule 12.', 'Rule 12b.');

const chat = (given: Fields = {}): Fields => ({
  model: 'gpt-5.5',
  tools: [{ type: 'function', function: { name: 'read', description: 'Reads.', parameters: schema('path') } }],
  messages: [{ role: 'system', content: SYSTEM }, ...START],
  ...given,
});
const item = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] });
const responses = (given: Fields = {}): Fields => ({
  model: 'gpt-6.2',
  instructions: SYSTEM,
  tools: [{ type: 'function', name: 'read', description: 'Reads.', parameters: schema('path') }],
  reasoning: { effort: 'medium' },
  input: [item('developer', 'Be short.'), item('user', 'go'), item('user', 'on')],
  ...given,
});
const gemini = (given: Fields = {}): Fields => ({
  model: 'gemini-3',
  systemInstruction: { parts: [{ text: SYSTEM }] },
  tools: [{ functionDeclarations: [{ name: 'read', description: 'Reads.', parametersJsonSchema: schema('path') }] }],
  contents: [{ role: 'user', parts: [{ text: 'go' }] }],
  ...given,
});

type Case = readonly [what: string, api: LiveApi, before: Fields, after: Fields, named: PromptChange | undefined];
const named = (kind: PromptChange['kind'], what: string, where?: string): PromptChange => ({
  kind,
  what,
  ...(where !== undefined && { where }),
});
const system = (where: string) => named('system', 'the system prompt changed', where);
const API = 'anthropic-messages';

/** Pairs of requests, and the first thing that changed between them. */
const CASES: readonly Case[] = [
  ['nothing', API, messages(), next(), undefined],
  ['a mark', API, messages(), next({ tools: [READ, { ...BASH, cache_control: { type: 'ephemeral' } }] }), undefined],
  ['the mark of the system prompt', API, messages(), next({ system: systemWith(SYSTEM) }), undefined],
  ['what the answer may have', API, messages(), next({ max_tokens: 8, stream: true, temperature: 1 }), undefined],
  ['the metadata', API, messages({ metadata: { user_id: 'a' } }), next({ metadata: { user_id: 'b' } }), undefined],
  // A tool came.
  ['a new tool', API, messages(), next({ tools: [READ, BASH, tool('Grep')] }), named('tools', '`Grep` was added')],
  [
    'a new server',
    API,
    messages(),
    next({ tools: [READ, BASH, ...GITHUB] }),
    named('tools', '3 tools of `mcp__github` were added'),
  ],
  [
    'tools of several kinds',
    API,
    messages(),
    next({ tools: [READ, BASH, tool('A'), tool('B')] }),
    named('tools', '`A` and 1 more tool were added'),
  ],
  [
    'a deferred tool',
    API,
    messages(),
    next({ tools: [READ, BASH, { ...tool('Late'), defer_loading: true }] }),
    undefined,
  ],
  // A tool went.
  ['a removed tool', API, messages(), next({ tools: [READ] }), named('tools', '`Bash` was removed')],
  [
    'a removed server',
    API,
    messages({ tools: [READ, ...GITHUB] }),
    next({ tools: [READ] }),
    named('tools', '3 tools of `mcp__github` were removed'),
  ],
  [
    'all tools but one',
    'openai-responses',
    responses({ tools: [{ type: 'web_search' }, ...(responses()['tools'] as object[])] }),
    responses(),
    named('tools', '`web_search` was removed'),
  ],
  // A part of a tool changed.
  [
    'a description',
    API,
    messages(),
    next({ tools: [READ, tool('Bash', 'Runs it.')] }),
    named('tools', '`Bash` changed its description'),
  ],
  [
    'a description of a function',
    'openai-chat',
    chat(),
    chat({
      tools: [{ type: 'function', function: { name: 'read', description: 'Shows.', parameters: schema('path') } }],
    }),
    named('tools', '`read` changed its description'),
  ],
  [
    'a description of Gemini',
    'gemini-api',
    gemini(),
    gemini({
      tools: [
        { functionDeclarations: [{ name: 'read', description: 'Shows.', parametersJsonSchema: schema('path') }] },
      ],
    }),
    named('tools', '`read` changed its description'),
  ],
  [
    'an input schema',
    API,
    messages(),
    next({ tools: [READ, tool('Bash', undefined, schema('command'))] }),
    named('tools', '`Bash` changed its input schema'),
  ],
  [
    'the order in a schema',
    API,
    messages({ tools: [tool('Bash', undefined, schema('a', 'b'))] }),
    next({ tools: [tool('Bash', undefined, schema('b', 'a'))] }),
    named('tools', '`Bash` changed its input schema'),
  ],
  [
    'a schema of a function',
    'openai-responses',
    responses(),
    responses({ tools: [{ type: 'function', name: 'read', description: 'Reads.', parameters: schema('file') }] }),
    named('tools', '`read` changed its input schema'),
  ],
  [
    'both parts',
    API,
    messages(),
    next({ tools: [READ, tool('Bash', 'Runs it.', schema('command'))] }),
    named('tools', '`Bash` changed its description and input schema'),
  ],
  ['the order of tools', API, messages(), next({ tools: [BASH, READ] }), named('tools', 'the order of tools changed')],
  // The system prompt.
  ['a line of it', API, messages(), next({ system: systemWith(changedLine) }), system('at line 12 of block 2')],
  [
    'a block of it',
    API,
    messages(),
    next({ system: [...systemWith(SYSTEM), { type: 'text', text: 'Today.' }] }),
    system('at block 3'),
  ],
  [
    'a prompt that is one text',
    API,
    messages({ system: SYSTEM }),
    next({ system: `${SYSTEM}\nRule 41.` }),
    system('at line 40'),
  ],
  [
    'what Claude Code says of itself',
    API,
    messages({ system: [{ type: 'text', text: 'x-anthropic-billing-header: cch=1' }, ...systemWith(SYSTEM)] }),
    next({ system: [{ type: 'text', text: 'x-anthropic-billing-header: cch=2' }, ...systemWith(SYSTEM)] }),
    undefined,
  ],
  ['instructions', 'openai-responses', responses(), responses({ instructions: changedLine }), system('at line 12')],
  [
    'a developer message',
    'openai-responses',
    responses(),
    responses({ input: [item('developer', 'Be long.'), item('user', 'go'), item('user', 'on')] }),
    system('at line 1'),
  ],
  [
    'a system message',
    'openai-chat',
    chat(),
    chat({ messages: [{ role: 'system', content: changedLine }, ...MORE] }),
    system('at line 12'),
  ],
  [
    'a system instruction',
    'gemini-api',
    gemini(),
    gemini({ systemInstruction: { parts: [{ text: changedLine }] } }),
    system('at line 12'),
  ],
  // Messages.
  [
    'an inserted message',
    API,
    messages(),
    withMessages(3, 0, user('a reminder')),
    named('history', 'a message was inserted', '6 messages back'),
  ],
  [
    'inserted messages',
    API,
    messages(),
    withMessages(1, 0, said('x'), user('y')),
    named('history', 'messages were inserted', '8 messages back'),
  ],
  [
    'a rewritten message',
    API,
    messages(),
    withMessages(4, 1, user('another question')),
    named('history', 'a message was rewritten', '5 messages back'),
  ],
  [
    'rewritten messages',
    API,
    messages(),
    withMessages(4, 2, user('b'), said('c')),
    named('history', 'messages were rewritten', '5 messages back'),
  ],
  [
    'the last message',
    API,
    messages(),
    withMessages(8, 1, user('another end')),
    named('history', 'a message was rewritten', '1 message back'),
  ],
  [
    'a removed message',
    API,
    messages(),
    next({ messages: without(2) }),
    named('history', 'a message was removed', '7 messages back'),
  ],
  [
    'a rewind',
    API,
    messages(),
    next({ messages: [...history(3), said('no'), user('yes')] }),
    named('history', 'the agent left or replaced messages', '6 messages back'),
  ],
  // Settings.
  [
    'the effort',
    API,
    messages(),
    next({ output_config: { effort: 'max' } }),
    named('effort', 'the effort changed from high to max'),
  ],
  [
    'the effort of Responses',
    'openai-responses',
    responses(),
    responses({ reasoning: { effort: 'xhigh' } }),
    named('effort', 'the effort changed from medium to xhigh'),
  ],
  [
    'thinking',
    API,
    messages(),
    next({ thinking: { type: 'disabled' } }),
    named('thinking', 'thinking changed from adaptive to disabled'),
  ],
  [
    'the budget of thinking',
    API,
    messages({ thinking: { type: 'enabled', budget_tokens: 4000 } }),
    next({ thinking: { type: 'enabled', budget_tokens: 8000 } }),
    named('thinking', 'thinking changed from enabled (4000) to enabled (8000)'),
  ],
  [
    'the tool choice',
    API,
    messages(),
    next({ tool_choice: { type: 'any' } }),
    named('settings', '`tool_choice` changed from none to any'),
  ],
  ['the speed', API, messages(), next({ speed: 'fast' }), named('settings', '`speed` changed from none to fast')],
  // What is first in the prompt is named.
  [
    'tools and a message',
    API,
    messages(),
    { ...withMessages(4, 1, user('z')), tools: [READ] },
    named('tools', '`Bash` was removed'),
  ],
  [
    'the effort and a message',
    API,
    messages(),
    { ...withMessages(4, 1, user('z')), output_config: { effort: 'low' } },
    named('effort', 'the effort changed from high to low'),
  ],
];

describe('what an agent changed of its last request is named', () => {
  test.each(CASES)('%s (%s)', async (_, api, before, after, first) => {
    for (const asBytes of [true, false]) {
      const { changes = [] } = await reportOf(api, [{ body: before }, { body: after }], asBytes);
      expect(changes[0], asBytes ? 'bytes' : 'objects').toEqual(first);
    }
  });

  test.each<[string, Asked['headers'], Asked['headers'], PromptChange | undefined]>([
    [
      'a beta feature',
      { 'anthropic-beta': 'a-1,b-2' },
      { 'anthropic-beta': 'a-1,c-3' },
      named('betas', 'beta features changed (`c-3` added, `b-2` removed)'),
    ],
    ['the order of beta features', { 'anthropic-beta': 'a-1,b-2' }, { 'anthropic-beta': 'b-2, a-1' }, undefined],
    ['the account', { 'x-api-key': 'one' }, { 'x-api-key': 'other' }, named('account', 'the account changed')],
    ['a token that says nothing', { authorization: 'Bearer one' }, { authorization: 'Bearer other' }, undefined],
  ])('%s, which is in no body', async (_, before, after, first) => {
    const requests = [
      { body: messages(), ...(before && { headers: before }) },
      { body: next(), ...(after && { headers: after }) },
    ];
    expect((await reportOf(API, requests)).changes?.[0]).toEqual(first);
  });

  test('there are 40 of 12 causes', () => {
    const kinds = new Set(
      CASES.map(([, , , , first]) => first && `${first.kind} ${first.what.replace(/^.*? (was|were|changed)/, '$1')}`),
    );
    expect(CASES.length + 4).toBeGreaterThanOrEqual(40);
    expect(kinds.size).toBeGreaterThanOrEqual(12);
  });

  test('no text of the conversation, of a prompt or of a key is in it', async () => {
    const secret = 'sk-ant-api03-secret';
    const after = next({
      system: systemWith(`${secret}\n${SYSTEM}`),
      tools: [tool('Read', secret), tool('Bash', undefined, { type: secret })],
      output_config: { effort: `${secret} is long and no word of a provider` },
      tool_choice: { type: secret.repeat(3) },
      messages: START.toSpliced(2, 1, user(secret)),
    });
    const headers = { 'anthropic-beta': `${secret} with spaces` };
    const { changes } = await reportOf(API, [{ body: messages() }, { body: after, headers }]);
    expect(changes!.map(({ kind }) => kind)).toEqual([
      'tools',
      'tools',
      'system',
      'effort',
      'settings',
      'betas',
      'history',
    ]);
    expect(JSON.stringify(changes)).not.toContain(secret);
  });

  test('a request that goes on after one with a change has none', async () => {
    const tools = [READ];
    const requests = [messages(), next({ tools }), messages({ tools, messages: [...MORE, said('b'), user('c')] })];
    expect(
      (
        await reportOf(
          API,
          requests.map((body) => ({ body })),
        )
      ).changes,
    ).toBeUndefined();
  });
});

describe('what it cost is in the account', () => {
  let ledger: Ledger;
  beforeEach(() => {
    ledger = new Ledger();
  });
  const add = (minute: number, report: Partial<PruneReport>, given: Parameters<typeof callOf>[0] = {}) =>
    ledger.add(callOf({ minute, prompt: 40_000, report: { ...report, conversation: 'c' }, ...given }));
  const missed = () => {
    const { account, changes } = ledger.numbers();
    const { firstCall: _, newText: __, cachedReads: ___, output: ____, ...rest } = account;
    return { causes: Object.keys(rest), sentences: changes.map(changeSentence) };
  };

  test.each(CASES.filter(([, , , , first]) => first !== undefined))('%s (%s)', async (_, api, before, after, first) => {
    add(0, await reportOf(api, [{ body: before }]));
    add(1, await reportOf(api, [{ body: before }, { body: after }]));
    expect(missed().causes).toEqual([first!.kind]);
    const where = first!.where === undefined ? '' : ` ${first!.where}`;
    expect(missed().sentences).toEqual([`${first!.what}${where}: 40.0k tokens written again, $0.15`]);
  });

  test('a cache that had expired is the cause, whatever else changed, and a hit has none', async () => {
    const report = await reportOf(API, [{ body: messages() }, { body: next({ tools: [READ] }) }]);
    add(0, {}, { isToolWait: true });
    add(1, report, { cached: 40_000, isToolWait: false });
    expect(missed()).toEqual({ causes: [], sentences: [] });
    add(7, report, { isToolWait: true });
    expect(missed()).toEqual({ causes: ['pause'], sentences: [] });
  });

  test('another model, another account, and what only the provider can have lost', async () => {
    add(0, {}, { model: 'claude-opus-4-5' });
    add(1, {}, {});
    add(2, {}, {});
    expect(missed().causes).toEqual(['modelSwitch', 'lost']);
    const change = named('account', 'the account changed');
    ledger.add(callOf({ minute: 3, prompt: 40_000, report: { conversation: 'd', changes: [change] } }));
    expect(missed().causes).toEqual(['modelSwitch', 'lost', 'account']);
  });
});
