import { Command } from 'commander';
import { expect, test } from 'vitest';
import { COMMANDS, DOORS } from '../../src/cli/commands.ts';

test.each(COMMANDS)('$name has a description', async ({ name, load }) => {
  const command = new Command(name);
  (await load())(command, () => Promise.resolve(command));
  expect(command.description()).not.toBe('');
});

test('the commands of a door follow each other, and two that other programs run are not listed', () => {
  const listed = COMMANDS.flatMap(({ door }) => door ?? []);
  expect(listed.filter((door, at) => door !== listed[at - 1])).toEqual(Object.keys(DOORS));
  expect(COMMANDS.flatMap(({ name, door }) => (door === undefined ? name : []))).toEqual(['show', 'statusline']);
});
