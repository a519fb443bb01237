import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChangedRequest, ChangeRequest, OutgoingRequest } from '../../../src/live/exchange/contract.ts';
import type { ProxiedCall } from '../../../src/proxy/contract.ts';
import { OneByOne } from '../../../src/proxy/one-by-one.ts';
import { ResponseFrames } from '../../../src/proxy/sockets/response-frames.ts';
import { runs } from '../../property-runs.ts';

type Fields = Record<string, unknown>;
const textFrame = (value: unknown) => ({ data: Buffer.from(JSON.stringify(value)), isBinary: false });
const bodyOf = ({ body }: Pick<OutgoingRequest, 'body'>) => JSON.parse(Buffer.from(body).toString()) as Fields;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** One connection: what was sent to the provider, and to the agent. */
function connection(change?: ChangeRequest) {
  const sent: Buffer[] = [];
  const got: Buffer[] = [];
  const calls: ProxiedCall[] = [];
  const frames = new ResponseFrames({
    headers: { 'session-id': 's' },
    upstream: 'https://provider',
    looks: new OneByOne(),
    ...(change && { change }),
    toUpstream: ({ data }) => void sent.push(data),
    toAgent: ({ data }) => void got.push(data),
    onCall: (call) => calls.push(call),
  });
  const ask = (value: unknown) => frames.fromAgent(textFrame(value));
  const tell = (value: unknown) => frames.fromUpstream(textFrame(value));
  /** The answer of the provider: its items, and the end. */
  const answer = async (id: string, items: readonly unknown[], rest: Fields = {}) => {
    tell({ type: 'response.created', response: { id }, ...rest });
    for (const [output_index, item] of items.entries())
      tell({ type: 'response.output_item.done', output_index, item, ...rest });
    tell({ type: 'response.completed', response: { id, status: 'completed', output: items }, ...rest });
    await settled();
  };
  const lastSent = () => JSON.parse(sent.at(-1)!.toString()) as Fields;
  return { frames, sent, got, calls, ask, tell, answer, lastSent };
}

const create = (input: readonly unknown[], previous?: string, rest: Fields = {}) => ({
  type: 'response.create',
  model: 'gpt-5.4',
  ...(previous !== undefined && { previous_response_id: previous }),
  input,
  tools: [],
  ...rest,
});
const user = { type: 'message', role: 'user', content: 'go' };
const reasoning = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'sealed' };
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'read', arguments: '{}' });
const output = (id: string, text = `text of ${id}`) => ({ type: 'function_call_output', call_id: id, output: text });

/** Gives results of these calls a shorter text; further ones from a request of so many items on. */
const shortening =
  (ids: Readonly<Record<string, number>>, rest: Partial<ChangedRequest> = {}): ChangeRequest =>
  async ({ body }) => {
    const { input, ...others } = bodyOf({ body });
    const items = input as { call_id?: string; output?: string }[];
    const shorter = items.map((item) =>
      item.output !== undefined && items.length >= (ids[item.call_id!] ?? Number.POSITIVE_INFINITY)
        ? { ...item, output: 'short' }
        : item,
    );
    const json = JSON.stringify({ ...others, input: shorter });
    const isSame = JSON.stringify({ ...others, input }) === json;
    return { body: isSame ? body : Buffer.from(json), answered: () => {}, ...rest };
  };

/** Says of which requests it is asked. */
function asked(): { change: ChangeRequest; requests: OutgoingRequest[] } {
  const requests: OutgoingRequest[] = [];
  const change: ChangeRequest = async (request) => {
    requests.push(request);
    return { body: request.body, answered: () => {} };
  };
  return { change, requests };
}

