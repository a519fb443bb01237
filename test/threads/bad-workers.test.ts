import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ComparedFile, ComparisonQuestion } from '../../src/lab/compared-file.ts';
import type { FileOutcome } from '../../src/lab/files/file-answers.ts';
import { FileThreads } from '../../src/lab/files/file-threads.ts';
import { NO_PRUNING } from '../../src/lab/policy.ts';
import { ClientThread } from '../../src/providers/offloaded/client-thread.ts';
import { SessionThread } from '../../src/sessions/threads/session-thread.ts';
import { claudeCodeSample } from '../formats/claude-code-fixture.ts';
import { Loopback, stream } from '../providers/loopback.ts';
import { WIRES } from '../providers/wires.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'density-bad-threads-'));
const session = path.join(folder, 'session.jsonl');
const misdeeds = path.join(folder, 'misdeeds');
const server = new Loopback();
let origin: string;
beforeAll(async () => {
  writeFileSync(session, claudeCodeSample.texts[0] ?? '');
  vi.stubEnv('MISDEEDS_FILE', misdeeds);
  origin = await server.start();
});
beforeEach(() => server.willAnswer(stream(WIRES['anthropic']!.events({ texts: ['It was said.'], ending: 'stop' }))));
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What a use of threads answers: `served`, or why not. */
interface Use {
  readonly ask: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const reasonOf = (error: unknown): unknown => (error as { reason?: unknown }).reason;

const USES: Readonly<Record<string, (worker: URL) => Use>> = {
  session: (worker) => {
    const thread = new SessionThread(worker);
    return {
      ask: () =>
        thread.open(session).then(
          ({ session: { events } }) => events.length > 0 && 'served',
          (error) => reasonOf(error),
        ),
      close: () => thread.close(),
    };
  },
  compare: (worker) => {
    const threads = new FileThreads<ComparisonQuestion, ComparedFile>(1, worker);
    const ask = async (): Promise<unknown> => {
      const outcomes: FileOutcome<ComparedFile>[] = [];
      await threads.ask([{ path: session, policies: [NO_PRUNING] }], (outcome) => void outcomes.push(outcome));
      const [outcome] = outcomes;
      return 'result' in outcome! ? 'served' : reasonOf(outcome!.error);
    };
    return { ask, close: () => threads.close() };
  },
  client: (worker) => {
    const thread = new ClientThread(worker);
    const setup = { vendor: 'anthropic', model: 'test-model', baseUrl: origin, apiKey: 'key', idleMs: 60_000 };
    const request = { instructions: 'Be brief.', input: 'What was said?', maxOutputTokens: 200 };
    return {
      ask: async () => ((await thread.summarize(setup, request))?.kind === 'summary' ? 'served' : undefined),
      close: () => thread.close(),
    };
  },
};

const CASES = [
  ['throws', 'crashed'],
  ['rejects', 'crashed'],
  ['throws-later', 'crashed'],
  ['exits', 'crashed'],
  ['unclonable-reply', 'crashed'],
  ['garbage', 'garbage'],
  ['fails-to-load', 'failed-to-load'],
  ['syntax-error', 'failed-to-load'],
] as const;

/** One host serves all uses: the one whose worker is smallest meets every misdeed, the others one for each reason. */
const casesOf = (use: string): readonly (typeof CASES)[number][] =>
  use === 'client' ? CASES : CASES.filter(([worker]) => ['exits', 'garbage', 'fails-to-load'].includes(worker));

describe.each(Object.keys(USES))('%s', (name) => {
  const use = (worker: string): Use => {
    vi.stubEnv('REAL_WORKER', name);
    return USES[name]!(new URL(`../fixtures/bad-workers/${worker}.mjs`, import.meta.url));
  };

  test.each(casesOf(name))(
    'a worker that %s once: the request is lost as %s, and a fresh thread serves the next one',
    async (worker, reason) => {
      writeFileSync(misdeeds, '1');
      const { ask, close } = use(worker);
      expect(await ask()).toBe(name === 'client' ? undefined : reason);
      expect(readFileSync(misdeeds, 'utf8')).toBe('0');
      expect(await ask()).toBe('served');
      await close();
    },
  );

  test.each(['hangs', 'never-answers'])('a worker that %s: closing ends the wait and the thread', async (worker) => {
    writeFileSync(misdeeds, '1');
    const { ask, close } = use(worker);
    const asked = ask();
    await expect.poll(() => readFileSync(misdeeds, 'utf8')).toBe('0');
    await close();
    expect(await asked).toBe(name === 'client' ? undefined : 'closed');
  });
});
