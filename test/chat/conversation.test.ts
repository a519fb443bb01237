import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { storedSessions } from '../../src/chat/session/session-files.ts';
import { runSlashCommand } from '../../src/chat/slash/index.ts';
import type { IContent } from '../../src/content/content.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { highDensity } from '../../src/formats/high-density/high-density.ts';
import { linesOfText } from '../../src/formats/lines/lines.ts';
import { ChatRoom, NEVER } from './chat-room.ts';
import { call, text } from './scripted-model.ts';

const texts = (entries: readonly IContent[]): string[] =>
  entries.flatMap(({ speaker, blocks }) =>
    blocks.map((block) => {
      if (block.type === 'tool_response') return `${speaker}: ${block.error ?? String(block.result)}`;
      return block.type === 'text' ? `${speaker}: ${block.text}` : `${speaker}: [${block.type}]`;
    }),
  );
const fileOf = (file: string): IContent[] => liveHistory(highDensity.read(linesOfText(readFileSync(file, 'utf8'))));

describe('a turn', () => {
  test('runs until the model answers without a call, and writes every word to the file', async () => {
    const room = new ChatRoom({ 'a.txt': 'hello' });
    const { chat, model } = await room.open([
      [text('Let me look.'), call('c1', 'read_file', { file_path: 'a.txt' })],
      [text('It says hello.')],
    ]);
    expect(await chat.say('What is in a.txt?', NEVER)).toEqual({ kind: 'answered' });
    const said = [
      'human: What is in a.txt?',
      'ai: Let me look.',
      'ai: [tool_call]',
      'tool: hello',
      'ai: It says hello.',
    ];
    expect(texts(chat.session.history.getAll())).toEqual(said);
    expect(texts(fileOf(chat.session.log.path))).toEqual(said);
    expect(texts(model.asked[1]!)).toEqual(said.slice(0, 4));
    expect(room.events.filter(({ kind }) => kind === 'gate')).toHaveLength(2);
    expect(room.events.find((event) => event.kind === 'result')).toMatchObject({ response: { result: 'hello' } });
  });

  test('asks before it writes or runs a command; after "always" not again for that kind', async () => {
    const room = new ChatRoom();
    const asked: string[] = [];
    const { chat } = await room.open(
      [
        [
          call('c1', 'write_file', { file_path: 'a.txt', content: 'a' }),
          call('c2', 'write_file', { file_path: 'b.txt', content: 'b' }),
          call('c3', 'run_shell_command', { command: 'echo ran > c.txt' }),
          call('c4', 'read_file', { file_path: 'a.txt' }),
        ],
        [text('Done.')],
      ],
      {
        approve: async ({ asks, preview }) => {
          asked.push(`${asks}: ${preview.title} ${preview.detail.join('|')}`);
          return asks === 'write' ? 'always' : 'no';
        },
      },
    );
    expect(await chat.say('Go.', NEVER)).toEqual({ kind: 'answered' });
    expect(asked).toEqual(['write: write a.txt +a', 'shell: run a command  echo ran > c.txt']);
    const results = texts(chat.session.history.getAll()).filter((line) => line.startsWith('tool'));
    expect(results[1]).toBe('tool: Wrote b.txt: 1 line.');
    expect(results[2]).toContain('declined');
    expect(results[3]).toBe('tool: a');
    expect(() => readFileSync(path.join(room.root, 'c.txt'))).toThrow('ENOENT');
  });

  test('asks before each call of an answer that was cut at the output limit, also before one that only reads', async () => {
    const room = new ChatRoom({ 'a.txt': 'a' });
    const asked: string[] = [];
    const reading = call('c1', 'read_file', { file_path: 'a.txt' });
    const { chat } = await room.open([{ cut: [reading] }, [reading], [text('Done.')]], {
      approve: async ({ asks, preview }) => {
        asked.push(`${asks}: ${preview.title} ${preview.detail.join('')}`);
        return 'no';
      },
    });
    expect(await chat.say('Go.', NEVER)).toEqual({ kind: 'answered' });
    expect(asked).toEqual(['write: run read_file  {  "file_path": "a.txt" }']);
    expect(room.notices).toEqual([
      'The answer was cut at the output limit of the model. You are asked before its calls run.',
    ]);
    const results = texts(chat.session.history.getAll()).filter((line) => line.startsWith('tool'));
    expect(results).toEqual([expect.stringContaining('declined'), 'tool: a']);
  });

  test('says how calls ended, what edits changed, and what commands print; waiting for an answer takes no time', async () => {
    const room = new ChatRoom({ 'a.txt': 'one\ntwo\nthree\n' });
    let now = 0;
    const { chat } = await room.open(
      [
        [
          call('c1', 'replace', { file_path: 'a.txt', old_string: 'two', new_string: '2' }),
          call('c2', 'run_shell_command', { command: 'echo out' }),
          call('c3', 'replace', { file_path: 'a.txt', old_string: 'none', new_string: '' }),
        ],
        [text('Done.')],
      ],
      {
        now: () => now,
        approve: async ({ call: { name } }) => {
          now += 60_000;
          return name === 'replace' ? 'once' : 'always';
        },
      },
    );
    await chat.say('Go.', NEVER);
    const results = room.events.flatMap((event) => (event.kind === 'result' ? event : []));
    expect(results.map(({ ending, tookMs, detail }) => ({ ending, tookMs, detail }))).toEqual([
      { ending: 'done', tookMs: 0, detail: ['@@ line 1 @@', ' one', '-two', '+2', ' three'] },
      { ending: 'done', tookMs: 0, detail: [] },
      { ending: 'failed', tookMs: 0, detail: [] },
    ]);
    expect(now).toBe(120_000);
    const output = room.events.flatMap((event) => (event.kind === 'output' ? event.text : []));
    expect(output.join('')).toBe('out\n');
  });

  test('an edit is not made if its file changed while the user was asked', async () => {
    const room = new ChatRoom({ 'a.txt': 'one\n' });
    const { chat } = await room.open(
      [[call('c1', 'replace', { file_path: 'a.txt', old_string: 'one', new_string: '1' })], [text('Done.')]],
      {
        approve: async () => {
          writeFileSync(path.join(room.root, 'a.txt'), 'one more\n');
          return 'once';
        },
      },
    );
    await chat.say('Go.', NEVER);
    expect(readFileSync(path.join(room.root, 'a.txt'), 'utf8')).toBe('one more\n');
    expect(texts(chat.session.history.getAll())[2]).toContain('changed while the user was asked');
  });

  test('a call that would write a marker of the conversation is refused, and runs when it is made once more', async () => {
    const marker = '⟦density: 30 lines of tests that passed left out; recall 07ff8c5d1eea⟧';
    const room = new ChatRoom({ 'log.txt': `one\n${marker}\ntwo\n`, 'b.txt': `${marker} stays\n` });
    const write = (file: string) => [call(file, 'write_file', { file_path: file, content: `// ${marker}` })];
    const read = [call('c1', 'read_file', { file_path: 'log.txt' })];
    const { chat } = await room.open([read, write('a.txt'), write('b.txt'), write('a.txt'), [text('Done.')]]);
    room.approval = 'always';
    const at: (string | undefined)[] = [];
    await chat.say('Go.', NEVER);
    for (const event of room.events) if (event.kind === 'result') at.push(event.response.error);
    expect(at[1]).toContain('30 lines of tests that passed left out');
    expect([at[0], at[2], at[3]]).toEqual([undefined, undefined, undefined]);
    expect(readFileSync(path.join(room.root, 'a.txt'), 'utf8')).toBe(`// ${marker}`);
    expect(room.guardLog.calls().map(({ kind }) => kind)).toEqual(['refused', 'passed']);
  });

  test('reports unknown tools and wrong parameters to the model, and continues', async () => {
    const room = new ChatRoom();
    const { chat, model } = await room.open([
      [call('c1', 'read_fil', {}), call('c2', 'replace', '{"broken')],
      [text('Sorry.')],
    ]);
    await chat.say('Go.', NEVER);
    const results = texts(model.asked[1]!).filter((line) => line.startsWith('tool'));
    expect(results[0]).toContain('Did you mean read_file?');
    expect(results[1]).toContain('replace cannot use these parameters');
  });

  test('is cancelled while the model is silent; the partial answer is kept', async () => {
    const room = new ChatRoom();
    const stop = new AbortController();
    const { chat } = await room.open(['silence', [text('Here again.')]], {
      emit: (event) => {
        if (event.kind === 'part') stop.abort();
      },
    });
    expect(await chat.say('Think.', stop.signal)).toEqual({ kind: 'cancelled' });
    expect(texts(fileOf(chat.session.log.path))).toEqual(['human: Think.', 'ai: Well,']);
    expect(await chat.say('Go on.', NEVER)).toEqual({ kind: 'answered' });
  });

  test('is cancelled during a question; every call has its response', async () => {
    const room = new ChatRoom();
    const stop = new AbortController();
    const { chat } = await room.open(
      [[call('c1', 'run_shell_command', { command: 'true' }), call('c2', 'read_file', { file_path: 'a' })]],
      {
        approve: (_request, signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason), { once: true });
            stop.abort();
          }),
      },
    );
    expect(await chat.say('Go.', stop.signal)).toEqual({ kind: 'cancelled' });
    expect(chat.session.history.findUnmatchedToolCalls()).toEqual([]);
    expect(texts(fileOf(chat.session.log.path)).filter((line) => line.startsWith('tool'))).toEqual([
      'tool: The user cancelled this call.',
      'tool: The user cancelled this call.',
    ]);
  });

  test('retries a transient failure and reports a permanent one', async () => {
    const room = new ChatRoom();
    const { chat } = await room.open([
      { kind: 'failed', failure: 'transient', message: 'scripted: too busy' },
      [text('Now.')],
      { kind: 'failed', failure: 'refused', message: 'scripted: no such model' },
    ]);
    expect(await chat.say('Hello.', NEVER)).toEqual({ kind: 'answered' });
    expect(room.notices).toEqual(['scripted: too busy; retrying in 1 s']);
    expect(await chat.say('Again.', NEVER)).toEqual({ kind: 'failed', message: 'scripted: no such model' });
  });

  test('compresses once and sends again if the request is too long for the provider', async () => {
    const room = new ChatRoom({ 'long.txt': 'word '.repeat(2000) });
    const { chat, model } = await room.open([
      [call('c1', 'read_file', { file_path: 'long.txt' })],
      [text('Read.')],
      { kind: 'failed', failure: 'overflow', message: 'scripted: prompt is too long' },
      [text('Now it fits.')],
    ]);
    for (const words of ['Read it.', 'One.']) expect((await chat.say(words, NEVER)).kind).toBe('answered');
    const [before, after] = model.asked.slice(2);
    expect(JSON.stringify(after).length).toBeLessThan(JSON.stringify(before).length / 4);
    expect(texts(fileOf(chat.session.log.path)).at(-1)).toBe('ai: Now it fits.');
  });

  test('attaches mentioned files between the lines that mark inclusions (REQ-HD-006.1)', async () => {
    const room = new ChatRoom({ 'src/a.ts': 'export {};\n', 'b c.md': 'text' });
    const settings = { 'compression.profile': 'specification' };
    const { chat, model } = await room.open([[text('Seen.')], [text('Seen again.')]], { settings });
    await chat.say('Compare @src/a.ts and @"b c.md", ask @nobody or a@b.org.', NEVER);
    expect(texts(model.asked[0]!)).toEqual([
      'human: Compare @src/a.ts and @"b c.md", ask @nobody or a@b.org.',
      'human: --- src/a.ts ---\nexport {};\n--- End of content ---',
      'human: --- b c.md ---\ntext\n--- End of content ---',
    ]);
    expect(room.notices).toEqual(['Attached src/a.ts, b c.md.', '@nobody: There is no file nobody.']);
    await chat.say('Again: @src/a.ts', NEVER);
    const sent = texts(model.asked[1]!);
    expect(sent.filter((line) => line.includes('--- src/a.ts ---'))).toHaveLength(1);
    expect(sent.at(-1)).toContain('--- src/a.ts ---');
  });
});

