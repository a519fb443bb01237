import { describe, expect, test } from 'vitest';
import type { IContent } from '../../src/content/content.ts';
import { brokenPairs } from '../../src/replay/broken-pairs.ts';

const call = (id: string, callId: string): IContent => ({
  speaker: 'ai',
  blocks: [{ type: 'tool_call', id: callId, name: 'read_file', parameters: {} }],
  metadata: { id },
});
const response = (id: string, callId: string, result: string): IContent => ({
  speaker: 'tool',
  blocks: [{ type: 'tool_response', callId, toolName: 'read_file', result }],
  metadata: { id },
});

describe('broken pairs', () => {
  const whole = [call('1', 'a'), response('2', 'a', 'x'), call('3', 'b'), response('4', 'b', 'y')];

  test('are none where whole pairs went', () => {
    expect(brokenPairs(whole, whole.slice(2))).toBe(0);
  });

  test('are counted for calls and for responses that lost their other half', () => {
    expect(brokenPairs(whole, [whole[0]!, whole[3]!])).toBe(2);
  });

  test('are not those that were broken before', () => {
    expect(brokenPairs([whole[0]!, whole[3]!], [whole[0]!, whole[3]!])).toBe(0);
    expect(brokenPairs([whole[0]!], [whole[0]!, whole[3]!])).toBe(1);
  });
});
