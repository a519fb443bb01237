import type { ShellWord } from './shell-command.ts';

/** The operands of a program that name files which it certainly changes. */
type Writes = (operands: readonly ShellWord[]) => readonly ShellWord[];

const isOption = ({ text }: ShellWord): boolean => text.startsWith('-');
const has = (operands: readonly ShellWord[], pattern: RegExp): boolean =>
  operands.some(({ text }) => pattern.test(text));

/** The operands without options and their values. */
function named(operands: readonly ShellWord[], takesValue?: RegExp): ShellWord[] {
  return operands.filter((word, at) => !isOption(word) && !takesValue?.test(operands[at - 1]?.text ?? ''));
}

const always =
  (takesValue?: RegExp): Writes =>
  (operands) =>
    named(operands, takesValue);

/** A formatter that changes files only with a certain option. */
const onlyWith =
  (option: RegExp, takesValue?: RegExp): Writes =>
  (operands) =>
    has(operands, option) ? named(operands, takesValue) : [];

/** A program whose first operand is a subcommand. */
const subcommand =
  (pattern: RegExp, then: Writes = always()): Writes =>
  ([first, ...rest]) =>
    first !== undefined && pattern.test(first.text) ? then(rest) : [];

/** `sed -i` and `perl -pi -e`: all operands except the script, which can be the value of `-e`. */
const inPlace =
  (option: RegExp): Writes =>
  (operands) => {
    if (!has(operands, option)) return [];
    const names = named(operands, /^(?:-e|--expression|-f|--file|-[pn0-9]*i?e)$/);
    return has(operands, /^(?:-e|--expression(?:=.*)?|-f|--file(?:=.*)?|-[a-z0-9]*e)$/) ? names : names.slice(1);
  };

const git: Writes = ([command, ...operands]) => {
  const names = operands.findIndex(({ text }) => text === '--');
  switch (command?.text) {
    case 'checkout':
      // Without `--` it may be the name of a branch.
      return names === -1 ? [] : operands.slice(names + 1);
    case 'restore':
      return has(operands, /^--staged$/) && !has(operands, /^--worktree$/)
        ? []
        : named(operands, /^(?:-s|--source)$/).filter(({ text }) => text !== '--');
    case 'mv':
    case 'rm':
      // `--cached` removes a file from the index only.
      return has(operands, /^(?:-n|--cached)$/) ? [] : named(operands);
    default:
      return [];
  }
};

/** Programs that change the files in their operands, not whole folders. Source: their manuals. */
const WRITERS: Readonly<Record<string, Writes>> = {
  sed: inPlace(/^(?:-[nEr]*i.*|--in-place(?:=.*)?)$/),
  perl: inPlace(/^-[a-z0-9]*i/),
  mv: always(/^(?:-t|-S)$/),
  cp: (operands) => named(operands).slice(-1),
  rm: always(),
  truncate: always(/^(?:-s|-r|--size|--reference)$/),
  git,
  black: (operands) =>
    has(operands, /^--(?:check|diff)$/) ? [] : named(operands, /^(?:-l|--line-length|-t|--config)$/),
  isort: (operands) => (has(operands, /^(?:-c|--check-only|--check|--diff)$/) ? [] : named(operands)),
  ruff: (operands) =>
    has(operands, /^--(?:check|diff)$/)
      ? []
      : [...subcommand(/^format$/)(operands), ...subcommand(/^check$/, onlyWith(/^--fix/))(operands)],
  gofmt: onlyWith(/^-w$/),
  rustfmt: (operands) =>
    has(operands, /^--(?:check|emit(?:=.*)?)$/) ? [] : named(operands, /^(?:--edition|--config)$/),
  prettier: onlyWith(/^(?:-w|--write)$/, /^--(?:config|parser|plugin)$/),
  eslint: onlyWith(/^--fix$/, /^(?:-c|--config|--ext)$/),
  biome: subcommand(/^(?:check|format|lint)$/, onlyWith(/^--(?:write|fix|apply|apply-unsafe)$/)),
  'clang-format': (operands) => (has(operands, /^-n$/) ? [] : onlyWith(/^-i$/)(operands)),
};

/** Programs that run the program in their first operand. */
const RUNNERS = new Set(['npx', 'bunx', 'pnpm', 'yarn', 'exec', 'sudo', 'uvx']);

/**
 * The words of a command that name files which it certainly changes, for known programs: `sed -i`, `mv`,
 * `git checkout --`, formatters. Folders count as files.
 */
export function writtenOperands(words: readonly ShellWord[]): readonly ShellWord[] {
  let at = 0;
  while (at < words.length - 1 && RUNNERS.has(words[at]!.text)) at++;
  const program = words[at];
  if (!program?.literal || !Object.hasOwn(WRITERS, program.text)) return [];
  const operands = words.slice(at + 1);
  return has(operands, /^--dry-run$/) ? [] : WRITERS[program.text]!(operands);
}
