import { expect, test } from 'vitest';
import type { ThinkingBlock } from '../../src/content/content.ts';
import { configAt, weigh } from '../../src/pruning/pruning-decision.ts';
import { human, text } from '../strategies/conversation.ts';

test.each<[string, Partial<ThinkingBlock>, string]>([
  ['signed', { signature: 's' }, 'bound'],
  ['encrypted', { encryptedContent: 'e' }, 'bound'],
  ['plain', {}, 'unsent'],
])('an edit before %s thinking of a model that binds it', (_, seal, cause) => {
  const thinking: ThinkingBlock = { type: 'thinking', thought: 'so', ...seal };
  const moment = {
    history: [human('a long text'), { speaker: 'ai' as const, blocks: [thinking, text('done')] }],
    tokens: [5_000, 10],
    constantTokens: 0,
    pendingTokens: 0,
    sentEntries: 0,
    idleMs: undefined,
    callsMade: 1,
    pastCalls: [],
  };
  const terms = { model: 'gpt-5.5', bindsThinking: true };
  expect(weigh([{ at: 0, savedTokens: 4_000 }], moment, terms).cause).toBe(cause);
});

test('rules that prune more do so once the prefix is surely lost, and not where the time is unknown', () => {
  const config = {
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: false,
    recencyRetention: 3,
    workspaceRoot: '/',
  };
  const at = (idleMs: number | undefined) => configAt(config, { sentEntries: 3, idleMs }, { model: 'claude-opus-5' });
  expect([at(4 * 60_000), at(undefined)]).toEqual([config, config]);
  expect(at(5 * 60_000)).toEqual({ ...config, isCold: true, canOmitThinking: true });
});
