import { describe, expect, test } from 'vitest';
import { ai, answer, call, human, tokensOf } from '../history/entries.ts';
import { createScene, density } from './fixtures.ts';

const entries = [human('first'), call('c1'), answer('c1'), ai('said'), human('second')];

describe('a gate run that is cancelled', () => {
  test('applies nothing while it optimises, and the next run optimises again', async () => {
    const { gate, history, strategy } = createScene({ entries });
    const stop = new AbortController();
    strategy.onOptimize = () => {
      stop.abort(new Error('enough'));
      return density([1, 2]);
    };
    await expect(gate.ensureCompressionBeforeSend('p', 0, 'send', { signal: stop.signal })).rejects.toThrow('enough');
    expect(history.getAll()).toEqual(entries);
    expect(history.gateAccess.versions.isDirty).toBe(true);
    const report = await gate.ensureCompressionBeforeSend('p2');
    expect(report.density.kind).toBe('applied');
    expect(history.getAll()).toEqual([human('first'), ai('said'), human('second')]);
  });

  test('applies nothing while it compresses, and keeps entries added meanwhile', async () => {
    const { gate, history, strategy, settings } = createScene({ entries });
    const stop = new AbortController();
    strategy.onCompress = () => {
      history.add(human('third'));
      stop.abort(new Error('enough'));
      return [human('small')];
    };
    settings['context-limit'] = tokensOf(entries);
    await expect(gate.ensureCompressionBeforeSend('p', 0, 'send', { signal: stop.signal })).rejects.toThrow('enough');
    await expect(gate.performCompression('p', { signal: stop.signal })).rejects.toThrow('enough');
    expect(history.isCompressing).toBe(false);
    expect(history.getAll()).toEqual([...entries, human('third')]);
    expect((await gate.performCompression('p2')).kind).toBe('compressed');
  });

  test('removes nothing in the last resort', async () => {
    const { gate, history, settings, transcript } = createScene({ entries });
    const stop = new AbortController();
    settings['context-limit'] = tokensOf(entries);
    settings['compression-threshold'] = 0.99;
    // The strategies found nothing: what is written to the transcript is what the last resort would drop.
    transcript.append = async () => stop.abort(new Error('enough'));
    await expect(gate.ensureCompressionBeforeSend('p', 0, 'send', { signal: stop.signal })).rejects.toThrow('enough');
    expect(history.getAll()).toEqual(entries);
  });
});
