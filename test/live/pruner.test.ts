import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { claudeCode } from '../../src/content/vocabularies/claude-code.ts';
import type { Pruner, PrunerOptions, PrunerStore } from '../../src/live/contract.ts';
import { memoryStore } from '../../src/live/memory-store.ts';
import { createPruner } from '../../src/live/pruner.ts';

const MINUTE_MS = 60_000;
const text = (name: string, lines = 160): string =>
  Array.from({ length: lines }, (_, at) => `${at + 1}→${name} line number ${at + 1} of the file`).join('\n');
/** In place of the lines of `text('alpha')`. */
const MARKER = '⟦density: 160 lines, 1 to 160, as shown above by Read /a.ts, from "alpha line number 1 of …" #1u9xtt1⟧';
const user = (content: unknown): object => ({ role: 'user', content });
const call = (id: string, name: string, input: object, more: object[] = []): object => ({
  role: 'assistant',
  content: [...more, { type: 'tool_use', id, name, input }],
});
const result = (id: string, content: unknown, rest: object = {}): object =>
  user([{ type: 'tool_result', tool_use_id: id, content, ...rest }]);
const read = (id: string, file: string, content: string): object[] => [
  call(id, 'Read', { file_path: file }),
  result(id, content),
];
const write = (id: string, file: string): object[] => [
  call(id, 'Write', { file_path: file, content: 'new' }),
  result(id, 'File written'),
];
const STUBS = [
  'Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.',
  'File unchanged since last read. The content from the earlier Read tool_result in this conversation is still current — refer to that instead of re-reading.',
];

const options = (rest: Partial<PrunerOptions> = {}): PrunerOptions => ({
  api: 'anthropic-messages',
  vocabulary: claudeCode,
  workspaceRoot: '/',
  ...rest,
});
const body = (
  messages: readonly unknown[],
  model = 'claude-sonnet-4-5',
): { model: string; tools: object[]; messages: readonly object[] } => ({
  model,
  tools: [{ name: 'Read' }, { name: 'Bash' }],
  messages: messages as readonly object[],
});
/** The same lines, none beside its neighbour. */
const withOthers = (lines: string): string => lines.replaceAll('\n', '\nan other line between two of these\n');
const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const contentOf = (messages: readonly object[], at: number): unknown =>
  (messages[at] as { content: { content: unknown }[] }).content[0]!.content;

/** A stale read, the write that made it stale, and more answers. */
const STALE = [
  user('start'),
  ...read('t1', '/a.ts', text('alpha')),
  ...read('t2', '/b.ts', text('beta', 400)),
  ...write('t3', '/a.ts'),
  call('t4', 'Bash', { command: 'ls' }),
  result('t4', 'a b'),
];

