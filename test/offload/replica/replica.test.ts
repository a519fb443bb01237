import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { CompressionStrategyError } from '../../../src/errors.ts';
import type { Outcome, Request, Task } from '../../../src/offload/protocol.ts';
import { Replica, type ReplicaServices } from '../../../src/offload/replica/replica.ts';
import type { CompressionStrategy, DensityResult } from '../../../src/strategies/contract.ts';
import { replicaStore } from '../loopback.ts';

const said = (text: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text }] });
const textOf = ({ blocks }: IContent): string => (blocks[0]?.type === 'text' ? blocks[0].text : '');

const strategyThat = (optimize: (history: readonly IContent[]) => DensityResult): CompressionStrategy => ({
  name: 'probe',
  requiresLLM: false,
  trigger: { mode: 'continuous', defaultThreshold: 0.85 },
  optimize,
  compress: async ({ history }) => ({
    newHistory: history.slice(1),
    metadata: {
      originalMessageCount: history.length,
      compressedMessageCount: history.length - 1,
      strategyUsed: 'probe',
      llmCallMade: false,
    },
  }),
});
const metadata = { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 };
const shortensAll = strategyThat((history) => ({
  removals: [],
  replacements: new Map(
    history.map((entry, index) => [index, { ...entry, blocks: [{ ...entry.blocks[0]!, text: 'short' } as never] }]),
  ),
  metadata,
}));
const removesFirst = strategyThat(() => ({ removals: [0], replacements: new Map(), metadata }));

/** Counts characters and refuses "bad". */
const services = (strategy: CompressionStrategy = removesFirst): ReplicaServices & { counted: string[] } => {
  const counted: string[] = [];
  return {
    counted,
    strategy: () => strategy,
    countEntry: (entry) => {
      counted.push(textOf(entry));
      if (textOf(entry) === 'bad') throw new CompressionStrategyError('cannot count', 'EXECUTION_FAILED');
      return textOf(entry).length;
    },
  };
};

/** Requests in their proper order; `skip` leaves one out. */
class Sender {
  generation = 1;
  revision = 0;
  sequence = 0;
  readonly cancelFlag = new Int32Array(1);

  request(task: Task, changes: Request['changes'] = [], more: Partial<Request> = {}): Request {
    const { generation, cancelFlag } = this;
    const baseRevision = this.revision++;
    const revision = this.revision;
    const sequence = ++this.sequence;
    return {
      version: 1,
      historyId: 'h',
      generation,
      baseRevision,
      revision,
      sequence,
      changes,
      task,
      cancelFlag,
      ...more,
    };
  }

  startAnew(): void {
    this.generation++;
    this.revision = 0;
  }
}

const append = (start: number, ...texts: string[]): Request['changes'] => [
  { kind: 'splice', list: 'history', start, deleteCount: 0, entries: texts.map(said) },
];
const synchronise: Task = { kind: 'synchronise' };
const count = (from: number, to: number, more: object = {}): Task => ({
  kind: 'count',
  family: 'o200k',
  list: 'history',
  from,
  to,
  fresh: false,
  budgetBytes: 1e9,
  ...more,
});
const optimize = (length: number): Task => ({
  kind: 'optimize',
  isLogged: false,
  strategy: 'probe',
  vocabulary: 'llxprt',
  family: 'o200k',
  length,
  countFrom: length,
  budgetBytes: 0,
  config: {
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: false,
    recencyRetention: 3,
    workspaceRoot: '/work',
  },
});

async function ready(...texts: string[]): Promise<{ replica: Replica; sender: Sender; counted: string[] }> {
  const used = services();
  const replica = new Replica(used);
  const sender = new Sender();
  await replica.receive(sender.request(synchronise, append(0, ...texts)));
  return { replica, sender, counted: used.counted };
}

