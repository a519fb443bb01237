import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { HistoryService } from '../../../src/history/history-service.ts';
import { ai, createHistory, human, tokensOf } from '../entries.ts';

describe('a caller written against the original', () => {
  test('runs unmodified: add, events, getCurated, startCompression, clear, add, endCompression', async () => {
    const historyService = new HistoryService();
    const events: string[] = [];
    historyService.on('contentAdded', (content) => events.push(`added ${content.speaker}`));
    historyService.on('tokensUpdated', ({ totalTokens, addedTokens, contentId }) =>
      events.push(`tokens ${totalTokens} ${addedTokens} ${contentId}`),
    );
    historyService.on('compressionStarted', () => events.push('started'));
    historyService.on('compressionEnded', (summary, items) => events.push(`ended ${summary.speaker} ${items}`));

    historyService.add(human('hello world', 'h1'), 'gpt-4.1');
    historyService.add(ai('hello'), 'gpt-4.1');
    await historyService.waitForTokenUpdates();
    const curated = historyService.getCurated();
    const summary = ai('summary');
    historyService.startCompression();
    try {
      historyService.clear();
      for (const content of [summary, ...curated.slice(1)]) historyService.add(content, 'gpt-4.1');
    } finally {
      historyService.endCompression(summary, 1);
    }
    await historyService.waitForTokenUpdates();

    expect(historyService.getAll()).toEqual([ai('summary'), ai('hello')]);
    expect(historyService.getTotalTokens()).toBe(2);
    expect(events).toEqual([
      'added human',
      'added ai',
      'tokens 2 2 h1',
      'tokens 3 1 null',
      'started',
      'tokens 0 -3 null',
      'added ai',
      'added ai',
      'ended ai 1',
      'tokens 1 1 null',
      'tokens 2 1 null',
    ]);
  });
});

describe('while compressing', () => {
  const rebuilt = [ai('summary'), human('kept')];
  /** A compression that starts on `[old]`, does `during` in it and rebuilds by clear and add. */
  const compress = async (during: (history: HistoryService) => void): Promise<IContent[]> => {
    const history = createHistory([human('old')]);
    history.startCompression();
    during(history);
    history.clear();
    history.addAll(rebuilt);
    history.endCompression();
    await history.waitForTokenUpdates();
    expect(history.getTotalTokens()).toBe(tokensOf(history.getAll()));
    return history.getAll();
  };

  test('adds and clears are queued, not done and not dropped', () => {
    const history = createHistory([human('old')]);
    const added: IContent[] = [];
    history.on('contentAdded', (content) => added.push(content));
    history.startCompression();
    history.add(human('new'));
    expect([history.isCompressing, history.length(), added.length]).toEqual([true, 1, 0]);
    history.endCompression();
    expect([history.isCompressing, history.length(), added.length]).toEqual([false, 2, 1]);
  });

  test('entries added before the rebuild follow the rebuilt history (docs/readings.md, row 18)', async () => {
    const during = [human('one'), ai('two'), human('three')];
    expect(await compress((history) => history.addAll(during))).toEqual([...rebuilt, ...during]);
    expect(await compress((history) => history.recordTurn(human('q'), ai('a')))).toEqual([
      ...rebuilt,
      human('q'),
      ai('a'),
    ]);
  });

  test('an entry added meanwhile can be removed again', async () => {
    const cancelled = human('cancelled');
    const kept = human('meant');
    const history = await compress((open) => {
      open.add(kept);
      open.add(cancelled);
      expect(open.removeLastIfMatches(kept)).toBe(false);
      expect(open.removeLastIfMatches(cancelled)).toBe(true);
      open.add(ai('popped'));
      expect(open.pop()).toEqual(ai('popped'));
    });
    expect(history).toEqual([...rebuilt, kept]);
  });

  test('a rebuild by `replaceAll` leaves a clear of the user’s a clear', async () => {
    const history = createHistory([human('old')]);
    history.startCompression();
    history.add(human('before'));
    history.clear();
    history.add(human('after'));
    await history.replaceAll(rebuilt);
    history.endCompression();
    expect(history.getAll()).toEqual([human('after')]);
  });

  test('a compression that fails before its rebuild leaves the history and what was added', () => {
    const history = createHistory([human('old')]);
    history.startCompression();
    history.add(human('new'));
    history.endCompression();
    expect(history.getAll()).toEqual([human('old'), human('new')]);
  });

  test('starting twice is one compression, ending twice does nothing', () => {
    const history = createHistory();
    const events: string[] = [];
    history.on('compressionStarted', () => events.push('started'));
    history.on('compressionEnded', () => events.push('ended'));
    history.startCompression();
    history.startCompression();
    history.endCompression(ai('s'), 1);
    history.endCompression(ai('s'), 1);
    history.endCompression();
    expect(events).toEqual(['started', 'ended']);
  });

  test('`waitForCompression` resolves when it has ended', async () => {
    const history = createHistory();
    await history.gateAccess.waitForCompression();
    history.startCompression();
    let isOver = false;
    const waiting = history.gateAccess.waitForCompression().then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    history.endCompression();
    await waiting;
    expect(isOver).toBe(true);
  });

  test('listeners that throw while the queue is flushed lose nothing; the errors surface together at the next wait', async () => {
    const history = createHistory([human('old')]);
    history.startCompression();
    history.addAll([human('one'), human('two')]);
    history.on('contentAdded', (content) => {
      throw new Error(`listener of ${JSON.stringify(content.blocks)}`);
    });
    history.endCompression();
    await expect(history.waitForTokenUpdates()).rejects.toBeInstanceOf(AggregateError);
    await expect(history.waitForTokenUpdates()).resolves.toBeUndefined();
    const expected = [human('old'), human('one'), human('two')];
    expect(history.getAll()).toEqual(expected);
    expect(history.getTotalTokens()).toBe(tokensOf(expected));
  });
});