describe('an epoch', () => {
  test('waits while the cache is warm, and says why', async () => {
    const now = { ms: 0 };
    const pruner = createPruner(options({ now: () => now.ms }));
    for (const length of [1, 3, 5, 7]) await pruner.prune({ body: body(STALE.slice(0, length)) });
    const given = body(STALE);
    const { body: sent, report } = await pruner.prune({ body: given });
    expect(sent).toBe(given);
    expect(report.decision).toMatchObject({ cause: 'costs', expectedNet: 0 });
  });

  test('prunes once the cache is cold, and repeats it byte for byte', async () => {
    const now = { ms: 0 };
    const pruner = createPruner(options({ now: () => now.ms }));
    for (const length of [1, 3, 5, 7]) await pruner.prune({ body: body(STALE.slice(0, length)) });
    now.ms = 61 * MINUTE_MS;
    const { body: sent, report } = await pruner.prune({ body: body(STALE) });
    expect(report).toMatchObject({ isEpoch: true, projected: 1, decision: { cause: 'cold' } });
    expect(contentOf(sent.messages, 2)).toBe('[density: Read /a.ts, removed]');
    expect(report.changed).toMatchObject([{ reason: '/a.ts was written later by Write /a.ts' }]);
    expect(sent.messages.filter((_, at) => at !== 2)).toEqual(STALE.filter((_, at) => at !== 2));
    const { report: before } = await createPruner(options()).prune({ body: body(STALE.slice(0, 2)) });
    expect(before.unchangedTokens).toBe(before.sentTokens);
    expect(report.unchangedTokens).toBe(before.sentTokens);
    const next = await pruner.prune({ body: body([...STALE, { role: 'assistant', content: 'ok' }, user('go on')]) });
    const { unchangedTokens } = report;
    expect(next.report).toMatchObject({ isEpoch: false, projected: 1, changed: [], unchangedTokens });
    expect(next.body.messages.slice(0, STALE.length)).toEqual(sent.messages);
  });

  test('waits for an hour where requests ask for that', async () => {
    const now = { ms: 0 };
    const pruner = createPruner(options({ now: () => now.ms }));
    const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } };
    const asking = (messages: readonly object[]) => ({
      ...body(messages),
      system: [{ type: 'text', text: 's', ...mark }],
    });
    await pruner.prune({ body: asking(STALE.slice(0, 7)) });
    now.ms = 59 * MINUTE_MS;
    expect((await pruner.prune({ body: asking(STALE) })).report.decision?.cause).toBe('costs');
    now.ms += 60 * MINUTE_MS;
    const later = asking([...STALE, { role: 'assistant', content: 'ok' }, user('go on')]);
    expect((await pruner.prune({ body: later })).report.decision?.cause).toBe('cold');
  });

  test('waits for an hour also where later requests ask for five minutes', async () => {
    const now = { ms: 0 };
    const pruner = createPruner(options({ now: () => now.ms }));
    const asking = (messages: readonly object[], lifetime: object) => ({
      ...body(messages),
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral', ...lifetime } }],
    });
    await pruner.prune({ body: asking(STALE.slice(0, 5), { ttl: '1h' }) });
    await pruner.prune({ body: asking(STALE.slice(0, 7), { ttl: '5m' }) });
    now.ms = 59 * MINUTE_MS;
    expect((await pruner.prune({ body: asking(STALE, {}) })).report.decision?.cause).toBe('costs');
    now.ms += 60 * MINUTE_MS;
    const later = asking([...STALE, { role: 'assistant', content: 'ok' }, user('go on')], { ttl: '5m' });
    expect((await pruner.prune({ body: later })).report.decision?.cause).toBe('cold');
  });

  test('never changes what stands before signed thinking that is bound', async () => {
    const now = { ms: 0 };
    const pruner = createPruner(options({ now: () => now.ms }));
    const messages = [...STALE];
    messages[7] = call('t4', 'Bash', { command: 'ls' }, [{ type: 'thinking', thinking: 'x', signature: 'y' }]);
    await pruner.prune({ body: body(messages.slice(0, 7), 'claude-opus-5-5') });
    now.ms = 600 * MINUTE_MS;
    const given = body(messages, 'claude-opus-5-5');
    const { body: sent, report } = await pruner.prune({ body: given });
    expect(sent).toBe(given);
    expect(report.decision?.cause).toBe('bound');
  });

  test('is repeated after a restart, which counts as warm', async () => {
    const store = memoryStore();
    const now = { ms: 0 };
    const first = createPruner(options({ store, now: () => now.ms }));
    await first.prune({ body: body(STALE.slice(0, 7)) });
    now.ms = 61 * MINUTE_MS;
    const before = await first.prune({ body: bytesOf(body(STALE)) });
    const again = await createPruner(options({ store, now: () => 0 })).prune({ body: bytesOf(body(STALE)) });
    expect(Buffer.from(again.body).equals(Buffer.from(before.body))).toBe(true);
    expect(Buffer.from(again.body).toString()).toContain('[density: Read /a.ts');
  });

  test('does not remove what the archive could not keep', async () => {
    const pruner = createPruner(options({ now: () => 0, archive: () => Promise.reject(new Error('disk full')) }));
    const { report } = await pruner.prune({ body: body(STALE), conversation: 'a' });
    expect(report.projected).toBe(0);
  });
});

