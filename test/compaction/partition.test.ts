import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/compaction/contract.ts';
import { partitionMessages } from '../../src/compaction/partition.ts';
import { SYSTEM } from './fixtures.ts';

const user: Message = { role: 'user', content: 'Hello.' };
const assistant: Message = { role: 'assistant', content: 'Hi.' };

describe('partitionMessages (F-003)', () => {
  test('the head is the run of system messages at the start, the rest is everything after it (F-003.1, F-003.2)', () => {
    const second: Message = { role: 'system', content: 'Be brief.' };
    expect(partitionMessages([SYSTEM, second, user, assistant])).toEqual({
      head: [SYSTEM, second],
      rest: [user, assistant],
    });
  });

  test('a system message after another one belongs to the rest (F-003.1)', () => {
    expect(partitionMessages([user, SYSTEM])).toEqual({ head: [], rest: [user, SYSTEM] });
  });

  test('no part of the end is kept back: there is no tail (F-003.3)', () => {
    const list = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? user : assistant));
    expect(partitionMessages([SYSTEM, ...list]).rest).toHaveLength(50);
    expect(Object.keys(partitionMessages(list))).toEqual(['head', 'rest']);
    expect(partitionMessages).toHaveLength(1);
  });

  test('without a system message the head is empty (F-003, scenario: no system message)', () => {
    expect(partitionMessages([user, assistant])).toEqual({ head: [], rest: [user, assistant] });
  });

  test('with nothing but system messages the rest is empty (F-003, scenario: system messages only)', () => {
    expect(partitionMessages([SYSTEM, SYSTEM])).toEqual({ head: [SYSTEM, SYSTEM], rest: [] });
  });

  test('an empty list has an empty head and an empty rest (F-003, boundary: empty list)', () => {
    expect(partitionMessages([])).toEqual({ head: [], rest: [] });
  });

  test('a single message that is not of the system is the rest (F-003, boundary: one message)', () => {
    expect(partitionMessages([user])).toEqual({ head: [], rest: [user] });
  });

  test('head and rest together are the list, and the list is left unchanged (F-003, state)', () => {
    const role = fc.constantFrom<Message['role']>('system', 'user', 'assistant');
    fc.assert(
      fc.property(fc.array(fc.record({ role, content: fc.string() })), (messages) => {
        const before = [...messages];
        const { head, rest } = partitionMessages(messages);
        expect([...head, ...rest]).toEqual(before);
        expect(messages).toEqual(before);
        expect(head.every((message) => message.role === 'system')).toBe(true);
        expect(rest[0]?.role).not.toBe('system');
      }),
    );
  });
});
