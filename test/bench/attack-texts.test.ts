import { expect, test } from 'vitest';
import { attackTexts } from '../../bench/attack-texts.ts';

const pumpsOf = ({ source, flags }: RegExp): string[] =>
  attackTexts(source, flags).map(({ pumps: [{ prefix, pump } = { prefix: '', pump: '' }] }) => prefix + pump + pump);

test('a text leads to a repetition, then repeats what the repetition matches', () => {
  expect(pumpsOf(/^Updated:\n(?:[AM] .*\n?)+$/)).toContainEqual(
    expect.stringMatching(/^Updated:\n([AM] [^\n]?\n?)\1$/),
  );
});

test('a text repeats what comes before a repetition', () => {
  expect(pumpsOf(/\n<result>([\s\S]*)<\/result>/)).toContainEqual(expect.stringMatching(/^(\n<result>[\s\S])\1$/));
});

test('a text repeats a character that two repetitions match', () => {
  expect(pumpsOf(/^[ab]+[bc]+x/)).toContain('bb');
});
