import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { compactMessages } from '../../src/compaction/compact.ts';
import type { CompactOptions, LlmClient, Message } from '../../src/compaction/contract.ts';
import { shouldCompact } from '../../src/compaction/threshold.ts';
import {
  alternates,
  conversation,
  memoryReader,
  memoryWriter,
  readOf,
  recordingLogger,
  type ScriptedClient,
  SYSTEM,
  scriptedClient,
  settled,
  stopClock,
  temporaryFolder,
} from './fixtures.ts';

const WORK = '/nowhere/project';
const FILES = { [`${WORK}/a.ts`]: 'const a = 1;', [`${WORK}/b.ts`]: 'const b = 2;' };

/** Options under which a short conversation is compacted, in memory. */
function inMemory(more: Omit<CompactOptions, 'llmClient' | 'logger'> & { llmClient?: ScriptedClient } = {}) {
  const { llmClient = scriptedClient('The summary.'), ...others } = more;
  return {
    contextTokenLimit: 10,
    fileReader: memoryReader(FILES),
    fileWriter: memoryWriter(),
    workDir: WORK,
    ...others,
    llmClient,
    logger: recordingLogger(),
  };
}

beforeEach(() => {
  for (const name of ['CONTEXT_TOKEN_LIMIT', 'COMPACT_THRESHOLD_RATIO', 'SUMMARY_MODEL', 'ANTHROPIC_API_KEY']) {
    vi.stubEnv(name, '');
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

describe('compactMessages: the result', () => {
  test('everything after the head is replaced by a summary and the restored files (UC-001)', async () => {
    const options = inMemory();
    const messages = conversation('a.ts', 'b.ts');
    const result = await compactMessages(messages, options);
    expect(result.compacted).toBe(true);
    expect(result.messages).toEqual([
      SYSTEM,
      { role: 'user', content: '[Conversation compressed]\n\nThe summary.' },
      { role: 'assistant', content: expect.stringMatching(/^Understood\./) },
      { role: 'user', content: '[Restored after compact] b.ts:\nconst b = 2;' },
      { role: 'assistant', content: 'Noted, file content restored.' },
      { role: 'user', content: '[Restored after compact] a.ts:\nconst a = 1;' },
      { role: 'assistant', content: 'Noted, file content restored.' },
    ]);
    expect(result.messages[0]).toBe(SYSTEM);
    expect(alternates(result.messages)).toBe(true);
  });

  test('the given messages are unchanged (F-006.2)', async () => {
    const messages = conversation('a.ts');
    const before = structuredClone(messages);
    await compactMessages(messages, inMemory());
    expect(messages).toEqual(before);
  });

  test('without a read file there is only the summary (UC-002)', async () => {
    const { messages, stats } = await compactMessages(conversation(), inMemory());
    expect(messages).toHaveLength(3);
    expect(stats).toMatchObject({ restoredFileCount: 0, restoredTokenCount: 0 });
  });

  test('a file that is missing or too large is omitted, the others are restored (UC-003, UC-004)', async () => {
    const fileReader = memoryReader({ ...FILES, [`${WORK}/big.ts`]: 'word '.repeat(9_000) });
    const { messages, stats } = await compactMessages(
      conversation('a.ts', 'gone.ts', 'big.ts'),
      inMemory({ fileReader }),
    );
    expect(stats?.restoredFileCount).toBe(1);
    expect(messages[3]?.content).toContain('a.ts');
  });

  test('seven figures describe the compaction (F-009)', async () => {
    const options = inMemory();
    const messages = conversation('a.ts', 'b.ts');
    const { stats, messages: after } = await compactMessages(messages, options);
    const original = Math.ceil(JSON.stringify(messages).length / 4);
    const compacted = Math.ceil(JSON.stringify(after).length / 4);
    expect(stats).toEqual({
      originalTokenCount: original,
      compactedTokenCount: compacted,
      compactionRatio: compacted / original,
      compactedMessageCount: messages.length - 1,
      retainedMessageCount: 1,
      restoredFileCount: 2,
      restoredTokenCount: expect.any(Number),
    });
    expect(stats?.restoredTokenCount).toBeGreaterThan(0);
  });

  test('no compaction, no figures (F-009, boundary)', async () => {
    const { stats, originalMessagesPath } = await compactMessages(conversation(), inMemory({ contextTokenLimit: 1e6 }));
    expect(stats).toBeNull();
    expect(originalMessagesPath).toBeNull();
  });

  test('no restored file, no restored tokens (F-009, boundary)', async () => {
    const { stats } = await compactMessages(conversation('a.ts'), inMemory({ maxRestoreFiles: 0 }));
    expect(stats).toMatchObject({ restoredFileCount: 0, restoredTokenCount: 0 });
  });

  test('a list that is still over the threshold causes a warning', async () => {
    const options = inMemory();
    await compactMessages(conversation('a.ts'), options);
    expect(options.logger.at('warn').join()).toContain('will be compacted again');
  });
});

describe('compactMessages: when (F-002)', () => {
  const fixed = (tokens: number): LlmClient => ({ ...scriptedClient('S.'), countTokens: () => tokens });

  test.each([
    [183_999, false],
    [184_000, true],
    [184_001, true],
  ])('%i of 200,000 tokens: %s; equality triggers', async (tokens, expected) => {
    const messages = conversation();
    expect(await shouldCompact(messages, fixed(tokens))).toBe(expected);
    const result = await compactMessages(messages, { llmClient: fixed(tokens), fileWriter: memoryWriter() });
    expect(result.compacted).toBe(expected);
  });

  test('equality triggers if the product is not exact', async () => {
    const limits = { contextTokenLimit: 1_000, compactThresholdRatio: 0.07 };
    expect(await shouldCompact(conversation(), fixed(70), limits)).toBe(true);
    expect(await shouldCompact(conversation(), fixed(69), limits)).toBe(false);
  });

  test.each([
    ['is not counted', 'All of it is read.', false],
    ['is counted if the summary failed', null, true],
  ])('what a provider summarised, and does not show its model any more, %s', async (_, content, expected) => {
    const summary = { type: 'compaction', content } as never;
    const messages: Message[] = [
      { role: 'user', content: 'word '.repeat(2_000) },
      { role: 'assistant', content: [summary, { type: 'text', text: 'Go on.' }] },
      { role: 'user', content: 'Now test it.' },
    ];
    const warn = vi.fn();
    const logger = { ...recordingLogger(), warn };
    expect(await shouldCompact(messages, undefined, { contextTokenLimit: 1_000, logger })).toBe(expected);
    expect(warn).not.toHaveBeenCalled();
  });

  test.each([[{ contextTokenLimit: 10 }], [null], ['client'], [() => 1]])(
    '`shouldCompact` refuses %o, which is no client (docs/readings.md, row 44)',
    async (client) => {
      await expect(shouldCompact(conversation(), client as never)).rejects.toMatchObject({
        code: 'SETTING_INVALID',
        message: expect.stringContaining('Options are the third argument.'),
      });
    },
  );

  test('below the threshold it costs one count and returns the same array (4.3)', async () => {
    const options = inMemory({ contextTokenLimit: 1e6 });
    const messages = conversation('a.ts');
    const result = await compactMessages(messages, options);
    expect(result.messages).toBe(messages);
    expect(options.llmClient).toMatchObject({ counts: 1, prompts: [] });
  });

  test('below the threshold neither options nor a key are needed (4.3)', async () => {
    const messages = conversation('a.ts');
    expect((await compactMessages(messages)).messages).toBe(messages);
    expect(await shouldCompact(messages)).toBe(false);
  });

  test('an empty list is never compacted (F-002, F-003, boundary)', async () => {
    const messages: Message[] = [];
    expect((await compactMessages(messages, inMemory())).messages).toBe(messages);
    expect(await shouldCompact([], fixed(1e9))).toBe(false);
  });

  test('system messages alone are never compacted (F-003, scenario: system messages only; F-004, boundary)', async () => {
    const options = inMemory();
    const messages = [SYSTEM, SYSTEM];
    const result = await compactMessages(messages, options);
    expect(result).toMatchObject({ compacted: false, stats: null });
    expect(result.messages).toBe(messages);
    expect(options.llmClient.prompts).toEqual([]);
  });

  test('`shouldCompact` calls no model and writes nothing', async () => {
    const client = scriptedClient('S.');
    expect(await shouldCompact(conversation(), client, { contextTokenLimit: 10 })).toBe(true);
    expect(client.prompts).toEqual([]);
  });

  test('a client that cannot count causes a warning, and the messages are counted here', async () => {
    const logger = recordingLogger();
    const client = { ...scriptedClient('S.'), countTokens: () => Promise.reject(new Error('503')) };
    expect(await shouldCompact(conversation(), client, { contextTokenLimit: 10, logger })).toBe(true);
    const odd = { ...scriptedClient('S.'), countTokens: () => Number.NaN };
    expect(await shouldCompact(conversation(), odd, { contextTokenLimit: 1e6, logger })).toBe(false);
    expect(logger.at('warn')).toHaveLength(2);
  });

  test('a value that is not a list of messages is rejected', async () => {
    const wrong: Record<string, unknown> = { messages: 'hello' };
    await expect(compactMessages(wrong['messages'] as Message[])).rejects.toMatchObject({ code: 'HISTORY_INVALID' });
    await expect(shouldCompact([SYSTEM, null] as Message[])).rejects.toThrow('got null at index 1');
  });
});

describe('compactMessages: the model (F-004, F-008)', () => {
  test('it gets the rest, not the head, and is the model of the settings (F-004, 3.2)', async () => {
    const options = inMemory({ summaryModel: 'claude-sonnet-4-5' });
    await compactMessages(conversation('a.ts'), options);
    expect(options.llmClient.models).toEqual(['claude-sonnet-4-5']);
    expect(options.llmClient.prompts[0]).toContain('Please mend the failing test');
    expect(options.llmClient.prompts[0]).not.toContain('careful coding agent');
  });

  test('`summaryMaxWords` is in the prompt (F-004.4)', async () => {
    const options = inMemory({ summaryMaxWords: 321 });
    await compactMessages(conversation(), options);
    expect(options.llmClient.prompts[0]).toContain('at most 321 words');
  });

  test.each<[string, (string | Error)[], number]>([
    ['an error', [new Error('rate limited'), 'At last.'], 2],
    ['an empty answer', ['', 'At last.'], 2],
    ['a blank answer', [' \n', new Error('529'), 'At last.'], 3],
  ])('%s is retried (F-004, F-008)', async (_, answers, attempts) => {
    stopClock();
    const options = inMemory({ llmClient: scriptedClient(...answers) });
    const compacting = compactMessages(conversation(), options);
    const result = await settled(compacting);
    expect(result.messages[1]?.content).toBe('[Conversation compressed]\n\nAt last.');
    expect(options.llmClient).toMatchObject({ prompts: { length: attempts } });
    expect(options.logger.at('warn').filter((line) => line.startsWith('The summary failed'))).toHaveLength(
      attempts - 1,
    );
  });

  test('when every attempt fails the messages are returned unchanged (F-008, UC-006)', async () => {
    stopClock();
    const options = inMemory({ llmClient: scriptedClient(new Error('down')) });
    const messages = conversation('a.ts');
    const compacting = compactMessages(messages, options);
    const result = await settled(compacting);
    expect(result).toEqual({ messages, compacted: false, stats: null, originalMessagesPath: null });
    expect(result.messages).toBe(messages);
    expect(options.llmClient).toMatchObject({ prompts: { length: 3 } });
    expect(options.logger.at('error')).toEqual(['No summary after 3 attempts: down']);
  });

  test('`maxRetries` 0 means one attempt (F-008)', async () => {
    const options = inMemory({ llmClient: scriptedClient(new Error('down')), maxRetries: 0 });
    expect((await compactMessages(conversation(), options)).compacted).toBe(false);
    expect(options.llmClient).toMatchObject({ prompts: { length: 1 } });
  });

  test('an error that is not retryable is not retried', async () => {
    const refused = Object.assign(new Error('invalid key'), { isRetryable: false });
    const options = inMemory({ llmClient: scriptedClient(refused) });
    expect((await compactMessages(conversation(), options)).compacted).toBe(false);
    expect(options.llmClient).toMatchObject({ prompts: { length: 1 } });
  });

  test('a model that rejects the prompt as too long gets a shorter one', async () => {
    stopClock();
    const tooLong = new Error('prompt is too long: 210000 tokens > 200000 maximum');
    const options = inMemory({ llmClient: scriptedClient(tooLong, 'Short.') });
    const messages = [SYSTEM, ...readOf('a.ts', 'some output '.repeat(5_000)), ...conversation('b.ts').slice(1)];
    const compacting = compactMessages(messages, options);
    expect((await settled(compacting)).compacted).toBe(true);
    const [first = '', second = ''] = options.llmClient.prompts;
    expect(second.length).toBeLessThan(first.length);
    expect(second).toContain('Good, go on.');
  });

  test('without a client and without a key there is one clear error, and nothing is written (4.2, 4.3)', async () => {
    const outputDir = await temporaryFolder();
    await expect(compactMessages(conversation(), { contextTokenLimit: 10, outputDir })).rejects.toMatchObject({
      code: 'PROVIDER_NOT_CONFIGURED',
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
    expect(await readdir(outputDir)).toEqual([]);
  });
});

describe('compactMessages: original messages (F-007)', () => {
  test('the rest is written to a file before the model is called, and its path is returned', async () => {
    const outputDir = await temporaryFolder();
    let filesAtCall: string[] = [];
    const client = scriptedClient('S.');
    const llmClient: LlmClient = {
      countTokens: client.countTokens,
      async summarize() {
        filesAtCall = await readdir(path.join(outputDir, 'one'));
        return 'S.';
      },
    };
    const messages = conversation('a.ts');
    const { originalMessagesPath } = await compactMessages(messages, {
      contextTokenLimit: 10,
      llmClient,
      outputDir,
      sessionId: 'one',
    });
    expect(path.dirname(originalMessagesPath ?? '')).toBe(path.join(outputDir, 'one'));
    expect(filesAtCall).toEqual([path.basename(originalMessagesPath ?? '')]);
    expect(JSON.parse(await readFile(originalMessagesPath ?? '', 'utf8'))).toEqual(messages.slice(1));
  });

  test('a failed write is logged and does not stop it (F-007, scenario: write fails)', async () => {
    const fileWriter = { write: () => Promise.reject(new Error('disk full')) };
    const options = inMemory({ fileWriter });
    const result = await compactMessages(conversation(), options);
    expect(result).toMatchObject({ compacted: true, originalMessagesPath: null });
    expect(options.logger.at('error')).toHaveLength(1);
  });

  test('a failed compaction leaves the disk unchanged', async () => {
    const outputDir = await temporaryFolder();
    const llmClient = scriptedClient(new Error('down'));
    await compactMessages(conversation(), { contextTokenLimit: 10, llmClient, outputDir, maxRetries: 0 });
    expect(await readdir(outputDir)).toEqual([]);
  });

  test('twenty concurrent compactions of one session write twenty files', async () => {
    const outputDir = await temporaryFolder();
    const run = () =>
      compactMessages(conversation(), { contextTokenLimit: 10, llmClient: scriptedClient(), outputDir });
    const results = await Promise.all(Array.from({ length: 20 }, run));
    expect(new Set(results.map((result) => result.originalMessagesPath)).size).toBe(20);
    expect(await readdir(path.join(outputDir, 'default'))).toHaveLength(20);
  });
});

describe('compactMessages: several in a row (UC-005)', () => {
  test('the earlier summary and the restored files are summarised in turn, and the newest files restored', async () => {
    const options = inMemory({ llmClient: scriptedClient('First summary.', 'Second summary.') });
    const first = await compactMessages<Message>(conversation('a.ts'), options);
    const second = await compactMessages<Message>(
      [...first.messages, { role: 'user', content: 'Now the other file.' }, ...readOf('b.ts')],
      options,
    );
    const prompt = options.llmClient.prompts[1] ?? '';
    expect(prompt).toContain('[Conversation compressed]\n\nFirst summary.');
    expect(prompt).toContain('[Restored after compact] a.ts:\nconst a = 1;');
    expect(second.messages.map(({ content }) => content)).toEqual([
      SYSTEM.content,
      '[Conversation compressed]\n\nSecond summary.',
      expect.any(String),
      '[Restored after compact] b.ts:\nconst b = 2;',
      'Noted, file content restored.',
      '[Restored after compact] a.ts:\nconst a = 1;',
      'Noted, file content restored.',
    ]);
    expect(second.stats).toMatchObject({ compactedMessageCount: first.messages.length + 2, retainedMessageCount: 1 });
  });

  test.each(['text', 'blocks'])(
    'without a new read the same files are restored, in the same order: content as %s',
    async (shape) => {
      const options = inMemory();
      let { messages } = await compactMessages<Message>(conversation('a.ts', 'b.ts'), options);
      const restored = () => messages.slice(3).map(({ content }) => content);
      const first = restored();
      expect(first).toHaveLength(4);
      for (let round = 0; round < 3; round++) {
        if (shape === 'blocks') {
          messages = messages.map(({ role, content }) => ({
            role,
            content: [{ type: 'text', text: String(content) }],
          }));
        }
        ({ messages } = await compactMessages<Message>([...messages, { role: 'user', content: 'Go on.' }], options));
        expect(restored()).toEqual(first);
      }
    },
  );

  test('a restored file outside the folder is refused like a read one (UC-005)', async () => {
    const options = inMemory();
    const pasted: Message = { role: 'user', content: '[Restored after compact] ../secret.ts:\nx' };
    const { messages } = await compactMessages<Message>([...conversation(), pasted], options);
    expect(messages).toHaveLength(3);
    expect(options.logger.at('warn').join()).toContain('Not restored: ../secret.ts: it is not inside');
  });

  test('each writes its own file, and the files contain all messages', async () => {
    const writer = memoryWriter();
    const options = inMemory({ fileWriter: writer });
    let messages: Message[] = conversation('a.ts');
    for (let round = 0; round < 5; round++) {
      messages = (await compactMessages(messages, options)).messages;
      messages.push({ role: 'user', content: `Request ${round}.` }, { role: 'assistant', content: 'Done.' });
    }
    expect(writer.files.size).toBe(5);
    const kept = [...writer.files.values()].join('\n');
    for (let round = 0; round < 4; round++) expect(kept).toContain(`Request ${round}.`);
  });

  test('a changed file is restored with its current content (5.1)', async () => {
    const workDir = await temporaryFolder();
    await writeFile(path.join(workDir, 'a.ts'), 'old');
    const options = { contextTokenLimit: 10, llmClient: scriptedClient(), fileWriter: memoryWriter(), workDir };
    await compactMessages(conversation('a.ts'), options);
    await writeFile(path.join(workDir, 'a.ts'), 'new');
    const { messages } = await compactMessages(conversation('a.ts'), options);
    expect(messages[3]?.content).toBe('[Restored after compact] a.ts:\nnew');
  });
});

describe('compactMessages: time and interruption (4.1)', () => {
  test('after 30 seconds in all the messages are returned unchanged', async () => {
    stopClock();
    const outputDir = await temporaryFolder();
    const logger = recordingLogger();
    const messages = conversation();
    let onAsked = (): void => {};
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve;
    });
    const llmClient: LlmClient = {
      ...scriptedClient(),
      summarize() {
        onAsked();
        return new Promise(() => {});
      },
    };
    const options = { contextTokenLimit: 10, llmClient, outputDir, logger };
    const compacting = compactMessages(messages, options);
    await asked;
    await vi.advanceTimersByTimeAsync(29_999);
    expect(logger.lines).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    const result = await compacting;
    expect(result.messages).toBe(messages);
    expect(result.compacted).toBe(false);
    expect(logger.at('error')).toEqual(['The messages were not compacted within 30 s.']);
    expect(await readdir(outputDir)).toEqual([]);
  });

  test('a call that takes too long is a failure, and its signal is aborted', async () => {
    stopClock();
    const signals: AbortSignal[] = [];
    const llmClient: ScriptedClient = {
      ...scriptedClient(),
      summarize: (_prompt, _model, { signal }) => {
        signals.push(signal);
        return signals.length === 1 ? new Promise(() => {}) : Promise.resolve('At last.');
      },
    };
    const options = inMemory({ llmClient, callDeadlineMs: 1_000 });
    const compacting = compactMessages(conversation(), options);
    expect((await settled(compacting)).compacted).toBe(true);
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
    expect(options.logger.at('warn')[0]).toContain('did not answer within 1 s');
  });

  test('an aborted signal rejects with its reason, at once, and removes what was written', async () => {
    const outputDir = await temporaryFolder();
    const controller = new AbortController();
    const llmClient: LlmClient = {
      ...scriptedClient(),
      summarize: () => {
        controller.abort(new Error('Ctrl-C'));
        return new Promise(() => {});
      },
    };
    const options = { contextTokenLimit: 10, llmClient, outputDir, signal: controller.signal };
    await expect(compactMessages(conversation(), options)).rejects.toThrow('Ctrl-C');
    expect(await readdir(outputDir)).toEqual([]);
  });

  test('a signal that is aborted already costs nothing', async () => {
    const options = inMemory({ signal: AbortSignal.abort(new Error('Ctrl-C')) });
    await expect(compactMessages(conversation(), options)).rejects.toThrow('Ctrl-C');
    expect(options.llmClient).toMatchObject({ counts: 0 });
  });

  test('no state is kept between calls: after a failure the next one is like the first (F-008)', async () => {
    const options = inMemory({ llmClient: scriptedClient(new Error('down'), 'Up again.'), maxRetries: 0 });
    const messages = conversation();
    expect((await compactMessages(messages, options)).compacted).toBe(false);
    expect((await compactMessages(messages, options)).compacted).toBe(true);
  });
});