describe('a cancelled gate run', () => {
  const compressing = async () => {
    const stop = new AbortController();
    const aborted = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
    const asked: (AbortSignal | undefined)[] = [];
    const room = new ChatRoom({ 'long.txt': 'word '.repeat(2000) });
    const { chat } = await room.open(
      [[call('c1', 'read_file', { file_path: 'long.txt' })], [text('Read.')], [text('Well.')]],
      {
        createSummarizer: () => ({
          name: 'waiting',
          summarize: async ({ signal }) => {
            asked.push(signal);
            stop.abort(new Error('enough'));
            await aborted;
            signal?.throwIfAborted();
            return { kind: 'summary', text: 'never', isTruncated: false };
          },
        }),
      },
    );
    await chat.say('Read it.', NEVER);
    const before = texts(chat.session.history.getAll());
    return { chat, stop, asked, before };
  };

  test('ends at once, ends the request of its strategy, removes nothing, and the next turn works', async () => {
    const { chat, stop, asked, before } = await compressing();
    await chat.settings.set('compression.strategy', 'one-shot');
    await chat.settings.set('compression-threshold', '0.001');
    expect(await chat.say('Go on.', stop.signal)).toEqual({ kind: 'cancelled' });
    expect(asked.map((signal) => signal?.aborted)).toEqual([true]);
    await chat.settings.set('compression-threshold', '0.9');
    expect(await chat.say('Again.', NEVER)).toEqual({ kind: 'answered' });
    expect(texts(chat.session.history.getAll())).toEqual([...before, 'human: Go on.', 'human: Again.', 'ai: Well.']);
  });

  test('/compress says that nothing changed', async () => {
    const { chat, stop, before } = await compressing();
    const outcome = await runSlashCommand('/compress one-shot', chat, stop.signal);
    expect(outcome).toEqual({ kind: 'cancelled', isStopped: true });
    expect(texts(chat.session.history.getAll())).toEqual(before);
  });
});