describe('a request for a response', () => {
  test('is decided with its whole history, and sent as it came if nothing changes', async () => {
    const { change, requests } = asked();
    const { ask, answer, sent } = connection(change);
    const frames = [
      create([user], undefined, { generate: false, client_metadata: { thread_id: 't' } }),
      create([output('x')], 'r1', { stream_id: undefined }),
    ];
    await ask(frames[0]);
    await answer('r1', [reasoning, call('x')]);
    await ask(frames[1]);
    expect(sent.map(String)).toEqual(frames.map((frame) => JSON.stringify(frame)));
    expect(requests.map(bodyOf)).toEqual([
      { model: 'gpt-5.4', input: [user], tools: [], client_metadata: { thread_id: 't' } },
      { model: 'gpt-5.4', input: [user, reasoning, call('x'), output('x')], tools: [] },
    ]);
    expect(requests.map(({ isCount }) => isCount)).toEqual([true, false]);
    expect(requests[0]!.headers).toMatchObject({ 'session-id': 's', 'thread-id': 't' });
  });

  test('has the new texts of what is new', async () => {
    const { ask, answer, lastSent } = connection(shortening({ x: 0 }));
    await ask(create([user]));
    await answer('r1', [call('x')]);
    await ask(create([output('x')], 'r1'));
    expect(lastSent()).toEqual(create([output('x', 'short')], 'r1'));
    await answer('r2', [call('y')]);
    await ask(create([output('y')], 'r2'));
    expect(lastSent()).toEqual(create([output('y')], 'r2'));
  });

  test('is a new chain with all items where earlier text changes, and is continued as before', async () => {
    const { ask, answer, lastSent } = connection(shortening({ x: 5 }));
    await ask(create([user]));
    await answer('r1', [reasoning, call('x')]);
    await ask(create([output('x')], 'r1'));
    expect(lastSent()).toEqual(create([output('x')], 'r1'));
    await answer('r2', [call('y')]);
    await ask(create([output('y')], 'r2'));
    expect(lastSent()).toEqual(create([user, reasoning, call('x'), output('x', 'short'), call('y'), output('y')]));
    await answer('r3', [call('z')]);
    await ask(create([output('z')], 'r3'));
    expect(lastSent()).toEqual(create([output('z')], 'r3'));
  });

  test('that is refused with new texts is sent once without them, before the agent sees anything', async () => {
    const told: unknown[] = [];
    const answered = (answer: unknown) => told.push(answer);
    const { ask, answer, tell, sent, got } = connection((request) =>
      shortening({ x: 0 }, { answered, withoutNew: () => ({ body: request.body, answered }) })(request),
    );
    await ask(create([user]));
    await answer('r1', [call('x')]);
    const frame = create([output('x')], 'r1');
    await ask(frame);
    const before = got.length;
    told.length = 0;
    tell({ type: 'error', status: 400, error: { message: 'no' } });
    await settled();
    expect(got).toHaveLength(before);
    expect(String(sent.at(-1))).toBe(JSON.stringify(frame));
    await answer('r2', []);
    expect(got).toHaveLength(before + 2);
    expect(told).toEqual([{ status: 400, error: 'no' }, { status: 200 }]);
  });

  test.each(['previous_response_not_found', 'websocket_connection_limit_reached'])(
    'that is refused because of `%s` is not sent again: the agent does that',
    async (code) => {
      const { ask, answer, tell, sent, got } = connection((request) =>
        shortening({ x: 0 }, { withoutNew: () => ({ body: request.body, answered: () => {} }) })(request),
      );
      await ask(create([user]));
      await answer('r1', [call('x')]);
      await ask(create([output('x')], 'r1'));
      const error = { type: 'error', status: 400, error: { code, message: 'gone' } };
      tell(error);
      await settled();
      expect(sent).toHaveLength(2);
      expect(String(got.at(-1))).toBe(JSON.stringify(error));
    },
  );

  test('of one stream does not wait for that of another one', async () => {
    const { ask, answer, lastSent, calls } = connection(shortening({ x: 0, y: 0 }));
    await ask(create([user], undefined, { stream_id: 'a' }));
    await ask(create([user], undefined, { stream_id: 'b' }));
    await answer('b1', [call('y')], { stream_id: 'b' });
    await ask(create([output('y')], 'b1', { stream_id: 'b' }));
    expect(lastSent()).toMatchObject({ stream_id: 'b', input: [output('y', 'short')] });
    await answer('a1', [call('x')], { stream_id: 'a' });
    await answer('b2', [], { stream_id: 'b' });
    // A fork: what another stream said last is continued.
    await ask(create([output('x')], 'a1', { stream_id: 'b' }));
    expect(lastSent()).toMatchObject({ previous_response_id: 'a1', input: [output('x', 'short')] });
    expect(calls).toHaveLength(3);
  });

  test.each<[string, ChangeRequest]>([
    ['fails in pruning', () => Promise.reject(new Error('a bug'))],
    ['loses an item in pruning', async () => ({ body: Buffer.from('{"input":[]}'), answered: () => {} })],
    ['is no request after pruning', async () => ({ body: Buffer.from('x'), answered: () => {} })],
  ])('that %s goes on as it came', async (_, change) => {
    const { ask, lastSent } = connection(change);
    await ask(create([output('x')]));
    expect(lastSent()).toEqual(create([output('x')]));
  });
});

