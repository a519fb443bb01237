import { expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import type { Session } from '../../src/formats/contract.ts';
import { unprunedCalls } from '../../src/lab/known-calls.ts';

const entry = (speaker: IContent['speaker'], text: string, timestamp?: number): IContent => ({
  speaker,
  blocks: [{ type: 'text', text }],
  ...(timestamp !== undefined && { metadata: { timestamp } }),
});
const add = (content: IContent): Session['events'][number] => ({ kind: 'add', content });
const counts = {
  tokensOf: ({ blocks: [block] }: IContent): number => (block?.type === 'text' ? block.text.length : 0),
  constantTokens: 100,
};

test('the calls of a recorded session are one before each answer, and a rebuild makes nothing of the last prompt left', () => {
  const events = [
    add(entry('human', 'aaaaa', 1000)),
    // Two entries of one answer.
    add(entry('ai', 'bb', 2000)),
    add(entry('ai', 'cc', 2500)),
    add(entry('tool', 'ddd', 4000)),
    add(entry('ai', 'e', 5000)),
    { kind: 'replace', contents: [entry('human', 'sum')] } as const,
    add(entry('human', 'ff', 9000)),
    add(entry('ai', 'g', 9500)),
  ];
  expect(unprunedCalls({ events } as unknown as Session, counts)).toEqual([
    { promptTokens: 105, keptTokens: 0, idleMs: undefined, removedTokens: 0 },
    { promptTokens: 112, keptTokens: 105, idleMs: 3000, removedTokens: 0 },
    { promptTokens: 105, keptTokens: 0, idleMs: 5000, removedTokens: 0, left: { tokens: 0, unprunedTokens: 0 } },
  ]);
});