describe('a session', () => {
  test('is resumed with its compressed history, its todos and its id', async () => {
    const room = new ChatRoom({ 'long.txt': 'word '.repeat(2000) });
    const { chat } = await room.open([
      [
        call('t', 'todo_write', { todos: [{ content: 'Read', status: 'pending' }] }),
        call('c1', 'read_file', { file_path: 'long.txt' }),
      ],
      [text('Read.')],
      [text('Two.')],
    ]);
    for (const words of ['Read it.', 'And?']) await chat.say(words, NEVER);
    expect((await chat.session.compress(NEVER)).kind).toBe('compressed');
    const before = chat.session.history.getAll();
    const { id } = chat.session.log;
    await chat.close();
    const [stored] = storedSessions(room.folder);
    expect(stored).toMatchObject({ id, title: 'Read it.', workspaceRoot: room.root, model: 'gpt-5' });
    const again = await room.open([[text('Three.')]], { beginning: { kind: 'resume', path: stored!.path, id } });
    await again.chat.ready;
    expect(texts(again.chat.session.history.getAll())).toEqual(texts(before));
    expect(again.chat.session.todos).toEqual([{ content: 'Read', status: 'pending' }]);
    await again.chat.say('Go on.', NEVER);
    expect(texts(fileOf(stored!.path))).toEqual([...texts(before), 'human: Go on.', 'ai: Three.']);
    expect(readFileSync(stored!.path, 'utf8')).toContain('word word');
  });

  test('restores what a compression removed, also after it is resumed', async () => {
    const room = new ChatRoom({ 'long.txt': 'word '.repeat(2000) });
    const { chat } = await room.open([[call('c1', 'read_file', { file_path: 'long.txt' })], [text('Read.')]]);
    await chat.say('Read it.', NEVER);
    await chat.say('And?', NEVER);
    const before = texts(chat.session.history.getAll());
    await chat.session.compress(NEVER);
    expect(texts(chat.session.history.getAll())).not.toEqual(before);
    expect((await chat.session.undo()).kind).toBe('restored');
    expect(texts(chat.session.history.getAll())).toEqual(before);
    await chat.session.log.flush();
    expect(texts(fileOf(chat.session.log.path))).toEqual(before);
  });

  test('has one writer: a second one gets an error that says how to read it (REQ-HD sessions)', async () => {
    const room = new ChatRoom();
    const { chat } = await room.open([[text('Hi.')]]);
    await chat.say('Hello.', NEVER);
    const { path: file, id } = chat.session.log;
    await expect(room.open([], { beginning: { kind: 'resume', path: file, id } })).rejects.toMatchObject({
      code: 'SESSION_IN_USE',
      message: expect.stringContaining('--from'),
    });
    const copy = await room.open([[text('Hi from the copy.')]], { beginning: { kind: 'from', path: file } });
    await copy.chat.say('And you?', NEVER);
    expect(copy.chat.session.log.path).not.toBe(file);
    expect(texts(fileOf(copy.chat.session.log.path))).toEqual([
      ...['human: Hello.', 'ai: Hi.', 'human: And you?', 'ai: Hi from the copy.'],
    ]);
    expect(texts(fileOf(file))).toHaveLength(2);
    await chat.close();
    expect((await room.open([], { beginning: { kind: 'resume', path: file, id } })).chat.session.log.id).toBe(id);
  });

  test('that is left while it is read stops reading, sends no event to the next one, and gets no file', async () => {
    const room = new ChatRoom();
    const { chat } = await room.open([[text('Hi.')]]);
    await chat.say('Hello.', NEVER);
    const { path: file, id } = chat.session.log;
    await chat.close();
    for (const beginning of [
      { kind: 'from', path: file },
      { kind: 'resume', path: file, id },
      { kind: 'from', path: path.join(room.root, 'missing') },
    ] as const) {
      const next = await room.open([], { beginning });
      const [left, heard] = [next.chat.ready, room.notices.length];
      await next.chat.switchTo({ kind: 'new' });
      expect(next.chat.status().loadedShare).toBeUndefined();
      await left.catch(() => {});
      expect(room.notices.slice(heard)).toEqual([]);
      expect(storedSessions(room.folder).map((stored) => stored.id)).toEqual([id]);
    }
  });

  test('without a message leaves no file', async () => {
    const room = new ChatRoom();
    const { chat } = await room.open([]);
    chat.setModel('gpt-4.1');
    await chat.close();
    expect(storedSessions(room.folder)).toEqual([]);
  });
});

describe('the total', () => {
  test("is set to the provider's count, unless that is implausible", async () => {
    for (const [factor, isAnchored] of [
      [1.2, true],
      [0.01, false],
    ] as const) {
      const room = new ChatRoom();
      const { chat, model } = await room.open([]);
      const answer = model.answer.bind(model);
      model.answer = async (request) => {
        const outcome = await answer(request);
        if (outcome.kind === 'failed') return outcome;
        const totalTokens = Math.round(chat.status().tokens * factor);
        const usage = { promptTokens: totalTokens, completionTokens: 0, totalTokens };
        return { ...outcome, content: { ...outcome.content, metadata: { ...outcome.content.metadata, usage } } };
      };
      await chat.say('Hello.', NEVER);
      await chat.session.history.waitForTokenUpdates();
      const reported = chat.session.history.getLastAIContent()?.metadata?.usage?.totalTokens;
      expect(chat.status().tokens === reported).toBe(isAnchored);
    }
  });
});