describe('what is new', () => {
  test('becomes a marker if it repeats an earlier result word for word', async () => {
    const pruner = createPruner(options());
    const start = [user('start'), ...read('t1', '/a.ts', text('alpha'))];
    await pruner.prune({ body: body(start) });
    const { body: sent, report } = await pruner.prune({
      body: body([...start, ...read('t2', '/a.ts', text('alpha'))]),
    });
    expect(report).toMatchObject({ isEpoch: false, changed: [{ callId: 't2', kind: 'pruned' }] });
    expect(contentOf(sent.messages, 4)).toBe(MARKER);
  });

  test('becomes a marker also if the agent adds other notes at its end, which are kept', async () => {
    const pruner = createPruner(options());
    const note = (tokens: number): string =>
      `\n\n<system-reminder>\nOnce.\n</system-reminder>\n<system-reminder>${tokens} tokens left</system-reminder>\n`;
    const start = [user('start'), ...read('t1', '/a.ts', text('alpha') + note(9000))];
    await pruner.prune({ body: body(start) });
    const { body: sent } = await pruner.prune({
      body: body([...start, ...read('t2', '/a.ts', text('alpha') + note(8000))]),
    });
    expect(contentOf(sent.messages, 4)).toBe(MARKER + note(8000));
  });

  test('is sent whole again if what it refers to is not in the request any more', async () => {
    const pruner = createPruner(options());
    const start = [user('start'), ...read('t1', '/a.ts', text('alpha'))];
    const second = read('t2', '/a.ts', text('alpha'));
    await pruner.prune({ body: body(start) });
    await pruner.prune({ body: body([...start, ...second]) });
    const given = body([user('start'), ...second]);
    expect((await pruner.prune({ body: given })).body).toBe(given);
  });

  test('is sent whole in the branch that lost what it refers to, and as before in the other one, also after restarts', async () => {
    const store = memoryStore();
    const start = [user('start'), ...read('t1', '/a.ts', text('alpha'))];
    const second = read('t2', '/a.ts', text('alpha'));
    const later = [{ role: 'assistant', content: 'ok' }, user('go on')];
    const long = bytesOf(body([...start, ...second, ...later]));
    const compacted = bytesOf(body([user('summary'), ...second, ...later]));
    const sent = async (pruner: Pick<Pruner, 'prune'>, given: Uint8Array): Promise<string> =>
      Buffer.from((await pruner.prune({ body: given, conversation: 'c' })).body).toString();
    const first = createPruner(options({ store }));
    await sent(first, bytesOf(body(start)));
    await sent(first, bytesOf(body([...start, ...second])));
    const shortened = await sent(first, long);
    expect(shortened).toContain(JSON.stringify(MARKER));
    expect(await sent(first, compacted)).toBe(String(compacted));
    expect(await sent(first, long)).toBe(shortened);
    // Whichever comes first.
    const again = createPruner(options({ store }));
    expect(await sent(again, compacted)).toBe(String(compacted));
    expect(await sent(again, long)).toBe(shortened);
    expect(await sent(createPruner(options({ store })), long)).toBe(shortened);
  });

  test.each(STUBS)('heals a stub whose read is gone: %s', async (stub) => {
    const pruner = createPruner(options());
    const reads = [user('start'), ...read('t1', '/a.ts', text('alpha'))];
    await pruner.prune({ body: body(reads), conversation: 'c' });
    const visible = body([...reads, ...read('t2', '/a.ts', stub)]);
    expect((await pruner.prune({ body: visible, conversation: 'c' })).body).toBe(visible);
    const compacted = [user('summary'), ...read('t3', '/a.ts', stub)];
    const { body: sent, report } = await pruner.prune({ body: body(compacted), conversation: 'c' });
    expect(report.changed).toMatchObject([{ callId: 't3', kind: 'healed' }]);
    expect(contentOf(sent.messages, 2)).toBe(text('alpha'));
  });

  test('says so if a healed text is older than an edit', async () => {
    const now = { ms: 0 };
    const pruner = createPruner(options({ now: () => now.ms }));
    await pruner.prune({ body: body(STALE.slice(0, 7)) });
    now.ms = 61 * MINUTE_MS;
    await pruner.prune({ body: body(STALE) });
    const { body: sent } = await pruner.prune({ body: body([...STALE, ...read('t5', '/a.ts', STUBS[0]!)]) });
    expect(contentOf(sent.messages, 10)).toBe(`[density: the text below is older than Write /a.ts]\n${text('alpha')}`);
  });
});

