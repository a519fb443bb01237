import { EventEmitter, once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ChangedRequest, OutgoingRequest } from '../../src/live/exchange/contract.ts';
import { type RunningProxy, startProxy } from '../../src/proxy/proxy.ts';
import { unseenNote } from '../../tools/proof/proxy-faults/unseen-notes.ts';
import { injectFaults } from '../../tools/proof/proxy-faults.ts';
import { UpstreamServer } from './upstream-server.ts';

const upstream = new UpstreamServer();
let base: URL;
beforeAll(async () => {
  base = await upstream.start();
});
afterAll(() => upstream.stop());
let proxy: RunningProxy | undefined;
afterEach(() => proxy?.close());

const BODY = '{"messages":[]}';
const troubles: string[] = [];
beforeEach(() => {
  upstream.seen.length = 0;
  troubles.length = 0;
  upstream.answer = (response) => response.end('{}');
});

/** Sends a body through a proxy that changes it so. */
async function answerTo(changed: unknown): Promise<number> {
  const change = async (): Promise<ChangedRequest> => changed as ChangedRequest;
  const onTrouble = (what: string): void => void troubles.push(what);
  proxy = await startProxy({ mounts: [{ path: '', upstream: base }], token: 'tok', change, onTrouble });
  const request = httpRequest(`${proxy.url}/v1/messages`, { method: 'POST' });
  request.end(BODY);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return response.statusCode ?? 0;
}

const seen = (): string[] => upstream.seen.map(({ body }) => body.toString());
const answered = (): void => {};
const withoutNew = (): ChangedRequest => ({ body: Buffer.from(BODY), answered });

test.each([
  ['null', null],
  ['an empty object', {}],
  ['a text as a body', { body: 'text', answered }],
  ['no body', { body: null, answered }],
])('what is no changed request (%s) sends the original', async (_name, changed) => {
  expect(await answerTo(changed)).toBe(200);
  expect(seen()).toEqual([BODY]);
  expect(troubles).toEqual([expect.stringContaining('the original was sent')]);
});

test('an agent that hangs up ends the work on its request', async () => {
  const asked = new EventEmitter();
  const change = ({ signal }: OutgoingRequest): Promise<ChangedRequest> => {
    asked.emit('request', signal);
    return new Promise(() => {});
  };
  proxy = await startProxy({ mounts: [{ path: '', upstream: base }], token: 'tok', change });
  const request = httpRequest(`${proxy.url}/v1/messages`, { method: 'POST' }).on('error', () => {});
  request.end(BODY);
  const [signal] = (await once(asked, 'request')) as [AbortSignal];
  request.destroy();
  if (!signal.aborted) await once(signal, 'abort');
  expect(seen()).toEqual([]);
});

test('a failure to note an answer does not reach the agent', async () => {
  const fail = (): never => {
    throw new Error('a bug');
  };
  expect(await answerTo({ body: Buffer.from('{"changed":1}'), answered: fail })).toBe(200);
  expect(troubles).toEqual(['an answer could not be noted (a bug)']);
});

test.each<[string, (response: Parameters<UpstreamServer['answer']>[0]) => void]>([
  ['does not end', () => {}],
  ['breaks off', (response) => setTimeout(() => response.destroy(), 5)],
])('a refusal of a changed request that %s is not waited for', async (_how, goOn) => {
  upstream.answer = (response, { body }) => {
    if (body.toString() === BODY) return response.end('{}');
    response.writeHead(400, { 'content-length': '999' }).write('{"error":"bound"');
    return goOn(response);
  };
  expect(await answerTo({ body: Buffer.from('{"changed":1}'), answered, withoutNew })).toBe(200);
  expect(seen()).toEqual(['{"changed":1}', BODY]);
  expect(troubles).toEqual([expect.stringContaining('"bound"')]);
});

test('a compressed refusal is readable in what went wrong', async () => {
  upstream.answer = (response, { body }) =>
    body.toString() === BODY
      ? response.end('{}')
      : response.writeHead(400, { 'content-encoding': 'gzip' }).end(gzipSync('{"error":"bound"}'));
  await answerTo({ body: Buffer.from('{"changed":1}'), answered, withoutNew });
  expect(troubles).toEqual([expect.stringContaining('{"error":"bound"}')]);
});

/** Thousands: `npm run proof -- proxy-faults`, which also measures that nothing hangs. */
test('a sample of injected faults leads to no wrong answer', async () => {
  const { problems, spliced } = await injectFaults(20, 7);
  expect(problems.filter((problem) => !problem.startsWith('took'))).toEqual([]);
  expect(spliced).toBeGreaterThan(0);
});

test('the proof finds a note beside what is deep', () => {
  const deep = `{"other":${'['.repeat(60_000)}${']'.repeat(60_000)},"messages":[{"content":"NOTE"}]}`;
  const note = '⟦density: 9 lines, as shown above by Read /a.ts, from \\"a line\\" #1⟧';
  expect(unseenNote(Buffer.from(deep.replace('NOTE', note)), Buffer.from(deep))).toContain('from "a line"');
});
