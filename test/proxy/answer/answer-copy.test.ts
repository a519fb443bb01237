import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answerCopy } from '../../../src/proxy/answer/answer-copy.ts';
import { CopyRoom } from '../../../src/proxy/answer/copy-room.ts';

const event = (value: { readonly type: string; readonly [key: string]: unknown }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const WORDS = event({ type: 'content_block_delta', delta: { text: 'a word – and “another”' } });
const EVENTS = [
  event({ type: 'message_start', message: { model: 'm', usage: { input_tokens: 3, output_tokens: 1 } } }),
  WORDS,
  ': a comment\n\n',
  WORDS,
  event({ type: 'message_delta', usage: { output_tokens: 42 } }),
  WORDS,
  event({ type: 'error', error: { message: 'overloaded' } }),
  WORDS,
];

async function factsOf(parts: readonly Uint8Array[]) {
  const copy = answerCopy('anthropic-messages', { type: 'text/event-stream', encoding: '', room: new CopyRoom() });
  for (const part of parts) copy.write(part);
  return copy.end();
}

const FACTS = { model: 'm', usage: { promptTokens: 3, outputTokens: 42 }, error: 'overloaded' };

test('what a stream says is read when each event comes by itself', async () => {
  expect(await factsOf(EVENTS.map((text) => Buffer.from(text)))).toMatchObject(FACTS);
});

test.each(['\n', '\r\n'])('what a stream says is read wherever it is cut (line ends %j)', async (lineEnd) => {
  const bytes = Buffer.from(EVENTS.join('').replaceAll('\n', lineEnd));
  for (let size = 1; size <= bytes.length; size++) {
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    expect(await factsOf(parts), `parts of ${size}`).toMatchObject(FACTS);
  }
  for (let at = 0; at <= bytes.length; at++)
    expect(await factsOf([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toMatchObject(FACTS);
});

const change = (type: string, reason: string): object => ({ type, path: 'messages.1.content.0', reason });

test.each([
  [change('thinking_dropped', 'prefix_binding_mismatch'), true],
  // After a change of model: no change before the thinking was the reason.
  [change('thinking_dropped', 'model_binding_mismatch'), undefined],
  // Its model read it all the same.
  [change('thinking_mismatch_allowed', 'prefix_binding_mismatch'), undefined],
])('what became of thinking says whether a model binds it: %j', async (transformation, isBound) => {
  const message = { model: 'm', usage: { input_tokens: 3, output_tokens: 1 }, input_transformations: [transformation] };
  const start = event({ type: 'message_start', message });
  expect((await factsOf([Buffer.from(start)])).isBound).toBe(isBound);
});

/** Zstandard without compression but for runs: a frame of runs of 128 kB, of which each takes four bytes. */
function zstdRuns(parts: readonly (string | number)[]): Buffer {
  const header = Buffer.from('28b52ffd0038', 'hex');
  const blocks = parts.flatMap((part, at) => {
    const isLast = at === parts.length - 1 ? 1 : 0;
    const size = typeof part === 'string' ? Buffer.byteLength(part) : 128 * 1024;
    const head = Buffer.alloc(3);
    head.writeUIntLE((size << 3) | (typeof part === 'string' ? 0 : 2) | isLast, 0, 3);
    return [head, typeof part === 'string' ? Buffer.from(part) : Buffer.from([part])];
  });
  return Buffer.concat([header, ...blocks]);
}

const START = 'event: message_start\ndata: {"message":{"model":"m","usage":{"input_tokens":3,"output_tokens":1}}}\n\n';
const END = 'event: message_delta\ndata: {"usage":{"output_tokens":42}}\n\n';
const RUNS = 400;
const LINE_FEED = 10;
const bomb = Buffer.concat([Buffer.from(START), Buffer.alloc(RUNS * 128 * 1024, LINE_FEED), Buffer.from(END)]);

test.each([
  ['gzip', gzipSync(bomb)],
  ['deflate', deflateSync(bomb)],
  ['br', brotliCompressSync(bomb)],
  ['zstd', zstdRuns([START, ...new Array<number>(RUNS).fill(LINE_FEED), END])],
])('a decoder ends where an answer grows more than an answer does (%s)', async (encoding, bytes) => {
  const copy = answerCopy('anthropic-messages', { type: 'text/event-stream', encoding, room: new CopyRoom() });
  copy.write(bytes);
  // The tokens of its start alone would be a wrong number.
  expect(await copy.end()).toEqual({});
});

test.each([
  ['gzip', gzipSync(START + END)],
  ['zstd', zstdRuns([START, LINE_FEED, END])],
])('an answer that is compressed is read to its end (%s)', async (encoding, bytes) => {
  const copy = answerCopy('anthropic-messages', { type: 'text/event-stream', encoding, room: new CopyRoom() });
  for (const byte of bytes) copy.write(Buffer.from([byte]));
  expect((await copy.end()).usage).toMatchObject({ promptTokens: 3, outputTokens: 42 });
});

/** An answer of 11 MB that grows nearly as much as one may. */
const incompressible = randomBytes(50_000).toString('hex');
const large = gzipSync(`{"model":"m","id":"${incompressible}","usage":{"input_tokens":3}}${' '.repeat(11_000_000)}`);
const ROOM_BYTES = 30 * 1024 * 1024;

/** What copies of `large` say that are read at the same time, and the most that they hold together. */
async function copiesIn(room: CopyRoom, count: number) {
  const copies = Array.from({ length: count }, () =>
    answerCopy('anthropic-messages', { type: 'application/json', encoding: 'gzip', room }),
  );
  for (const copy of copies) copy.write(large);
  const answers = await Promise.all(copies.map((copy) => copy.end()));
  return answers.map(({ usage }) => usage?.promptTokens);
}

test('copies of answers that have no room together say no usage, and give their room back', async () => {
  const room = new CopyRoom(ROOM_BYTES);
  const alone = await copiesIn(room, 2);
  expect(alone).toEqual([3, 3]);
  const prompts = await copiesIn(room, 8);
  expect(prompts).toContain(undefined);
  expect(new Set(prompts)).toEqual(new Set([3, undefined]));
  expect(room.heldBytes).toBe(0);
});

test('an event that does not end is given up, and what follows the events before it too', async () => {
  const room = new CopyRoom();
  const copy = answerCopy('anthropic-messages', { type: 'text/event-stream', encoding: '', room });
  copy.write(Buffer.from(START));
  const lines = Buffer.from(`data: ${'x'.repeat(1_000)}\n`.repeat(1_024));
  for (let at = 0; at < 20; at++) copy.write(lines);
  expect(room.heldBytes).toBe(0);
  copy.write(Buffer.from(`\n${END}`));
  expect(await copy.end()).toEqual({});
});
