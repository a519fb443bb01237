import { expect, test } from 'vitest';
import { type Kept, KeptMemory } from '../../src/live/kept-memory.ts';
import { LivePruner } from '../../src/live/live-pruner.ts';
import { memoryStore } from '../../src/live/memory-store.ts';

/** Something of 30 bytes, 10 of them when it is released. */
function kept(name: string, log: string[]): Kept {
  let keptBytes = 30;
  return {
    get keptBytes() {
      return keptBytes;
    },
    release: () => {
      keptBytes = 10;
      log.push(`release ${name}`);
    },
    drop: () => void log.push(`drop ${name}`),
  };
}

test('what was used longest ago gives back what is quickly made again, then all', () => {
  const log: string[] = [];
  const memory = new KeptMemory(60);
  for (const name of ['a', 'b', 'c']) memory.use(name, kept(name, log));
  expect([memory.bytes, log]).toEqual([50, ['release a', 'release b']]);
  memory.use('a', kept('a', log));
  memory.use('d', kept('d', log));
  expect([memory.bytes, log.slice(2)]).toEqual([60, ['release c', 'release a']]);
  memory.use('e', kept('e', log));
  expect([memory.bytes, log.slice(4)]).toEqual([50, ['release d', 'release e']]);
  memory.use('f', kept('f', log));
  memory.use('g', kept('g', log));
  expect([memory.bytes, log.slice(6)]).toEqual([60, ['release f', 'release g', 'drop b']]);
  memory.forget('g');
  expect(memory.bytes).toBe(50);
});

test('what was not used for long is dropped', () => {
  let nowMs = 0;
  const log: string[] = [];
  const memory = new KeptMemory(60, () => nowMs);
  memory.use('a', kept('a', log));
  nowMs = 10;
  memory.use('b', kept('b', log));
  memory.dropUnused(5);
  expect([memory.bytes, log]).toEqual([30, ['drop a']]);
});

const TEXT = Array.from({ length: 200 }, (_, at) => `line ${at} of a file`).join('\n');

/** A conversation that reads three files in turn, and edits them. */
function bodyOf(turns: number): Buffer {
  const messages: object[] = [{ role: 'user', content: 'Go.' }];
  for (let at = 0; at < turns; at++) {
    const isEdit = at % 4 === 3;
    const input = { file_path: `/f${at % 3}`, ...(isEdit && { old_string: 'a', new_string: 'b' }) };
    const id = `t${at}`;
    messages.push(
      { role: 'assistant', content: [{ type: 'tool_use', id, name: isEdit ? 'Edit' : 'Read', input }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: isEdit ? 'ok' : `${at % 3} ${TEXT}` }],
      },
    );
  }
  return Buffer.from(JSON.stringify({ model: 'claude-sonnet-4-5', tools: [{ name: 'Read' }], messages }));
}

test.each([
  ['all of it', 0],
  ['the texts', 150_000],
])('a conversation of which a replica dropped %s goes on with the same bytes', async (_what, mostBytes) => {
  const memory = new KeptMemory(mostBytes);
  const start = (own?: KeptMemory): LivePruner =>
    new LivePruner({
      api: 'anthropic-messages',
      store: { ...memoryStore(), isShared: true },
      now: () => 0,
      memory: own,
    });
  const whole = start();
  const dropping = start(memory);
  let projected = 0;
  for (let turns = 1; turns <= 16; turns++) {
    const request = { body: bodyOf(turns), conversation: 'c' };
    const wanted = await whole.prune(request);
    projected = wanted.report.projected;
    expect(Buffer.from((await dropping.prune(request)).body).toString()).toBe(Buffer.from(wanted.body).toString());
    expect(memory.bytes).toBeLessThanOrEqual(mostBytes);
  }
  expect(projected).toBeGreaterThan(3);
});

test('a pruner of its own keeps no more of many long conversations than of few: the oldest is read again from its store', async () => {
  const loaded: string[] = [];
  const store = memoryStore();
  const load: typeof store.load = (key, after) => {
    loaded.push(key);
    return store.load(key, after);
  };
  const pruner = new LivePruner({ api: 'anthropic-messages', store: { ...store, load } });
  // Its values take as much memory as a text of 20 MB.
  const content = [{ type: 'text', text: 'Go.', more: new Array<number>(80_000).fill(0) }];
  const send = (name: number) =>
    pruner.prune({
      body: Buffer.from(JSON.stringify({ tools: [{}], messages: [{ role: 'user', content }] })),
      conversation: `c${name}`,
    });
  const first = (await send(0)).report.conversation;
  for (let name = 1; name <= 12; name++) await send(name);
  const isFirst = (key: string): boolean => key === first;
  expect(loaded.filter(isFirst)).toHaveLength(1);
  await send(0);
  expect(loaded.filter(isFirst)).toHaveLength(2);
});

test('a request of more values than any conversation has is sent as it is', async () => {
  const pruner = new LivePruner({ api: 'anthropic-messages' });
  for (const content of [
    Array.from({ length: 130_000 }, () => ({})),
    Object.fromEntries(Array.from({ length: 250_000 }, (_, at) => [at, 1])),
  ]) {
    const body = Buffer.from(JSON.stringify({ model: 'm', tools: [{}], messages: [{ role: 'user', content }] }));
    const pruned = await pruner.prune({ body });
    expect([pruned.body === body, pruned.report.untouched]).toEqual([true, 'not-understood']);
  }
  const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`f${at}`, 1]));
  const body = Buffer.from(JSON.stringify({ ...fields, tools: [{}], messages: [{ role: 'user', content: 'x' }] }));
  expect((await pruner.prune({ body })).report.untouched).toBe('not-understood');
});
