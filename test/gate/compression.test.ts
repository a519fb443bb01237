import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { CompressionExecutionError } from '../../src/errors.ts';
import { ai, answer, call, createHistory, human, tokensOf } from '../history/entries.ts';
import { createScene, density, type Scene } from './fixtures.ts';

const entries = [human('first question'), call('c1'), answer('c1', 'x'.repeat(500)), ai('  '), human('second')];
const summary: IContent = { ...ai('summary'), metadata: { isSummary: true } };

/** A scene in which the threshold is reached and the hard limit is far away. */
const atThreshold = (): Scene =>
  createScene({ entries, settings: { 'compression-threshold': 0.001, 'context-limit': 100_000 } });

describe('the threshold', () => {
  test.each([
    ['history, base offset and pending tokens together', 100, 50, true],
    ['nothing pending', 100, 0, false],
    ['no base offset', 0, 50, false],
  ])('counts %s (docs/readings.md, row 16; REQ-HD-001.10)', async (_name, offset, pending, expected) => {
    const { gate, history, settings } = createScene({ entries });
    history.setBaseTokenOffset(offset);
    await history.waitForTokenUpdates();
    settings['context-limit'] = 2 * (tokensOf(entries) + 150);
    settings['compression-threshold'] = 0.5;
    expect(gate.shouldCompress(pending)).toBe(expected);
  });

  test('is the strategy’s own without a setting (REQ-HD-001.10, BR-THRESH-001; docs/readings.md, row 1)', async () => {
    const { gate, history, settings } = createScene({ entries });
    await history.waitForTokenUpdates();
    settings['context-limit'] = Math.floor(tokensOf(entries) / 0.85);
    expect(gate.shouldCompress()).toBe(true);
    settings['context-limit'] = Math.ceil(tokensOf(entries) / 0.85) + 1;
    expect(gate.shouldCompress()).toBe(false);
    settings['compression-threshold'] = 0.8;
    expect(gate.shouldCompress()).toBe(true);
  });

  test('is checked after optimising, with the counts after it (REQ-HD-002.1, BR-THRESH-005)', async () => {
    const { gate, strategy, settings } = createScene({ entries });
    settings['context-limit'] = 10 * tokensOf(entries);
    settings['compression-threshold'] = tokensOf(entries.slice(0, 4)) / (10 * tokensOf(entries));
    strategy.onOptimize = () => density([2]);
    expect((await gate.ensureCompressionBeforeSend('p')).compression).toEqual({ kind: 'not-needed' });
    expect(strategy.contexts).toEqual([]);
  });
});

