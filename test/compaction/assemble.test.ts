import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assembleMessages } from '../../src/compaction/assemble.ts';
import type { WrittenMessage } from '../../src/compaction/contract.ts';
import { alternates, recordingLogger, SYSTEM } from './fixtures.ts';

const file = (name: string): WrittenMessage => ({
  role: 'user',
  content: `[Restored after compact] ${name}:\nconst a = 1;\n`,
});

describe('assembleMessages (F-006)', () => {
  test('head, summary and its answer, each file and its answer, in this order and with this text (F-006.1)', () => {
    expect(assembleMessages([SYSTEM], 'What happened.', [file('a.ts'), file('b.ts')])).toEqual([
      SYSTEM,
      { role: 'user', content: '[Conversation compressed]\n\nWhat happened.' },
      {
        role: 'assistant',
        content: 'Understood. I have the context from the compressed conversation. Continuing work.',
      },
      file('a.ts'),
      { role: 'assistant', content: 'Noted, file content restored.' },
      file('b.ts'),
      { role: 'assistant', content: 'Noted, file content restored.' },
    ]);
  });

  test('the given messages are not changed and the list is a new one (F-006.2)', () => {
    const head = Object.freeze([Object.freeze({ ...SYSTEM })]);
    const files = Object.freeze([Object.freeze(file('a.ts'))]);
    const list = assembleMessages(head, 'Summary.', files);
    expect(list).not.toBe(head);
    expect(list[0]).toBe(head[0]);
    expect(list[3]).toBe(files[0]);
  });

  test('user and assistant alternate for any number of files (F-006.3)', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(8), (systems, files) => {
        const head = Array.from({ length: systems }, () => SYSTEM);
        const restored = Array.from({ length: files }, (_, index) => file(`${index}.ts`));
        const list = assembleMessages(head, 'Summary.', restored);
        expect(list).toHaveLength(systems + 2 + 2 * files);
        expect(alternates(list)).toBe(true);
      }),
    );
  });

  test('an empty summary causes a warning and is assembled (F-006, scenario: empty summary)', () => {
    const logger = recordingLogger();
    expect(assembleMessages([SYSTEM], ' \n', [], logger)).toHaveLength(3);
    expect(logger.at('warn')).toHaveLength(1);
    assembleMessages([], 'Something.', [], logger);
    expect(logger.lines).toHaveLength(1);
  });

  test('without files there are only the head and the summary (F-006, scenario and boundary: no restored files)', () => {
    expect(assembleMessages([SYSTEM], 'Summary.', [])).toHaveLength(3);
  });

  test('without a head the summary is first (F-006, boundary: empty head)', () => {
    expect(assembleMessages([], 'Summary.', [])[0]).toEqual({
      role: 'user',
      content: '[Conversation compressed]\n\nSummary.',
    });
  });
});
