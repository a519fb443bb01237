import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import { HistoryService } from '../../../src/history/history-service.ts';
import { InlineEngine } from '../../../src/history/inline-engine.ts';
import { human } from '../entries.ts';

/** Counts the characters, ten times as many for the model "large"; records what it is asked. */
class AskedCounter {
  readonly asked: string[] = [];

  countEntry({ blocks }: IContent, model: string): number {
    const text = blocks[0]?.type === 'text' ? blocks[0].text : '';
    this.asked.push(`${text} for ${model}`);
    return text.length * (model === 'large' ? 10 : 1);
  }

  countText(text: string): number {
    return text.length;
  }
}

function scene() {
  const counter = new AskedCounter();
  const history = new HistoryService({ engine: new InlineEngine(counter), model: 'small' });
  return { counter, history };
}

describe('counting for the model of the next send', () => {
  test('recounts what was counted for another one, and nothing twice', async () => {
    const { counter, history } = scene();
    history.addAll([human('a'), human('bb')]);
    await history.waitForTokenUpdates();
    await history.gateAccess.countFor('large');
    expect(history.getTotalTokens()).toBe(30);
    counter.asked.length = 0;
    history.add(human('ccc'));
    await history.gateAccess.countFor('large');
    await history.gateAccess.countFor('large');
    expect(counter.asked).toEqual(['ccc for large']);
    expect(history.getTotalTokens()).toBe(60);
  });

  test('finds what a recount for another model left, and what moved since', async () => {
    const { history } = scene();
    history.addAll([human('a'), human('bb'), human('ccc')]);
    await history.gateAccess.countFor('large');
    await history.recalculateTotalTokens('small');
    expect(history.getTotalTokens()).toBe(6);
    await history.gateAccess.countFor('large');
    expect(history.getTotalTokens()).toBe(60);
    history.setActiveTokenizationTarget('small');
    await history.replaceAll([human('dd'), human('e')]);
    expect(history.getTotalTokens()).toBe(3);
    await history.gateAccess.countFor('large');
    expect(history.getTotalTokens()).toBe(30);
  });

  test('finds what is added for another model while it waits', async () => {
    const { history } = scene();
    history.add(human('a'));
    const counting = history.gateAccess.countFor('large');
    history.setActiveTokenizationTarget('small');
    history.add(human('bb'));
    await counting;
    await history.waitForTokenUpdates();
    await history.gateAccess.countFor('large');
    expect(history.getTokensPerEntry()).toEqual([10, 20]);
  });
});
