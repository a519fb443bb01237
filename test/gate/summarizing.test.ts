import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { CompressionExecutionError } from '../../src/errors.ts';
import { FileTranscript } from '../../src/gate/file-transcript.ts';
import type { TranscriptSink } from '../../src/gate/options.ts';
import { retryingProvider } from '../../src/providers/failures/retrying-provider.ts';
import { modelProviderOf } from '../../src/providers/index.ts';
import { VENDORS } from '../../src/providers/vendors.ts';
import type { IProvider, Todo } from '../../src/strategies/contract.ts';
import { getCompressionStrategy } from '../../src/strategies/index.ts';
import { getCompressionPrompt } from '../../src/strategies/prompts.ts';
import { createHistory } from '../history/entries.ts';
import { type Answer, cutStream, Loopback, plain, stream } from '../providers/loopback.ts';
import { WIRES } from '../providers/wires.ts';
import { ai, exchange, human } from '../strategies/conversation.ts';
import { FakeSummarizer, snapshot, written } from '../strategies/fake-summarizer.ts';
import { createScene, type Scene } from './fixtures.ts';

const STRATEGIES = ['middle-out', 'one-shot'] as const;
const WORDS = 'lorem ipsum dolor sit amet '.repeat(20);
const ENTRIES: readonly IContent[] = Array.from({ length: 12 }, (_, round) => [
  human(`Do thing ${round}.`),
  ...exchange(`call-${round}`, 'read_file', `src/${round}.ts`, { result: WORDS }),
  ai('Done.'),
]).flat();

function sceneOf(
  strategy: string,
  provider: IProvider,
  more: { limit?: number; activeTodos?: () => readonly Todo[]; transcript?: TranscriptSink } = {},
): Scene {
  return createScene({
    history: createHistory(ENTRIES),
    settings: { 'context-limit': more.limit ?? 1_000_000 },
    createStrategy: () => getCompressionStrategy(strategy),
    summarizer: {
      resolveProvider: () => provider,
      promptResolver: { resolve: async () => getCompressionPrompt() },
      promptBaseDir: '',
      promptContext: {},
    },
    ...(more.activeTodos && { activeTodos: more.activeTodos }),
    ...(more.transcript && { transcript: more.transcript }),
  });
}

/** What must not change when a step fails. */
async function stateOf({ history, transcript }: Scene): Promise<unknown> {
  await history.waitForTokenUpdates();
  return { entries: history.getAll(), tokens: history.getTotalTokens(), written: [...transcript.entries] };
}

const root = mkdtempSync(path.join(tmpdir(), 'density-summarizing-'));
const server = new Loopback();
let origin: string;
beforeAll(async () => {
  origin = await server.start();
});
afterAll(async () => {
  await server.stop();
  rmSync(root, { recursive: true, force: true });
});

/** A vendor's model on this computer, asked on this thread, once more when that may help. */
function providerOf(vendor: string): IProvider {
  const baseUrl = vendor.startsWith('openai') ? `${origin}/v1` : origin;
  const setup = { vendor, model: 'test-model', baseUrl, apiKey: 'loopback', idleMs: 60_000 };
  return retryingProvider(modelProviderOf(setup), { maxRetries: 1, wait: async () => {} });
}

