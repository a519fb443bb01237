import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CompressionStrategyError } from '../../src/errors.ts';
import { FileWorker } from '../../src/fleet/batch/file-worker.ts';
import { FleetFiles } from '../../src/fleet/batch/fleet-files.ts';
import { openRedis } from '../../src/fleet/redis.ts';
import type { FileAnswers, FileOutcome, FileQuestion } from '../../src/lab/files/file-answers.ts';
import { haveRedis, RedisServer } from './redis-server.ts';

type Answer = { readonly path: string; readonly asked: object };
type Question = FileQuestion & { readonly policies?: string };

const folder = mkdtempSync(path.join(tmpdir(), 'density-batch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const file = path.join(folder, `${prefix}-${index}.jsonl`);
    writeFileSync(file, `${prefix} ${index}`);
    return file;
  });
}

/** Answers as threads do, and says how often each file was read. */
class Counted implements FileAnswers<FileQuestion, unknown> {
  readonly reads = new Map<string, number>();
  readonly #answer: (question: FileQuestion) => unknown;
  #isClosed = false;

  constructor(answer: (question: FileQuestion) => unknown = (question) => ({ path: question.path, asked: question })) {
    this.#answer = answer;
  }

  async ask(
    questions: readonly FileQuestion[],
    onDone: (outcome: FileOutcome<unknown>) => void | Promise<void>,
  ): Promise<void> {
    for (const question of questions) {
      const { path: file } = question;
      if (this.#isClosed) await onDone({ path: file, error: new Error('closed') });
      else {
        this.reads.set(file, (this.reads.get(file) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 2));
        try {
          await onDone({ path: file, result: this.#answer(question) });
        } catch (error) {
          await onDone({ path: file, error });
        }
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }
}

describe.skipIf(!haveRedis)('questions about files on workers', () => {
  const server = new RedisServer();
  beforeAll(() => server.start());
  afterAll(() => server.remove());

  const worker = (answers: Counted): Promise<FileWorker> =>
    FileWorker.start({
      url: server.url,
      kinds: ['compare'],
      answers: () => answers,
      onShard: () => {},
      onError: () => {},
    });

  async function asked(questions: readonly Question[]): Promise<Map<string, FileOutcome<Answer>>> {
    const files = await FleetFiles.open<Question, Answer>({ url: server.url, kind: 'compare', onNobody: () => {} });
    const outcomes = new Map<string, FileOutcome<Answer>>();
    await files.ask(questions, (outcome) => {
      expect(outcomes.has(outcome.path)).toBe(false);
      outcomes.set(outcome.path, outcome);
    });
    await files.close();
    return outcomes;
  }

  test('are each answered once, by two workers, and never again', async () => {
    const files = written('plain', 250);
    const answers = [new Counted(), new Counted()];
    const workers = await Promise.all(answers.map(worker));
    const outcomes = await asked(files.map((file) => ({ path: file, policies: 'p' })));
    expect([...outcomes.values()].filter((outcome) => 'result' in outcome)).toHaveLength(250);
    expect(outcomes.get(files[7]!)).toEqual({
      path: files[7],
      result: { path: files[7], asked: { path: files[7], policies: 'p' } },
    });
    const reads = (): number => answers.reduce((total, { reads: own }) => total + own.size, 0);
    expect(reads()).toBe(250);
    await asked(files.map((file) => ({ path: file, policies: 'p' })));
    expect(reads()).toBe(250);
    // Another question, or other bytes, is another result.
    const mixed = await asked(
      files.slice(0, 6).map((file, index) => ({ path: file, policies: index < 3 ? 'q' : 'p' })),
    );
    expect(mixed.get(files[2]!)).toMatchObject({ result: { asked: { policies: 'q' } } });
    expect(mixed.get(files[3]!)).toMatchObject({ result: { asked: { policies: 'p' } } });
    writeFileSync(files[0]!, 'changed');
    await asked(files.slice(0, 3).map((file) => ({ path: file, policies: 'p' })));
    const all = answers.map(({ reads: own }) => [...own.values()].reduce((sum, count) => sum + count, 0));
    expect(all[0]! + all[1]!).toBe(250 + 3 + 1);
    await Promise.all(workers.map((one) => one.close()));
  });

  test('are answered again where their result on the server is damaged', async () => {
    const files = written('damaged', 4);
    const answers = new Counted();
    const running = await worker(answers);
    const questions = files.map((file) => ({ path: file }));
    const whole = await asked(questions);
    const redis = await openRedis(server.url);
    const keys = await redis.keys('density:result:*');
    const damages = [Buffer.from('no deflate'), deflateRawSync('no JSON'), deflateRawSync('{"path":7}')];
    const own = [];
    for (const key of keys) if (inflateRawSync((await redis.getBuffer(key))!).includes('damaged-')) own.push(key);
    for (const [at, damage] of damages.entries()) await redis.set(own[at]!, damage);
    redis.disconnect();
    expect(await asked(questions)).toEqual(whole);
    expect([...answers.reads.values()].sort()).toEqual([1, 2, 2, 2]);
    await running.close();
  });

  test('give equal files one result, each with its own path', async () => {
    const [one, other] = written('twins', 2) as [string, string];
    writeFileSync(one, 'twin');
    writeFileSync(other, 'twin');
    const answers = new Counted();
    const running = await worker(answers);
    const outcomes = await asked([{ path: one }, { path: other }]);
    expect([outcomes.get(one), outcomes.get(other)]).toMatchObject([
      { result: { path: one } },
      { result: { path: other } },
    ]);
    expect(answers.reads.size).toBe(1);
    await running.close();
  });

  test('fail as here: a file without a session at once, a lost thread after three attempts', async () => {
    const [foreign, poison, good] = written('bad', 3) as [string, string, string];
    const answers = new Counted(({ path: file }) => {
      if (file === foreign) throw new CompressionStrategyError('Expected a known format.', 'SESSION_FORMAT_UNKNOWN');
      if (file === poison) throw new Error('the thread crashed');
      return { path: file };
    });
    const running = await worker(answers);
    const missing = path.join(folder, 'missing.jsonl');
    const outcomes = await asked([foreign, poison, good, missing].map((file) => ({ path: file })));
    expect(outcomes.get(good)).toMatchObject({ result: { path: good } });
    expect(outcomes.get(foreign)).toMatchObject({ error: { code: 'SESSION_FORMAT_UNKNOWN' } });
    expect(outcomes.get(missing)).toMatchObject({ error: { code: 'SESSION_UNREADABLE' } });
    expect(outcomes.get(poison)).toMatchObject({ error: { message: expect.stringContaining('the thread crashed') } });
    expect([answers.reads.get(foreign), answers.reads.get(poison)]).toEqual([1, 3]);
    await running.close();
  });

  test('survive a worker that ends in the middle and a server that is killed and comes back', async () => {
    const files = written('long', 400);
    const first = new Counted();
    const leaving = await worker(first);
    const all = asked(files.map((file) => ({ path: file })));
    await expect.poll(() => first.reads.size).toBeGreaterThan(50);
    await leaving.close();
    await server.kill();
    await server.start();
    const second = new Counted();
    const running = await worker(second);
    const outcomes = await all;
    expect([...outcomes.values()].filter((outcome) => 'result' in outcome)).toHaveLength(400);
    const twice = files.filter((file) => (first.reads.get(file) ?? 0) + (second.reads.get(file) ?? 0) > 1);
    // At most the file that was read when the worker left, and the one whose result was on its way to the server.
    expect(twice.length).toBeLessThanOrEqual(2);
    await running.close();
  });

  test('wait, and say so once, while nobody works', async () => {
    let said = 0;
    const files = await FleetFiles.open({ url: server.url, kind: 'compare', onNobody: () => said++ });
    const done: string[] = [];
    const all = files.ask([{ path: written('alone', 1)[0]! }], ({ path: file }) => void done.push(file));
    await expect.poll(() => said).toBe(1);
    expect(done).toEqual([]);
    const running = await worker(new Counted());
    await all;
    expect([said, done.length]).toEqual([1, 1]);
    await files.close();
    await running.close();
  });
});

describe('a Redis server', () => {
  const refusal = (url: string): Promise<string> => openRedis(url).then(String, (error: Error) => error.message);

  test('that nobody named, or that cannot be reached, is refused without its password', async () => {
    expect(await refusal('http://127.0.0.1:6379')).toContain('Expected --redis as redis://');
    const message = await refusal('redis://me:secret@127.0.0.1:1/2');
    expect(message).toContain('127.0.0.1:1/2');
    expect(message).not.toContain('secret');
  });

  test.skipIf(!haveRedis)('that may lose keys is refused, with the command that mends it', async () => {
    for (const [options, mend] of [
      [['--appendonly', 'yes', '--maxmemory-policy', 'allkeys-lru'], 'config set maxmemory-policy noeviction'],
      [['--maxmemory-policy', 'noeviction'], 'config set appendonly yes'],
    ] as const) {
      const unsafe = new RedisServer(options);
      await unsafe.start();
      expect(await refusal(unsafe.url)).toContain(mend);
      await unsafe.remove();
    }
  });
});
