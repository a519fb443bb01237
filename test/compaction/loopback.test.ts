import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { compactMessages } from '../../src/compaction/compact.ts';
import type { Message } from '../../src/compaction/contract.ts';
import { messagesOf } from '../../src/compaction/session-messages.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { detectFormat } from '../../src/formats/index.ts';
import { linesOf } from '../../src/formats/lines/lines.ts';
import { type Answer, Loopback, plain, silentStream, stream } from '../providers/loopback.ts';
import { WIRES } from '../providers/wires.ts';
import { haveRealSessions, realSessions } from '../real-sessions.ts';
import {
  alternates,
  conversation,
  memoryReader,
  memoryWriter,
  recordingLogger,
  settled,
  stopClock,
  temporaryFolder,
} from './fixtures.ts';

const KEY = 'sk-ant-loopback-0123456789';
const wire = WIRES['anthropic']!;
const loopback = new Loopback();
const says = (...texts: string[]): Answer => stream(wire.events({ texts, ending: 'stop' }));
let url = '';

beforeAll(async () => {
  url = await loopback.start();
});
afterAll(() => loopback.stop());
beforeEach(() => {
  vi.stubEnv('ANTHROPIC_API_KEY', KEY);
  vi.stubEnv('ANTHROPIC_BASE_URL', url);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const SMALL = { contextTokenLimit: 10 };

describe('compactMessages with nothing but a key in the environment (4.3)', () => {
  test('asks the Messages API for the summary, with the default model, the prompt and a limit (3.2)', async () => {
    loopback.willAnswer(says('It went ', 'well.'));
    const fileWriter = memoryWriter();
    const result = await compactMessages(conversation(), { ...SMALL, fileWriter });
    expect(result.messages[1]?.content).toBe('[Conversation compressed]\n\nIt went well.');
    expect(loopback.requests).toHaveLength(1);
    const [{ path: asked, headers, body } = { path: '', headers: {}, body: {} }] = loopback.requests;
    expect(asked).toMatch(wire.path);
    expect(headers['x-api-key']).toBe(KEY);
    expect(body).toMatchObject({ model: 'claude-haiku-4-5-20251001' });
    const { instructions, input, maxOutputTokens } = wire.readRequest(body);
    expect(instructions).toContain('never an instruction');
    expect(input).toContain('Please mend the failing test');
    expect(maxOutputTokens).toBe(3_600);
    // No file contains the key (4.2).
    expect([...fileWriter.files.values()].join()).not.toContain(KEY);
  });

  test('an overloaded server gets the request again, and the key is in no log (F-008, 4.2)', async () => {
    const logger = recordingLogger();
    const busy = plain(529, wire.errorBody(`Overloaded, key ${KEY}`, 'overloaded_error'));
    loopback.willAnswer(busy, stream([wire.busyEvent]), says('Third time.'));
    stopClock();
    const result = await settled(
      compactMessages(conversation(), {
        ...SMALL,
        fileWriter: memoryWriter(),
        logger,
        deadlineMs: 2 ** 31 - 1,
        callDeadlineMs: 2 ** 31 - 1,
      }),
    );
    expect(result.compacted).toBe(true);
    expect(logger.at('warn').filter((line) => line.startsWith('The summary failed'))).toHaveLength(2);
    expect(logger.lines.map(({ message }) => message).join()).not.toContain(KEY);
  });

  test('a key that is refused is not retried, and the messages are returned unchanged (F-008, UC-006)', async () => {
    loopback.willAnswer(plain(401, wire.errorBody('invalid x-api-key', 'authentication_error')));
    const logger = recordingLogger();
    const messages = conversation();
    const outputDir = await temporaryFolder();
    const result = await compactMessages(messages, { ...SMALL, outputDir, logger });
    expect(result.messages).toBe(messages);
    expect(loopback.requests).toHaveLength(1);
    expect(logger.at('error').join()).toContain('invalid x-api-key');
    // Row 44 of docs/readings.md: a failed compaction leaves no empty folder.
    expect(await readdir(outputDir)).toEqual([]);
  });

  test('a prompt that is too long is shortened and sent again', async () => {
    const tooLong = plain(
      400,
      wire.errorBody('prompt is too long: 210000 tokens > 200000 maximum', 'invalid_request_error'),
    );
    loopback.willAnswer(tooLong, says('Shorter.'));
    const messages: Message[] = [
      ...conversation(),
      { role: 'assistant', content: 'x '.repeat(20_000) },
      { role: 'user', content: 'And now?' },
    ];
    const result = await compactMessages(messages, { ...SMALL, fileWriter: memoryWriter() });
    expect(result.compacted).toBe(true);
    const [first, second] = loopback.requests.map(({ body }) => String(wire.readRequest(body).input));
    expect(second?.length).toBeLessThan(first?.length ?? 0);
    expect(second).toContain('And now?');
  });

  test('an answer without text is a failure (F-004, scenario: empty answer)', async () => {
    loopback.willAnswer(says(''));
    const result = await compactMessages(conversation(), { ...SMALL, fileWriter: memoryWriter(), maxRetries: 0 });
    expect(result.compacted).toBe(false);
  });

  test('aborting hangs up at once', async () => {
    const controller = new AbortController();
    loopback.willAnswer((response, closed) => {
      void silentStream(wire.events({ texts: ['It'], ending: 'stop' }).slice(0, 3))(response, closed);
      controller.abort(new Error('Ctrl-C'));
    });
    await expect(
      compactMessages(conversation(), { ...SMALL, fileWriter: memoryWriter(), signal: controller.signal }),
    ).rejects.toThrow('Ctrl-C');
    await loopback.clientLeft;
  });
});

/** The messages of a recorded session, as the format of Anthropic's API writes them. */
function recorded(file: string): { messages: Message[]; workDir: string } {
  const bytes = readFileSync(file);
  const session = detectFormat(new TextDecoder().decode(bytes.subarray(0, 256 * 1024))).read(linesOf(() => [bytes]));
  return {
    messages: messagesOf(liveHistory(session), session.systemText),
    workDir: session.workspaceRoot ?? '/nowhere',
  };
}

const ROUNDS = 10;
const FILES = realSessions('claude-code', 'codex', 'anthropic-messages', 'openai-chat').filter((file) =>
  /\.jsonl?$/.test(file),
);
const readTools = { Read: 'file_path', read_file: ['path', 'absolute_path'], str_replace_editor: 'path' };

describe.skipIf(!haveRealSessions)('ten compactions in a row of recorded sessions (UC-005, F-006.3)', () => {
  test.each(FILES.map((file) => [path.basename(file), file]))('%s', async (_, file) => {
    loopback.willAnswer(says('Goals, files, calls, status and errors of the session so far.'));
    const { messages: all, workDir } = recorded(file);
    const head = all.filter(({ role }) => role === 'system');
    const rest = all.slice(head.length);
    const fileWriter = memoryWriter();
    const anyFile = memoryReader({});
    const fileReader = { ...anyFile, exists: async () => true, read: async (name: string) => `content of ${name}\n` };
    const options = { ...SMALL, fileWriter, fileReader, workDir, readTools };
    const chunk = Math.ceil(rest.length / ROUNDS);
    let messages: Message[] = head;
    for (let round = 0; round < ROUNDS; round++) {
      const next = rest.slice(round * chunk, (round + 1) * chunk);
      // An agent that is in the middle of its tools continues like this (docs/library.md).
      if (next[0]?.role !== 'user') messages = [...messages, { role: 'user', content: 'Continue.' }];
      const { messages: after, compacted, stats } = await compactMessages<Message>([...messages, ...next], options);
      expect(compacted).toBe(true);
      expect(alternates(after)).toBe(true);
      expect(after.slice(0, head.length)).toEqual(head);
      expect(after).toHaveLength(head.length + 2 + 2 * (stats?.restoredFileCount ?? 0));
      expect(after.every(({ content }) => content !== '')).toBe(true);
      messages = after;
    }
    expect(loopback.requests).toHaveLength(ROUNDS);
    expect(fileWriter.files.size).toBe(ROUNDS);
    // The files contain every message of the recording, unchanged.
    const kept = [...fileWriter.files.values()].flatMap((text) => JSON.parse(text) as Message[]);
    const said = new Set(kept.map((message) => JSON.stringify(message)));
    expect(rest.filter((message) => !said.has(JSON.stringify(message)))).toEqual([]);
  });
});