describe('a replica', () => {
  test('takes requests in sequence only', async () => {
    const { replica, sender } = await ready('a');
    const skipped = sender.request(synchronise, append(1, 'lost'));
    expect(skipped.sequence).toBe(2);
    const third = sender.request(synchronise, append(2, 'c'));
    expect(await replica.receive(third)).toEqual({ kind: 'need-snapshot' });
    expect(await replica.receive({ ...third, generation: 9 })).toEqual({ kind: 'need-snapshot' });
    expect(await new Replica(services()).receive(third)).toEqual({ kind: 'need-snapshot' });
    expect(replica.entries).toEqual([said('a')]);
  });

  test('starts again from a snapshot of a later generation', async () => {
    const { replica, sender } = await ready('a');
    sender.startAnew();
    expect(await replica.receive(sender.request(synchronise, append(0, 'x', 'y')))).toEqual({ kind: 'done' });
    expect(replica.entries).toEqual([said('x'), said('y')]);
  });

  test('is out of step when a change does not fit, until it gets a snapshot', async () => {
    const { replica, sender } = await ready('a');
    expect(await replica.receive(sender.request(synchronise, append(7, 'far')))).toEqual({ kind: 'need-snapshot' });
    expect(await replica.receive(sender.request(synchronise))).toEqual({ kind: 'need-snapshot' });
    sender.startAnew();
    expect(await replica.receive(sender.request(synchronise, append(0, 'b')))).toEqual({ kind: 'done' });
  });

  test('counts each entry once, and again on request', async () => {
    const { replica, sender, counted } = await ready('a', 'bb', 'ccc');
    expect(await replica.receive(sender.request(count(0, 3)))).toEqual({ kind: 'counts', counts: [1, 2, 3] });
    expect(await replica.receive(sender.request(count(1, 3)))).toEqual({ kind: 'counts', counts: [2, 3] });
    expect(counted).toEqual(['a', 'bb', 'ccc']);
    expect(await replica.receive(sender.request(count(0, 1, { fresh: true })))).toEqual({
      kind: 'counts',
      counts: [1],
    });
    expect(await replica.receive(sender.request(count(0, 1, { family: 'cl100k' })))).toEqual({
      kind: 'counts',
      counts: [1],
    });
    expect(counted).toEqual(['a', 'bb', 'ccc', 'a', 'a']);
  });

  test('answers as many counts as the budget allows, one at least', async () => {
    const { replica, sender } = await ready('a'.repeat(5_000), 'b'.repeat(5_000), 'c');
    const answer = await replica.receive(sender.request(count(0, 3, { budgetBytes: 5_200 })));
    expect(answer).toEqual({ kind: 'counts', counts: [5_000, 5_000] });
    expect(await replica.receive(sender.request(count(0, 3, { budgetBytes: 0, fresh: true })))).toEqual({
      kind: 'counts',
      counts: [5_000],
    });
  });

  test('an error of the counter replaces that count (ERR-020)', async () => {
    const { replica, sender } = await ready('a', 'bad', 'c');
    const answer = (await replica.receive(sender.request(count(0, 3)))) as Extract<Outcome, { kind: 'counts' }>;
    expect(answer.counts[0]).toBe(1);
    expect(answer.counts[1]).toMatchObject({
      error: { message: 'cannot count', fields: { code: 'EXECUTION_FAILED' } },
    });
    expect(answer.counts[2]).toBe(1);
  });

  test('stops at the cancel flag', async () => {
    const { replica, sender, counted } = await ready('a', 'b');
    sender.cancelFlag[0] = 1;
    expect(await replica.receive(sender.request(count(0, 2)))).toEqual({ kind: 'cancelled' });
    expect(counted).toEqual([]);
  });

  test('counts loose entries without keeping them', async () => {
    const { replica, sender } = await ready('a');
    const loose: Request['changes'] = [
      { kind: 'splice', list: 'loose', start: 0, deleteCount: 0, entries: [said('four')] },
    ];
    expect(await replica.receive(sender.request(count(0, 1, { list: 'loose' }), loose))).toEqual({
      kind: 'counts',
      counts: [4],
    });
    expect(replica.entries).toEqual([said('a')]);
    expect(await replica.receive(sender.request(count(0, 1, { list: 'loose' })))).toEqual({
      kind: 'counts',
      counts: [],
    });
  });

  test('optimises the history at the time of the request, and applies its own result when that is accepted', async () => {
    const used = services(shortensAll);
    const replica = new Replica(used);
    const sender = new Sender();
    const answer = await replica.receive(sender.request(optimize(1), append(0, 'long text', 'added later')));
    expect(answer).toEqual({
      kind: 'optimized',
      logged: [],
      removals: [],
      parts: [{ from: 0, tokens: 5, blocks: [{ block: 0, becomes: { set: { text: 'short' }, unset: [] } }] }],
      metadata,
      counts: [],
      hasEdits: false,
      hasMore: false,
    });
    await replica.receive(sender.request(synchronise, [{ kind: 'accept', sequence: 1 }]));
    expect(replica.entries).toEqual([said('short'), said('added later')]);
    expect(replica.bytes).toBeLessThan(400);
  });

  test('a result that it does not have cannot be accepted', async () => {
    const { replica, sender } = await ready('a');
    const accept: Request['changes'] = [{ kind: 'accept', sequence: 12 }];
    expect(await replica.receive(sender.request(synchronise, accept))).toEqual({ kind: 'need-snapshot' });
  });

  test('hands out a large result in parts', async () => {
    const used = services(shortensAll);
    const replica = new Replica(used);
    const sender = new Sender();
    const texts = Array.from({ length: 5_000 }, (_, index) => `text ${index}`);
    let answer = await replica.receive(sender.request(optimize(5_000), append(0, ...texts)));
    const sizes: number[] = [];
    for (;;) {
      if (!('hasMore' in answer)) throw new Error(`no parts: ${answer.kind}`);
      sizes.push(answer.parts.length);
      if (!answer.hasMore) break;
      answer = await replica.receive(sender.request({ kind: 'continue', length: 5_000 }));
    }
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(5_000);
  });

  test('what a strategy throws is an outcome (REQ-HD-013.1)', async () => {
    const failing = services(
      strategyThat(() => {
        throw new TypeError('broken strategy', { cause: new Error('the reason') });
      }),
    );
    const answer = await new Replica(failing).receive(new Sender().request(optimize(1), append(0, 'a')));
    expect(answer).toMatchObject({
      kind: 'failed',
      error: { name: 'TypeError', message: 'broken strategy', cause: { message: 'the reason' } },
    });
  });
});