describe('in doubt nothing is changed from then on', () => {
  const shorten = shortening({ x: 0, z: 0 });

  async function afterwards(doubt: (one: ReturnType<typeof connection>) => Promise<void>): Promise<string> {
    const one = connection(shorten);
    await one.ask(create([user]));
    await one.answer('r1', [call('x')]);
    await doubt(one);
    const frame = create([call('z'), output('z')]);
    await one.ask(frame);
    expect(String(one.sent.at(-1))).toBe(JSON.stringify(frame));
    return String(one.got.at(-1));
  }

  test('after a response that is not known', () => afterwards(({ ask }) => ask(create([output('x')], 'other'))));

  test('after reasoning that is not sealed', () =>
    afterwards(async ({ ask, answer }) => {
      await ask(create([output('x')], 'r1'));
      await answer('r2', [{ type: 'reasoning', id: 'rs', summary: [] }, call('y')]);
      await ask(create([output('y')], 'r2'));
    }));

  test('after an item that was not seen', () =>
    afterwards(async ({ ask, tell }) => {
      await ask(create([output('x')], 'r1'));
      tell({ type: 'response.output_item.done', output_index: 1, item: call('y') });
      tell({ type: 'response.completed', response: { id: 'r2', status: 'completed', output: [] } });
      await settled();
      await ask(create([output('y')], 'r2'));
    }));

  test('after an event of another kind', () => afterwards(({ ask }) => ask({ type: 'response.steer', input: [] })));

  test('after a binary frame', () =>
    afterwards(({ frames }) => frames.fromAgent({ data: Buffer.from('x'), isBinary: true })));

  test('after an answer that cannot be read, which the agent gets', async () => {
    await afterwards(async ({ ask, frames, got }) => {
      await ask(create([output('x')], 'r1'));
      frames.fromUpstream({ data: Buffer.from('{"type":'), isBinary: false });
      expect(String(got.at(-1))).toBe('{"type":');
    });
  });
});

test('a connection that ends reports what was being answered, and nothing that was not', async () => {
  const { ask, tell, frames, calls } = connection();
  await ask(create([user]));
  tell({ type: 'response.created', response: { id: 'r1' } });
  await ask(create([user]));
  frames.end();
  await settled();
  expect(calls.map(({ status, usage, isToolWait }) => [status, usage, isToolWait])).toEqual([
    [200, undefined, undefined],
  ]);
});

/** A provider that resolves chains; the history of each request is what it read. */
test('the provider has the history that was decided, whatever is shortened when (law)', async () => {
  const steps = fc.array(fc.record({ isNew: fc.boolean(), shortAt: fc.integer({ min: 0, max: 30 }) }), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const ids = Object.fromEntries(plan.map(({ shortAt }, at) => [`c${at}`, shortAt]));
      const decided: unknown[] = [];
      const shorten = shortening(ids);
      const { ask, answer, lastSent } = connection(async (request) => {
        const changed = await shorten(request);
        decided.push(bodyOf(changed)['input']);
        return changed;
      });
      const responses = new Map<unknown, readonly unknown[]>([[undefined, []]]);
      let history: unknown[] = [user];
      let previous: string | undefined;
      let news: unknown[] = [user];
      for (const [at, { isNew }] of plan.entries()) {
        await ask(isNew ? create(history) : create(news, previous));
        const frame = lastSent();
        const read = [...responses.get(frame['previous_response_id'])!, ...(frame['input'] as unknown[])];
        expect(read).toEqual(decided.at(-1));
        const said = [reasoning, call(`c${at}`)];
        previous = `r${at}`;
        responses.set(previous, [...read, ...said]);
        await answer(previous, said);
        news = [output(`c${at}`)];
        history = [...history, ...said, ...news];
      }
    }),
    { numRuns: runs(200) },
  );
});

test('a call says whether its answer called a tool, also where the end of the answer lists no items', async () => {
  const { ask, tell, calls } = connection();
  const usage = { input_tokens: 3, output_tokens: 9 };
  for (const item of [call('x'), { type: 'message', role: 'assistant', content: [] }]) {
    await ask(create([user]));
    tell({ type: 'response.output_item.done', output_index: 0, item });
    tell({ type: 'response.completed', response: { id: 'r', output: [], usage } });
    await settled();
  }
  expect(calls.map(({ isToolWait }) => isToolWait)).toEqual([true, false]);
});