describe('a request', () => {
  test('comes back as the very same object or bytes when nothing changes', async () => {
    const pruner = createPruner(options());
    const object = body([user('a')]);
    expect((await pruner.prune({ body: object })).body).toBe(object);
    const bytes = bytesOf(body([user('b')]));
    expect((await pruner.prune({ body: bytes })).body).toBe(bytes);
  });

  test('without tools or for a compaction of what is not known, or of a history elsewhere, is not changed', async () => {
    const pruner = createPruner(options());
    const plain = { model: 'm', messages: [user('a')] };
    expect((await pruner.prune({ body: plain })).report.untouched).toBe('side-request');
    const headers = { 'x-claude-code-request-class': 'compaction' };
    expect((await pruner.prune({ body: body(STALE), headers })).report.untouched).toBe('side-request');
    const responses = createPruner(options({ api: 'openai-responses' }));
    const chained = { model: 'gpt-5.5', tools: [{}], previous_response_id: 'r', input: [] };
    expect((await responses.prune({ body: chained })).report.untouched).toBe('history-elsewhere');
  });

  test('keeps big integers, duplicate keys, escapes and lone surrogates where it is changed', async () => {
    const pruner = createPruner(options());
    const start = [user('start'), ...read('t1', '/a.ts', text('alpha'))];
    await pruner.prune({ body: bytesOf(body(start)) });
    const odd =
      '{"role":"user","content":[{"big":12345678901234567890,"a":1,"a":2,"type":"text","text":"\\ud800 \\u0041"}]}';
    const given = JSON.stringify(body([...start, ...read('t2', '/a.ts', text('alpha'))])).replace(/\]\}$/, `,${odd}]}`);
    const { body: sent } = await pruner.prune({ body: Buffer.from(given) });
    const last = given.lastIndexOf(JSON.stringify(text('alpha')));
    expect(Buffer.from(sent).toString()).toBe(
      given.slice(0, last) + JSON.stringify(MARKER) + given.slice(last + JSON.stringify(text('alpha')).length),
    );
  });

  test('of one conversation does not mix with another, and a fork keeps both', async () => {
    const pruner = createPruner(options());
    const shared = [user('start'), ...read('t1', '/a.ts', text('alpha'))];
    const left = [...shared, ...read('l1', '/a.ts', text('alpha'))];
    const right = [...shared, ...read('r1', '/c.ts', text('gamma'))];
    await pruner.prune({ body: body(shared) });
    const first = await pruner.prune({ body: body(left) });
    const other = body(right);
    expect((await pruner.prune({ body: other })).body).toBe(other);
    const again = await pruner.prune({ body: body([...left, { role: 'assistant', content: 'x' }, user('y')]) });
    expect(again.body.messages.slice(0, left.length)).toEqual(first.body.messages);
    expect(again.report.changed).toEqual([]);
  });

  test('goes on where the mark of the cache left a message, which then is a text and no list', async () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    const marked = (words: string, more: object = mark): object => user([{ type: 'text', text: words, ...more }]);
    const answer = { role: 'assistant', content: 'an answer' };
    for (const later of [user('start'), marked('start', {}), marked('start')]) {
      const pruner = createPruner(options());
      await pruner.prune({ body: body([marked('start')]), conversation: 'c' });
      const next = { body: body([later, answer, marked('more')]), conversation: 'c' };
      expect((await pruner.prune(next)).report.isBranch).toBeUndefined();
    }
    for (const other of [user('another'), marked('start', { citations: [] }), user(['start'])]) {
      const pruner = createPruner(options());
      await pruner.prune({ body: body([marked('start')]), conversation: 'c' });
      const next = { body: body([other, answer, marked('more')]), conversation: 'c' };
      expect((await pruner.prune(next)).report.isBranch).toBe(true);
    }
  });

  test('goes on where the mark of the cache moved on from a result', async () => {
    const pruner = createPruner(options());
    const mark = { cache_control: { type: 'ephemeral' } };
    const at = (id: string, rest = {}): object[] => [call(id, 'Bash', { command: id }), result(id, 'a', rest)];
    await pruner.prune({ body: body([user('start'), ...at('t1', mark)]), conversation: 'c' });
    const next = body([user('start'), ...at('t1'), ...at('t2', mark)]);
    expect((await pruner.prune({ body: next, conversation: 'c' })).report.isBranch).toBeUndefined();
  });

  test('is sent as it was noted, whatever becomes of its report', async () => {
    const onReport = (): void => {
      throw new Error('full');
    };
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined);
    const pruner = createPruner(options({ onReport }));
    const { body: sent } = await pruner.prune({ body: body(REPEATED), conversation: 'c' });
    const next = await pruner.prune({ body: body([...REPEATED, ...THIRD]), conversation: 'c' });
    expect(contentOf(sent.messages, 4)).toBe(MARKER);
    expect(next.body.messages.slice(0, REPEATED.length)).toEqual(sent.messages);
    expect(warn).toHaveBeenCalledWith('`onReport` failed: full', 'HighDensityWarning');
    warn.mockRestore();
  });

  test('leaves reads that nothing used for long once the cache is cold, also of a file that was needed again', async () => {
    const now = { ms: 0 };
    const pruner = createPruner(options({ now: () => now.ms }));
    const others = (first: string): object[] =>
      Array.from({ length: 65 }, (_, at) => [
        call(`${first}${at}`, 'Bash', { command: `echo ${at}` }),
        result(`${first}${at}`, String(at)),
      ]).flat();
    const messages = [user('start'), ...read('t1', '/a.ts', text('alpha', 160)), ...others('u')];
    await pruner.prune({ body: body(messages.slice(0, -1)) });
    expect((await pruner.prune({ body: body(messages) })).report.projected).toBe(0);
    now.ms = 61 * MINUTE_MS;
    const pruned = await pruner.prune({ body: body(messages) });
    expect(pruned.report).toMatchObject({ projected: 1, isEpoch: true, decision: { cause: 'cold' } });
    messages.push(...read('t2', '/a.ts', text('beta', 160)));
    expect((await pruner.prune({ body: body(messages) })).report).toMatchObject({
      projected: 1,
      neededAgain: ['/a.ts'],
    });
    messages.push(...others('v'));
    expect((await pruner.prune({ body: body(messages) })).report.projected).toBe(1);
    now.ms += 61 * MINUTE_MS;
    expect((await pruner.prune({ body: body(messages) })).report.projected).toBe(2);
  });

  test('says that a file was needed again whose edit failed after its read was removed', async () => {
    const now = { ms: 0 };
    const pruner = createPruner(options({ now: () => now.ms }));
    const messages = [
      user('start'),
      ...read('t1', '/a.ts', text('alpha')),
      ...read('t2', '/a.ts', withOthers(text('alpha'))),
      call('t3', 'Bash', { command: 'ls' }),
      result('t3', 'x'),
    ];
    await pruner.prune({ body: body(messages.slice(0, 5)) });
    now.ms = 61 * MINUTE_MS;
    expect((await pruner.prune({ body: body(messages) })).report.projected).toBe(1);
    const failed = [
      ...messages,
      call('t4', 'Edit', { file_path: '/a.ts', old_string: 'x', new_string: 'y' }),
      result('t4', 'String to replace not found in file.', { is_error: true }),
    ];
    expect((await pruner.prune({ body: body(failed) })).report.neededAgain).toEqual(['/a.ts']);
  });
});