describe('the replicas of a thread', () => {
  const own = (historyId: string, sender: Sender, task: Task, changes: Request['changes'] = []): Request => ({
    ...sender.request(task, changes),
    historyId,
  });
  const kilobyte = 'x'.repeat(1_000);

  test('the least recently used is removed when they are too large, and asks for a snapshot later', async () => {
    const store = replicaStore(services(), 2_800);
    const senders = ['a', 'b', 'c'].map((name) => ({ name, sender: new Sender() }));
    for (const { name, sender } of senders) await store.receive(own(name, sender, count(0, 1), append(0, kilobyte)));
    const [a, b, c] = senders.map(({ name, sender }) => ({ name, sender })) as [never, never, never] & typeof senders;
    const again = async ({ name, sender }: { name: string; sender: Sender }) =>
      (await store.receive(own(name, sender, count(0, 1)))).outcome.kind;
    expect(await again(b!)).toBe('counts');
    expect(await again(c!)).toBe('counts');
    expect(await again(a!)).toBe('need-snapshot');
  });

  test('one that is being filled is never thrown away, and the one in use neither', async () => {
    const store = replicaStore(services(), 100);
    const filling = new Sender();
    const other = new Sender();
    await store.receive(own('filling', filling, synchronise, append(0, kilobyte)));
    const reply = await store.receive(own('other', other, count(0, 1), append(0, kilobyte)));
    expect(reply.outcome.kind).toBe('counts');
    expect(reply.figures.replicas).toBe(2);
    const last = await store.receive(own('filling', filling, count(0, 2), append(1, kilobyte)));
    expect(last.outcome).toEqual({ kind: 'counts', counts: [1_000, 1_000] });
    expect(last.figures.replicas).toBe(1);
  });

  test('a released history is forgotten', async () => {
    const store = replicaStore(services());
    const sender = new Sender();
    await store.receive(own('h', sender, synchronise, append(0, kilobyte)));
    const reply = await store.receive(own('h', sender, { kind: 'release' }));
    expect(reply).toMatchObject({ outcome: { kind: 'done' }, figures: { replicas: 0, replicaBytes: 0 } });
  });

  test('a request of another version is refused', async () => {
    const request = { ...new Sender().request(synchronise, append(0, 'a')), version: 2 as 1 };
    expect((await replicaStore(services()).receive(request)).outcome).toEqual({ kind: 'need-snapshot' });
  });
});