describe.each(STRATEGIES)('the gate with %s', (strategy) => {
  test('compresses, adds the summary as an entry and emits it', async () => {
    const scene = sceneOf(strategy, new FakeSummarizer());
    const before = await stateOf(scene);
    const ended: unknown[] = [];
    scene.history.on('compressionEnded', (summary, count) => ended.push(summary, count));
    const outcome = await scene.gate.performCompression('p');
    expect(outcome).toMatchObject({ kind: 'compressed', metadata: { llmCallMade: true, strategyUsed: strategy } });
    expect(await stateOf(scene)).not.toEqual(before);
    expect(ended[0]).toMatchObject({ metadata: { isSummary: true } });
    expect(scene.transcript.entries.length).toBeGreaterThan(0);
  });

  test('passes todos and names the transcript in the summary (REQ-HD-011.2, REQ-HD-012.2)', async () => {
    const provider = new FakeSummarizer();
    const activeTodos = (): readonly Todo[] => [{ content: 'mend the roof', status: 'pending' }];
    const scene = sceneOf(strategy, provider, { activeTodos });
    await scene.gate.performCompression('p');
    expect(provider.requests[0]!.input).toContain('- [pending] mend the roof');
    const summary = scene.history.getAll().find(({ metadata }) => metadata?.isSummary);
    expect(JSON.stringify(summary)).toContain(scene.transcript.path);
  });

  // How a vendor's answer is read does not depend on the strategy.
  const vendors = VENDORS.map(({ name }) => name);
  test.each(strategy === STRATEGIES[0] ? vendors : vendors.slice(0, 1))(
    '%s that dies at any step leaves history, totals and files as they were (ERR-004, law 9)',
    async (vendor) => {
      const wire = WIRES[vendor]!;
      const whole = wire.events({ texts: ['<state_snapshot>', 'src/ghost.ts', '</state_snapshot>'], ending: 'stop' });
      const deaths: Answer[] = [
        (response) => void response.destroy(),
        (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).destroy(),
        plain(500, 'oops'),
        plain(401, wire.errorBody('no', 'authentication_error')),
        plain(400, wire.errorBody('prompt is too long: 2 tokens > 1 maximum', 'invalid_request_error')),
        // A vendor sends an end after the last words: without it, more words could follow.
        ...whole
          .slice(0, whole.findLastIndex((event) => event.includes('/state_snapshot>')) + 2)
          .flatMap((_, at) => [cutStream(whole.slice(0, at), 'cut'), cutStream(whole.slice(0, at), 'politely')]),
      ];
      for (const death of deaths) {
        server.willAnswer(death);
        const folder = mkdtempSync(path.join(root, 'death-'));
        const transcript = new FileTranscript(path.join(folder, 'session.transcript.jsonl'));
        const scene = sceneOf(strategy, providerOf(vendor), { transcript });
        const before = await stateOf(scene);
        await expect(scene.gate.performCompression('p')).rejects.toBeInstanceOf(CompressionExecutionError);
        expect(await stateOf(scene)).toEqual(before);
        expect(readdirSync(folder)).toEqual([]);
        // Later adds do not wait for a compression that never ended.
        scene.history.add(human('and now?'));
        expect(scene.history.length()).toBe(ENTRIES.length + 1);
      }
    },
  );

  test('a failure at any step of the second question does not fail the compression: the first answer is repaired', async () => {
    const wire = WIRES['anthropic']!;
    const whole = wire.events({ texts: [snapshot('src/ghost.ts is new')], ending: 'stop' });
    for (let at = 0; at < whole.length; at++) {
      server.willAnswer(stream(whole), cutStream(whole.slice(0, at), 'cut'));
      const scene = sceneOf(strategy, providerOf('anthropic'));
      expect(await scene.gate.performCompression('p')).toMatchObject({ kind: 'compressed' });
      expect(JSON.stringify(scene.history.getAll())).toContain('src/ghost.ts is new (unverified)');
    }
  });

  test.each([
    ['EMPTY_SUMMARY', written('')],
    ['TRUNCATED_SUMMARY', written('<state_snapshot>half', true)],
  ])('%s is thrown and changes nothing', async (code, answer) => {
    const scene = sceneOf(strategy, new FakeSummarizer(answer));
    const before = await stateOf(scene);
    await expect(scene.gate.performCompression('p')).rejects.toMatchObject({ code });
    expect(await stateOf(scene)).toEqual(before);
  });

  test('a summary that is not smaller leaves the history unchanged, with the reason (docs/readings.md, row 17)', async () => {
    const scene = sceneOf(strategy, new FakeSummarizer(written(snapshot('blah '.repeat(20_000)))));
    const before = await stateOf(scene);
    expect(await scene.gate.performCompression('p')).toEqual({ kind: 'unchanged', reason: 'not-smaller' });
    expect(await stateOf(scene)).toEqual(before);
  });

  test('steps without a model follow a failed model at the hard limit, and a notice names both (docs/readings.md, row 17)', async () => {
    const provider = new FakeSummarizer({ kind: 'failed', failure: 'refused', message: 'vendor: no credit' });
    const scene = sceneOf(strategy, provider, { limit: 5000 });
    const report = await scene.gate.ensureCompressionBeforeSend('p');
    expect(report.enforcement).toMatchObject({ kind: 'enforced', lastResort: expect.anything() });
    expect(report.notices.join('\n')).toMatch(new RegExp(`${strategy}[\\s\\S]*no credit`));
    expect(scene.history.getTotalTokens()).toBeLessThanOrEqual(4750);
    expect(provider.requests).toHaveLength(1);
  });

  test('a model that fails repeatedly is not asked for a while', async () => {
    const provider = new FakeSummarizer({ kind: 'failed', failure: 'transient', message: 'vendor: busy' });
    const history = createHistory(ENTRIES);
    await history.waitForTokenUpdates();
    const limit = Math.ceil(history.getTotalTokens() / 0.9);
    const scene = sceneOf(strategy, provider, { limit });
    let failures = 0;
    for (let send = 0; send < 10; send++) {
      await scene.gate.ensureCompressionBeforeSend('p').catch(() => failures++);
    }
    expect(failures).toBeLessThan(6);
    expect(provider.requests.length).toBe(failures);
  });
});