describe('`performCompression`', () => {
  test('gives the strategy the curated history and the runtime, and applies its result', async () => {
    const { gate, history, strategy, settings } = createScene({
      entries,
      activeTodos: () => [{ content: 'fix it', status: 'pending' }],
    });
    settings['compression-preserve-threshold'] = 0.3;
    let estimated = 0;
    strategy.onCompress = async ({ estimateTokens, history: old }) => {
      estimated = await estimateTokens(old);
      return [summary, old.at(-1)!];
    };
    history.setBaseTokenOffset(40);
    const outcome = await gate.performCompression('prompt-7');
    const curated = entries.filter((entry) => entry !== entries[3]);
    expect(strategy.contexts[0]).toMatchObject({
      history: curated,
      promptId: 'prompt-7',
      currentTokenCount: 40 + tokensOf(entries),
      runtimeState: { model: 'gpt-4o' },
      activeTodos: [{ content: 'fix it', status: 'pending' }],
      transcriptPath: '/transcripts/session.jsonl',
    });
    expect(strategy.contexts[0]?.runtimeContext.ephemerals.preserveThreshold()).toBe(0.3);
    expect(estimated).toBe(tokensOf(curated));
    expect(history.getAll()).toEqual([summary, entries[4]]);
    expect(outcome).toMatchObject({
      kind: 'compressed',
      entriesRemoved: 4,
      entriesCreated: 1,
      tokensBefore: tokensOf(entries),
      tokensAfter: tokensOf([summary, entries[4]!]),
    });
  });

  test('emits an event at its start, and one with the summary at its end', async () => {
    const { gate, history, strategy } = createScene({ entries });
    const events: unknown[] = [];
    history.on('compressionStarted', () => events.push('started'));
    history.on('compressionEnded', (entry, items) => events.push([entry, items]));
    strategy.onCompress = () => [summary];
    await gate.performCompression('p');
    expect(events).toEqual(['started', [summary, 5]]);
  });

  test('a strategy that asks a model fails with what is missing if the gate has no summariser', async () => {
    const { gate, strategy } = createScene({ entries });
    strategy.onCompress = ({ resolveProvider }) => [ai(resolveProvider().name)];
    await expect(gate.performCompression('p')).rejects.toThrow('Expected a provider');
    strategy.onCompress = async ({ promptResolver }) => [ai(await promptResolver.resolve('compression', '/'))];
    await expect(gate.performCompression('p')).rejects.toThrow('Expected a prompt');
  });

  test('an error of the strategy is rethrown unchanged, once, and the history is unchanged (REQ-HD-013.4, ERR-003; docs/readings.md, rows 17 and 30)', async () => {
    const { gate, history, strategy } = createScene({ entries });
    const failure = new CompressionExecutionError('fake', new Error('refused'), { isTransient: true });
    strategy.onCompress = () => {
      throw failure;
    };
    await expect(gate.performCompression('p')).rejects.toBe(failure);
    expect(strategy.contexts).toHaveLength(1);
    expect(history.getAll()).toEqual(entries);
    expect(history.getTotalTokens()).toBe(tokensOf(entries));
    expect(history.isCompressing).toBe(false);
  });

  test.each<[string, (old: readonly IContent[]) => IContent[]]>([
    ['the same', (old) => [...old]],
    ['larger', (old) => [...old, ai('and more')]],
    ['as large', (old) => old.map((entry) => ({ ...entry }))],
  ])(
    'a result that is %s is `unchanged`, never a success (docs/readings.md, row 17, law 2)',
    async (_name, onCompress) => {
      const { gate, history, strategy, transcript } = createScene({ entries });
      strategy.onCompress = ({ history: old }) => onCompress(old);
      expect(await gate.performCompression('p')).toEqual({ kind: 'unchanged', reason: 'not-smaller' });
      expect(history.getAll()).toEqual(entries);
      expect(transcript.entries).toEqual([]);
    },
  );

  test('an empty history is `unchanged` without a call of the strategy', async () => {
    const { gate, strategy } = createScene();
    expect(await gate.performCompression('p')).toEqual({ kind: 'unchanged', reason: 'empty-history' });
    expect(strategy.contexts).toEqual([]);
  });

  test('entries added meanwhile are after the new history and are dirty (docs/readings.md, rows 18 and 19)', async () => {
    const { gate, history, strategy } = createScene({ entries });
    await gate.ensureDensityOptimized();
    strategy.onCompress = async () => {
      history.add(human('meanwhile'));
      return [summary];
    };
    await gate.performCompression('p');
    expect(history.getAll()).toEqual([summary, human('meanwhile')]);
    expect(history.gateAccess.versions.isDirty).toBe(true);
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(tokensOf(history.getAll()));
  });

  test('a history that the user clears meanwhile is empty afterwards', async () => {
    const { gate, history, strategy } = createScene({ entries });
    strategy.onCompress = async () => {
      history.clear();
      history.add(human('fresh start'));
      return [summary];
    };
    await gate.performCompression('p');
    expect(history.getAll()).toEqual([human('fresh start')]);
  });

  test('an entry removed meanwhile does not reappear: the result is not applied', async () => {
    const { gate, history, strategy } = createScene({ entries });
    strategy.onCompress = async ({ history: old }) => {
      history.pop();
      return [summary, old.at(-1)!];
    };
    expect(await gate.performCompression('p')).toEqual({ kind: 'unchanged', reason: 'history-changed' });
    expect(history.getAll()).toEqual(entries.slice(0, 4));
  });
});

