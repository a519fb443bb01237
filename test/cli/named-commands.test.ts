import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { helpOf } from '../../src/cli/help/help-examples.ts';
import { REMOVED_NAMES } from '../../src/cli/removed-names.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Of every command. */
const EVERYWHERE = ['--help', '--version', '--debug', '--plain'];

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')));

const TEXTS = [
  ...filesIn('src', /\.ts$/),
  ...filesIn('docs', /\.md$/).filter((file) => !/changelog/.test(file)),
  ...filesIn('plugins', /\.(?:md|json|mjs|js)$/),
  ...filesIn('examples', /\.(?:md|ts)$/).filter((file) => !file.includes('node_modules')),
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
].filter((file) => file !== 'src/cli/removed-names.ts');

const program = new Command('density');
for (const { name, load } of COMMANDS) (await load())(program.command(name), async () => program);

/** What a line `density <words>` names, or what of it does not exist. */
function missing(words: readonly string[]): string | undefined {
  let command = program;
  const [name] = words;
  if (name === 'help' || name === MISSPELLED) return undefined;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
  }
  if (command === program) return `density ${name}`;
  const options = [...EVERYWHERE, ...command.options.flatMap(({ long, short }) => [long, short])];
  // What stands behind `--` or after an agent's name is for the agent.
  const own = command.name() === 'wrap' ? [] : words;
  const option = own.find((word) => /^--?[a-z]/.test(word) && !options.includes(word.replace(/=.*$/s, '')));
  return option === undefined ? undefined : `density ${command.name()} ${option}`;
}

/** In a code span, and at the start of a line of a block; in code a span that a text has. */
const NAMED = /(?:`|^(?:\$ )?)density ([a-z][^`\n|&;#]*)/gm;
const NAMED_IN_CODE = /\\`density ([a-z][^`'"\n|&;#\\]*)/g;
/** What docs/commands.md shows of a wrong name. */
const MISSPELLED = 'repaly';

const named = TEXTS.flatMap((file) =>
  [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/\.m?[jt]s$/.test(file) ? NAMED_IN_CODE : NAMED)].map(
    ([, words]) => ({
      file,
      words: words!
        .replace(/"[^"]*"/g, 'text')
        .trim()
        .split(/\s+/),
    }),
  ),
);

describe('a command that is named', () => {
  test('exists, with its options, in every text of ours', () => {
    expect(named.length).toBeGreaterThan(100);
    expect(named.flatMap(({ file, words }) => (missing(words) ? `${file}: ${missing(words)}` : []))).toEqual([]);
  });

  test('exists, with its options, in the examples of every help', () => {
    const all = (one: Command, words: string): string[] => [
      words,
      ...one.commands.flatMap((part) => all(part, `${words} ${part.name()}`)),
    ];
    const lines = program.commands
      .flatMap((one) => all(one, one.name()))
      .flatMap((words) => helpOf(words).examples.map(([line]) => line.replace(/^.*density(?= )/, '')));
    const examples = lines.map((line) => line.replace(/"[^"]+"/g, 'text').replace(/["|)].*/, ''));
    expect(examples.length).toBeGreaterThan(40);
    expect(examples.flatMap((words) => missing(words.trim().split(/\s+/)) ?? [])).toEqual([]);
  });

  test.each(Object.entries(REMOVED_NAMES))('instead of `%s` exists', (name, sentence) => {
    expect(COMMANDS.map((row) => row.name)).not.toContain(name);
    for (const [, words] of sentence.matchAll(/`density ([^`]+)`/g)) expect(missing(words!.split(' '))).toBeUndefined();
  });
});
