import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerStep, IGNORED_MS } from '../../src/cli/commands/chat/input/approval-choice.ts';
import { keyboardParts } from '../../src/cli/commands/chat/input/bracketed-paste.ts';

const LETTER = { isEnter: false, isBackspace: false };
const ENTER = { input: '', isEnter: true, isBackspace: false };
const OPEN = { choice: undefined, openMs: IGNORED_MS, line: '' };

describe('an answer to a question', () => {
  test('is a choice and Enter', () => {
    expect(answerStep({ input: 'Y', ...LETTER }, OPEN)).toEqual({ kind: 'choose', choice: 'once' });
    expect(answerStep(ENTER, { ...OPEN, choice: 'once' })).toEqual({ kind: 'confirm', approval: 'once' });
    expect(answerStep(ENTER, OPEN)).toEqual({ kind: 'text', before: '' });
  });

  test('is undone by Backspace, and becomes text if a letter follows', () => {
    const chosen = { ...OPEN, choice: 'always' } as const;
    expect(answerStep({ input: '', isEnter: false, isBackspace: true }, chosen)).toEqual({
      kind: 'choose',
      choice: undefined,
    });
    expect(answerStep({ input: 'n', ...LETTER }, chosen)).toEqual({ kind: 'text', before: 'a' });
  });

  test('keys that arrive together, early or after text confirm nothing', () => {
    const question = fc.record({
      choice: fc.constantFrom(undefined, 'once', 'no', 'always' as const),
      openMs: fc.nat(5_000),
      line: fc.string(),
    });
    fc.assert(
      fc.property(fc.string({ minLength: 2 }), question, (input, open) => {
        expect(answerStep({ input, ...LETTER }, { ...open, choice: undefined }).kind).toBe('text');
        if (open.openMs < IGNORED_MS || open.line !== '') expect(answerStep(ENTER, open).kind).toBe('text');
      }),
    );
  });
});

test('separates pasted from typed parts, also if a paste is unfinished', () => {
  expect(keyboardParts('a\u001b[200~b\rc\u001b[201~d\u001b[200~e')).toEqual([
    { kind: 'typed', keys: 'a' },
    { kind: 'pasted', text: 'b\rc', isWhole: true },
    { kind: 'typed', keys: 'd' },
    { kind: 'pasted', text: 'e', isWhole: false },
  ]);
});