describe('the transcript (docs/readings.md, row 22, REQ-HD-012.1)', () => {
  test('gets the entries that a compression replaces, before it replaces them', async () => {
    const { gate, strategy, transcript } = createScene({ entries });
    strategy.onCompress = ({ history: old }) => [summary, ...old.slice(2)];
    await gate.performCompression('p');
    expect(transcript.entries).toEqual([entries[0], entries[1], entries[3]]);
  });

  test('gets the entries that an optimisation removes or replaces', async () => {
    const { gate, strategy, transcript } = createScene({ entries });
    strategy.onOptimize = () => density([2, 1], [[0, human('f')]]);
    await gate.ensureCompressionBeforeSend('p');
    expect(transcript.entries).toEqual(entries.slice(0, 3));
  });

  test('nothing is removed and the error is thrown if it cannot be written', async () => {
    const { gate, history, strategy, transcript } = createScene({ entries });
    transcript.failure = new Error('disk full');
    strategy.onOptimize = () => density([0]);
    await expect(gate.ensureCompressionBeforeSend('p')).rejects.toThrow('disk full');
    strategy.onCompress = () => [summary];
    await expect(gate.performCompression('p')).rejects.toThrow('disk full');
    expect(history.getAll()).toEqual(entries);
    expect(history.isCompressing).toBe(false);
  });
});

describe('at the threshold', () => {
  test('the configured strategy compresses, and the report contains it', async () => {
    const { gate, history, strategy } = atThreshold();
    strategy.onCompress = ({ history: old }) => old.slice(-1);
    const report = await gate.ensureCompressionBeforeSend('p', 10, 'stream');
    expect(report).toMatchObject({
      source: 'stream',
      compression: { kind: 'compressed' },
      enforcement: { kind: 'within-limit' },
      tokensBefore: tokensOf(entries),
      tokensAfter: tokensOf(entries.slice(-1)),
    });
    expect(history.getAll()).toEqual(entries.slice(-1));
  });

  test('a failure below the hard limit is thrown, and repeated failures cause a pause (ERR-003; docs/readings.md, row 17)', async () => {
    const { gate, history, strategy } = atThreshold();
    strategy.onCompress = () => {
      throw new Error('refused');
    };
    for (let run = 0; run < 3; run++) {
      await expect(gate.ensureCompressionBeforeSend('p')).rejects.toThrow('refused');
    }
    for (const turnsLeft of [4, 3, 2, 1]) {
      const { compression } = await gate.ensureCompressionBeforeSend('p');
      expect(compression).toEqual({ kind: 'cooling-down', turnsLeft });
    }
    expect(strategy.contexts).toHaveLength(3);
    strategy.onCompress = () => [summary];
    expect((await gate.ensureCompressionBeforeSend('p')).compression.kind).toBe('compressed');
    expect(history.getAll()).toEqual([summary]);
  });

  test('a compression that does not help causes a pause, too', async () => {
    const { gate, strategy } = atThreshold();
    for (let run = 0; run < 5; run++) await gate.ensureCompressionBeforeSend('p');
    expect(strategy.contexts).toHaveLength(3);
  });

  test('counts are those of the current model, also after a change of model', async () => {
    const history = createHistory(entries);
    const runtimeState = { model: 'gpt-4o' };
    const { gate } = createScene({ history, runtimeState });
    await gate.ensureCompressionBeforeSend('p');
    expect(await history.estimateTokensForContents(entries)).toBe(tokensOf(entries));
    runtimeState.model = 'claude-sonnet-4-5';
    const seen: string[] = [];
    const { engine } = history;
    const countEntries = engine.countEntries.bind(engine);
    engine.countEntries = (asked, request) => {
      seen.push(request.model);
      return countEntries(asked, request);
    };
    await gate.ensureCompressionBeforeSend('p');
    expect(seen).toEqual(['claude-sonnet-4-5']);
  });
});
