import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type EditAction,
  type EditedLine,
  EMPTY_LINE,
  edited,
  sharedStart,
  TypedHistory,
} from '../../src/cli/commands/chat/input/line-editor.ts';

const at = (marked: string): EditedLine => ({ text: marked.replace('|', ''), cursor: marked.indexOf('|') });
const shown = ({ text, cursor }: EditedLine): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;
const KINDS = [
  ...['backspace', 'delete', 'left', 'right', 'start', 'end', 'cut-to-start', 'cut-to-end', 'cut-word'],
  ...['word-left', 'word-right', 'clear'],
] as Exclude<EditAction['kind'], 'insert' | 'replace'>[];

describe('the input line', () => {
  test.each([
    ['backspace', 'ab|c', 'a|c'],
    ['backspace', '|c', '|c'],
    ['backspace', 'a👩‍👩‍👧|', 'a|'],
    ['delete', 'a|bc', 'a|c'],
    ['left', 'aé|', 'a|é'],
    ['right', 'a|👍🏽b', 'a👍🏽|b'],
    ['start', 'one\ntw|o', 'one\n|two'],
    ['end', 'o|ne\ntwo', 'one|\ntwo'],
    ['cut-to-start', 'one tw|o', '|o'],
    ['cut-to-end', 'one |two\nx', 'one |\nx'],
    ['cut-word', 'one two  |x', 'one |x'],
    ['word-left', 'one two|', 'one |two'],
    ['word-right', 'one| two x', 'one two| x'],
    ['clear', 'one|', '|'],
  ] as const)('%s: %j becomes %j', (kind, before, after) => {
    expect(shown(edited(at(before), { kind }))).toBe(after);
  });

  test('inserts text at the cursor, and replaces a word by its completion', () => {
    expect(shown(edited(at('a|c'), { kind: 'insert', text: 'bb' }))).toBe('abb|c');
    expect(shown(edited(at('/se| x'), { kind: 'replace', start: 0, text: '/set ' }))).toBe('/set | x');
  });

  test('keeps its cursor inside the text after any keys', () => {
    const action = fc.oneof(
      fc.constantFrom(...KINDS).map((kind): EditAction => ({ kind })),
      fc.string({ unit: 'grapheme', maxLength: 5 }).map((text): EditAction => ({ kind: 'insert', text })),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const { text, cursor } = actions.reduce(edited, EMPTY_LINE);
        expect(cursor).toBeGreaterThanOrEqual(0);
        expect(cursor).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

describe('earlier lines', () => {
  test('come back one by one, and at the end the line that was begun', () => {
    const typed = new TypedHistory();
    for (const line of ['one', 'two', 'two']) typed.add(line);
    expect(typed.go('back', 'begun')).toBe('two');
    expect(typed.go('back', 'two')).toBe('one');
    expect(typed.go('back', 'one')).toBeUndefined();
    expect(typed.go('forth', 'one')).toBe('two');
    expect(typed.go('forth', 'two')).toBe('begun');
    expect(typed.go('forth', 'begun')).toBeUndefined();
  });

  test('are completed to the start that all words share', () => {
    expect(sharedStart(['/set', '/settings'])).toBe('/set');
    expect(sharedStart(['one', 'two'])).toBe('');
    expect(sharedStart(['alone'])).toBe('alone');
    expect(sharedStart([])).toBe('');
  });
});