describe('a new result that shows lines that are above', () => {
  const more = '161→one more line\n162→and another line\n163→and a third line';
  const again = `${text('alpha')}\n${more}`;
  const reads = [user('start'), ...read('t1', '/a.ts', text('alpha')), ...read('t2', '/a.ts', again)];
  const note = `${MARKER}\n${more}`;

  test('is sent with a note in their place, from the first time on and after a restart', async () => {
    const store = memoryStore();
    const pruner = createPruner(options({ store }));
    const first = await pruner.prune({ body: body(reads) });
    expect(contentOf(first.body.messages, 4)).toBe(note);
    expect(first.report).toMatchObject({
      isEpoch: false,
      decision: { cause: 'unsent' },
      changed: [{ callId: 't2', kind: 'pruned', reason: 'Read /a.ts shows the same lines above' }],
    });
    const later = [...reads, call('t3', 'Bash', { command: 'ls' }), result('t3', 'a')];
    const next = await pruner.prune({ body: body(later) });
    expect(next.report).toMatchObject({ isEpoch: false, changed: [], projected: 1 });
    const restarted = await createPruner(options({ store })).prune({ body: body(later) });
    expect(restarted.body).toEqual(next.body);
  });

  test('is sent as it is where another form stands for these lines', async () => {
    const now = { ms: 0 };
    const pruner = createPruner(options({ now: () => now.ms }));
    const stale = [...STALE, ...read('t5', '/a.ts', text('alpha'))];
    await pruner.prune({ body: body(STALE.slice(0, 5)) });
    now.ms = 61 * MINUTE_MS;
    await pruner.prune({ body: body(STALE) });
    const { body: sent } = await pruner.prune({ body: body(stale) });
    expect(contentOf(sent.messages, 2)).toMatch(/^\[density: /);
    expect(contentOf(sent.messages, 10)).toBe(text('alpha'));
  });

  test('is shortened again once its file was written, and is as before where that is refused', async () => {
    const now = { ms: 0 };
    const pruner = createPruner(options({ now: () => now.ms }));
    const longer = `${again}\n${text('gamma')}`;
    const list = [user('start'), ...read('t1', '/a.ts', text('alpha')), ...read('t2', '/a.ts', longer)];
    const { body: noted } = await pruner.prune({ body: body(list) });
    expect(contentOf(noted.messages, 4)).toBe(`${note}\n${text('gamma')}`);
    now.ms = 61 * MINUTE_MS;
    const { body: sent, withoutNew } = await pruner.prune({ body: body([...list, ...write('t3', '/a.ts')]) });
    expect(contentOf(sent.messages, 4)).toBe('[density: Read /a.ts, removed]');
    expect(withoutNew!().body.messages.slice(0, 5)).toEqual(noted.messages);
  });

  test('is sent whole once the agent does not send these lines any more', async () => {
    const pruner = createPruner(options());
    const { body: noted } = await pruner.prune({ body: body(reads), conversation: 'one' });
    expect(contentOf(noted.messages, 4)).toBe(note);
    const compacted = [user('summary'), ...reads.slice(3)];
    const { body: sent } = await pruner.prune({ body: body(compacted), conversation: 'one' });
    expect(contentOf(sent.messages, 2)).toBe(again);
  });

  test('names lines of a message, and is sent whole once the agent does not send that any more, also after a restart', async () => {
    const store = memoryStore();
    const message = `Look:\n${text('alpha')}`;
    const newer = user('on');
    const list = [user('start'), user(message), ...read('t1', '/a.ts', again), newer];
    const { body: noted } = await createPruner(options({ store })).prune({ body: body(list), conversation: 'one' });
    expect(contentOf(noted.messages, 3)).toMatch(
      /^⟦density: 160 lines.* as shown above by a message of the user, from /,
    );
    const restarted = createPruner(options({ store }));
    const { body: same } = await restarted.prune({ body: body(list), conversation: 'one' });
    expect(same).toEqual(noted);
    const compacted = [user('start'), user('a summary'), ...list.slice(2)];
    const { body: sent } = await restarted.prune({ body: body(compacted), conversation: 'one' });
    expect(contentOf(sent.messages, 3)).toBe(again);
  });

  test('is sent whole once an epoch removes the read that shows these lines, also after a restart', async () => {
    const now = { ms: 0 };
    const store = memoryStore();
    const start = () => createPruner(options({ store, now: () => now.ms }));
    const numbered = (from: number, to: number): string =>
      Array.from(
        { length: to - from + 1 },
        (_, at) => `${from + at}→line ${from + at} of a file ${'with many words '.repeat(6)}`,
      ).join('\n');
    const list: object[] = [
      user('start'),
      ...read('t1', '/a.ts', numbered(1, 300)),
      ...read('t2', '/a.ts', numbered(100, 200)),
    ];
    const pruner = start();
    const { body: noted } = await pruner.prune({ body: body(list) });
    expect(contentOf(noted.messages, 4)).toMatch(
      /^⟦density: 101 lines, 100 to 200, as shown above by Read \/a\.ts, from ".*" #/,
    );
    for (let at = 0; at < 45; at++) list.push(call(`o${at}`, 'Bash', { command: `ls ${at}` }), result(`o${at}`, 'a'));
    now.ms = 7 * 60 * MINUTE_MS;
    const { body: sent, report } = await pruner.prune({ body: body(list) });
    expect(report).toMatchObject({ isEpoch: true, decision: { cause: 'cold' } });
    expect(contentOf(sent.messages, 2)).toBe('[density: Read /a.ts, removed]');
    expect(contentOf(sent.messages, 4)).toBe(numbered(100, 200));
    expect((await start().prune({ body: body(list) })).body).toEqual(sent);
  });

  test('has no note left once its file was written and the read above it is removed, however short it is', async () => {
    const now = { ms: 0 };
    const pruner = createPruner(options({ now: () => now.ms }));
    const list = [
      user('start'),
      ...read('t1', '/a.ts', text('alpha')),
      ...read('t2', '/a.ts', `${text('alpha').split('\n').slice(0, 59).join('\n')}\n${more}`),
    ];
    const { body: noted } = await pruner.prune({ body: body(list) });
    expect(contentOf(noted.messages, 4)).toMatch(
      /^⟦density: 59 lines, 1 to 59, as shown above by Read \/a\.ts, from ".*" #/,
    );
    now.ms = 61 * MINUTE_MS;
    const { body: sent } = await pruner.prune({ body: body([...list, ...write('t3', '/a.ts')]) });
    expect(contentOf(sent.messages, 2)).toBe('[density: Read /a.ts, removed]');
    expect(contentOf(sent.messages, 4)).not.toContain('as shown above');
  });

  test('is the target of a stub, which needs no other text', async () => {
    const pruner = createPruner(options());
    await pruner.prune({ body: body(reads) });
    const { body: sent } = await pruner.prune({ body: body([...reads, ...read('t3', '/a.ts', STUBS[0]!)]) });
    expect(contentOf(sent.messages, 6)).toBe(STUBS[0]);
  });

  test('is sent as it is if its text could not be archived', async () => {
    const pruner = createPruner(options({ archive: () => Promise.reject(new Error('full')) }));
    const given = body(reads);
    expect((await pruner.prune({ body: given })).body).toBe(given);
  });
});

const REPEATED = [user('start'), ...read('t1', '/a.ts', text('alpha')), ...read('t2', '/a.ts', text('alpha'))];
/** By another tool: what the same call asks for again is sent whole, and a later read makes the first one stale. */
const THIRD = [call('t3', 'Bash', { command: 'npm run show' }), result('t3', text('alpha'))];

describe('the calls of a conversation', () => {
  const kept = (): { store: PrunerStore; lines: string[] } => {
    const store = memoryStore();
    const lines = [] as string[];
    const append: PrunerStore['append'] = (conversation, more, expected) => {
      lines.push(...more);
      return store.append(conversation, more, expected);
    };
    return { lines, store: { ...store, append } };
  };
  const callsOf = (lines: readonly string[]): { removedTokens: number; promptTokens: number }[] =>
    lines.flatMap((line) => (JSON.parse(line) as { call?: never }).call ?? []);
  const grown = (count: number): object[] => [
    ...REPEATED,
    ...Array.from({ length: count }, (_, at) => [{ role: 'assistant', content: `${at}` }, user('go on')]).flat(),
  ];

  test('are kept from the first decision on, with what was removed from each, and read again after a restart', async () => {
    const { store, lines } = kept();
    const plain = createPruner(options({ store }));
    for (const length of [1, 3]) await plain.prune({ body: body(REPEATED.slice(0, length)), conversation: 'c' });
    expect(lines).toEqual([]);
    for (const more of [0, 1, 2]) await plain.prune({ body: body(grown(more)), conversation: 'c' });
    const again = createPruner(options({ store }));
    for (const more of [3, 4]) await again.prune({ body: body(grown(more)), conversation: 'c' });
    const calls = callsOf(lines);
    expect(calls.map(({ removedTokens }) => removedTokens > 0)).toEqual([false, false, ...Array(5).fill(true)]);
    expect(calls.every(({ promptTokens }, at) => at === 0 || promptTokens > calls[at - 1]!.promptTokens)).toBe(true);
  });

  test('say after a restart which request is sent again: nothing more is decided about it', async () => {
    const { store } = kept();
    const stale = [...STALE, ...read('t5', '/b.ts', text('beta', 400))];
    const pruner = createPruner(options({ store }));
    for (const length of [1, 3, 5, 7, 9]) await pruner.prune({ body: body(stale.slice(0, length)), conversation: 'c' });
    const sent = await pruner.prune({ body: body(stale), conversation: 'c' });
    expect(sent.report.decision).toBeDefined();
    const again = createPruner(options({ store }));
    const same = await again.prune({ body: body(stale), conversation: 'c' });
    expect(same.body).toEqual(sent.body);
    expect(same.report).toMatchObject({ changed: [], isEpoch: false });
    expect(same.report.decision).toBeUndefined();
    const more = body([...stale, { role: 'assistant', content: 'ok' }, user('go on')]);
    expect((await again.prune({ body: more, conversation: 'c' })).report.decision).toBeDefined();
  });

  test('that were made before the pruner saw the conversation are those of its answers', async () => {
    const { store, lines } = kept();
    await createPruner(options({ store })).prune({ body: body(REPEATED), conversation: 'c' });
    expect(callsOf(lines)).toHaveLength(3);
  });
});

describe('a fork under another name', () => {
  test.each([false, true])(
    'inherits the decisions about what it shares, and no more (restarted: %s)',
    async (restarts) => {
      const store = memoryStore();
      const pruner = createPruner(options({ store }));
      await pruner.prune({ body: body(REPEATED), conversation: 'one' });
      const own = read('f1', '/c.ts', text('gamma'));
      const next = restarts ? createPruner(options({ store })) : pruner;
      const fork = await next.prune({ body: body([...REPEATED, ...own]), conversation: 'two' });
      expect(contentOf(fork.body.messages, 4)).toBe(MARKER);
      expect(fork.report).toMatchObject({ changed: [], projected: 1, isEpoch: false });
      const other = body([user('start'), ...read('o1', '/a.ts', text('alpha'))]);
      expect((await next.prune({ body: other, conversation: 'three' })).body).toBe(other);
    },
  );

  test('keeps the clock of the conversation warm', async () => {
    const now = { ms: 0 };
    const pruner = createPruner(options({ now: () => now.ms }));
    for (const length of [1, 3, 5, 7]) await pruner.prune({ body: body(STALE.slice(0, length)), conversation: 'one' });
    now.ms = 60 * MINUTE_MS;
    await pruner.prune({ body: body([...STALE.slice(0, 7), user('fork')]), conversation: 'two' });
    now.ms = 61 * MINUTE_MS;
    const { report } = await pruner.prune({ body: body(STALE), conversation: 'one' });
    expect(report.decision?.cause).toBe('costs');
  });
});

describe('a request that only counts', () => {
  test('has the texts that are frozen, and changes nothing', async () => {
    const lines: string[] = [];
    const kept = memoryStore();
    const store: PrunerStore = {
      load: kept.load,
      append(key, ...given) {
        lines.push(...given[0]);
        return kept.append(key, ...given);
      },
    };
    const pruner = createPruner(options({ store }));
    const more = [...REPEATED, ...THIRD];
    await pruner.prune({ body: body(REPEATED), conversation: 'c' });
    const written = lines.length;
    for (const counting of [pruner, createPruner(options({ store }))]) {
      const { body: counted, report } = await counting.prune({ body: body(more), conversation: 'c', isCount: true });
      expect(contentOf(counted.messages, 4)).toBe(MARKER);
      expect(contentOf(counted.messages, 6)).toBe(text('alpha'));
      expect(report).toMatchObject({ changed: [], projected: 1 });
    }
    expect(lines).toHaveLength(written);
    const { report } = await pruner.prune({ body: body(more), conversation: 'c' });
    expect(report).toMatchObject({ changed: [{ callId: 't3' }], isEpoch: false });
  });
});

describe('a decision that fails or is late', () => {
  test('is not sent by the next request either, and what was frozen before is sent', async () => {
    const store = memoryStore();
    const now = { isBroken: false };
    const broken: PrunerStore = {
      load: store.load,
      append: (...given) => (now.isBroken ? Promise.reject(new Error('ENOSPC')) : store.append(...given)),
    };
    const pruner = createPruner(options({ store: broken }));
    await pruner.prune({ body: body(REPEATED), conversation: 'c' });
    now.isBroken = true;
    const failed = await pruner.prune({ body: body([...REPEATED, ...THIRD]), conversation: 'c' });
    expect(failed.report).toMatchObject({ changed: [], projected: 1 });
    expect([4, 6].map((at) => contentOf(failed.body.messages, at))).toEqual([MARKER, text('alpha')]);
    now.isBroken = false;
    const after = [...REPEATED, ...THIRD, call('t4', 'Bash', { command: 'ls' }), result('t4', 'x')];
    const next = await pruner.prune({ body: body(after), conversation: 'c' });
    expect(next.body.messages.slice(0, 7)).toEqual(failed.body.messages);
    const restarted = await createPruner(options({ store })).prune({ body: body(after), conversation: 'c' });
    expect(restarted.body).toEqual(next.body);
  });

  test('is taken back if its caller does not wait any more', async () => {
    const store = memoryStore();
    const left = new AbortController();
    const archive = async (): Promise<void> => left.abort();
    const pruner = createPruner(options({ store, archive }));
    const { report } = await pruner.prune({ body: body(REPEATED), conversation: 'c', signal: left.signal });
    expect(report.changed).toEqual([]);
    const given = body([...REPEATED, call('t4', 'Bash', { command: 'ls' }), result('t4', 'x')]);
    expect((await pruner.prune({ body: given, conversation: 'c' })).body).toBe(given);
    expect((await createPruner(options({ store })).prune({ body: given, conversation: 'c' })).body).toBe(given);
  });

  test('leaves a request that went back as it is: what it left had the marker', async () => {
    const kept = memoryStore();
    const now = { isHanging: false };
    const append: PrunerStore['append'] = (...given) => (now.isHanging ? new Promise(() => {}) : kept.append(...given));
    const pruner = createPruner(options({ store: { ...kept, append } }));
    await pruner.prune({ body: body(REPEATED), conversation: 'c' });
    now.isHanging = true;
    void pruner.prune({ body: body([...REPEATED, ...THIRD]), conversation: 'c' });
    const left = new AbortController();
    const given = body([...REPEATED.slice(0, 3), ...read('other', '/b.ts', text('beta'))]);
    const pruning = pruner.prune({ body: given, conversation: 'c', signal: left.signal });
    await nextEventLoopTurn();
    left.abort();
    expect((await pruning).body).toBe(given);
  });

  test('is not made at all once the time is over', async () => {
    const store = memoryStore();
    await createPruner(options({ store })).prune({ body: body(REPEATED), conversation: 'c' });
    const late = createPruner(options({ store, mostMs: 0 }));
    const { body: sent, report } = await late.prune({ body: body([...REPEATED, ...THIRD]), conversation: 'c' });
    expect(report).toMatchObject({ changed: [], projected: 1 });
    expect(contentOf(sent.messages, 4)).toBe(MARKER);
  });
});

describe('the tokens of a report', () => {
  const sentTokens = async (pruner: Pruner, model: string): Promise<number> =>
    (await pruner.prune({ body: { ...body(STALE.slice(0, 3)), model } })).report.sentTokens;

  test('are those of the model, also after another one was asked', async () => {
    const claude = 'claude-opus-5';
    const gpt = 'gpt-5.6-sol';
    const pruner = createPruner(options());
    const first = await sentTokens(pruner, claude);
    const other = await sentTokens(pruner, gpt);
    expect(first).toBeGreaterThan(1.2 * other);
    expect(other).toBe(await sentTokens(createPruner(options()), gpt));
    expect(await sentTokens(pruner, claude)).toBe(first);
  });
});

describe('a new result that is shaped', () => {
  const passed = Array.from({ length: 30 }, (_, at) => ` ✓ test/part-${at}.test.ts (3 tests) 5ms`).join('\n');
  const summary = '      Tests  90 passed (90)';
  const list = [user('start'), call('t1', 'Bash', { command: 'npm test' }), result('t1', `${passed}\n${summary}`)];

  test('says how to get back what was left out, is the same in later requests, and is archived first', async () => {
    const archived: unknown[] = [];
    const store = memoryStore();
    const archive = async (blocks: readonly unknown[]): Promise<void> => void archived.push(...blocks);
    const pruner = createPruner(options({ archive, store }));
    const { body: sent, report } = await pruner.prune({ body: body(list) });
    const form = expect.stringMatching(
      /^⟦density: 30 lines of tests that passed left out; full text: density show [0-9a-f]{12}⟧\n {6}Tests {2}90 passed/,
    );
    expect(contentOf(sent.messages, 2)).toEqual(form);
    expect(report).toMatchObject({
      isEpoch: false,
      changed: [{ callId: 't1', kind: 'pruned', hash: expect.any(String) }],
    });
    expect(JSON.stringify(archived)).toContain('part-29.test.ts');
    const later = [...list, call('t2', 'Bash', { command: 'ls' }), result('t2', 'a')];
    const next = await createPruner(options({ archive, store })).prune({ body: body(later) });
    expect(contentOf(next.body.messages, 2)).toBe(contentOf(sent.messages, 2));
  });

  test('stays whole where the archive is full, while what loses nothing is shaped', async () => {
    const file = 'src/a/folder/of/this/project/file.ts';
    const matches = Array.from({ length: 40 }, (_, at) => `${file}:${at + 1}:const a${at} = ${at};`).join('\n');
    const both = [
      user('start'),
      call('t1', 'Grep', { pattern: 'const a' }, [
        { type: 'tool_use', id: 't0', name: 'Bash', input: { command: 'npm test' } },
      ]),
      user([
        { type: 'tool_result', tool_use_id: 't1', content: matches },
        { type: 'tool_result', tool_use_id: 't0', content: `${passed}\n${summary}` },
      ]),
    ];
    const shaped = async (archive: () => Promise<void>) => {
      const { body: sent, report } = await createPruner(options({ archive })).prune({ body: body(both) });
      return { text: JSON.stringify(sent), callIds: report.changed.map(({ callId }) => callId).sort() };
    };
    expect((await shaped(() => Promise.resolve())).callIds).toEqual(['t0', 't1']);
    const { text: sent, callIds } = await shaped(() => Promise.reject(new Error('full')));
    expect(callIds).toEqual(['t1']);
    expect(sent).toContain(JSON.stringify(`${file}\n1:const a0 = 0;\n`).slice(1, -1));
    expect(sent).toContain('part-29.test.ts');
  });

  test('loses nothing where nothing is archived', async () => {
    const given = body(list);
    const { archive: _, ...others } = options();
    expect((await createPruner(others).prune({ body: given })).body).toBe(given);
  });
});
