import { expect, test } from 'vitest';
import { SentPrompts } from '../../src/pruning/sent-prompts.ts';

test('what was applied before a call is removed from all later ones, and changed the prefix once', () => {
  const prompts = new SentPrompts();
  const send = (promptTokens: number): void => prompts.sent({ entries: 4, promptTokens, idleMs: 0 });
  send(100);
  prompts.pruned({ savedTokens: 30, keptTokens: 50 });
  send(80);
  send(90);
  expect(prompts.pastCalls.map(({ removedTokens, keptTokens }) => [removedTokens, keptTokens])).toEqual([
    [0, 0],
    [30, 50],
    [30, 80],
  ]);
});
