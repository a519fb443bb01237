import type { ShellWord } from './shell.ts';

/** What a program changes: the words that name files, of which it surely changes each. */
type Writes = (operands: readonly ShellWord[]) => readonly ShellWord[];

const isOption = ({ text }: ShellWord): boolean => text.startsWith('-');
const has = (operands: readonly ShellWord[], pattern: RegExp): boolean =>
  operands.some(({ text }) => pattern.test(text));

/** Operands that are no options; the values of options that take one are left out. */
function named(operands: readonly ShellWord[], takesValue?: RegExp): ShellWord[] {
  return operands.filter((word, at) => !isOption(word) && !takesValue?.test(operands[at - 1]?.text ?? ''));
}

const always =
  (takesValue?: RegExp): Writes =>
  (operands) =>
    named(operands, takesValue);

/** A formatter that changes files only when told to. */
const when =
  (told: RegExp, takesValue?: RegExp): Writes =>
  (operands) =>
    has(operands, told) ? named(operands, takesValue) : [];

/** A program whose first operands choose what it does. */
const after =
  (pattern: RegExp, then: Writes = always()): Writes =>
  ([first, ...rest]) =>
    first !== undefined && pattern.test(first.text) ? then(rest) : [];

/** `sed -i` and `perl -pi -e`: all operands but the script, which `-e` may have named. */
const inPlace =
  (told: RegExp): Writes =>
  (operands) => {
    if (!has(operands, told)) return [];
    const names = named(operands, /^(?:-e|--expression|-f|--file|-[pn0-9]*i?e)$/);
    return has(operands, /^(?:-e|--expression(?:=.*)?|-f|--file(?:=.*)?|-[a-z0-9]*e)$/) ? names : names.slice(1);
  };

const git: Writes = ([command, ...operands]) => {
  const names = operands.findIndex(({ text }) => text === '--');
  switch (command?.text) {
    case 'checkout':
      // Without `--` it may as well be the name of a branch.
      return names === -1 ? [] : operands.slice(names + 1);
    case 'restore':
      return has(operands, /^--staged$/) && !has(operands, /^--worktree$/)
        ? []
        : named(operands, /^(?:-s|--source)$/).filter(({ text }) => text !== '--');
    case 'mv':
    case 'rm':
      return named(operands);
    default:
      return [];
  }
};

/** Programs that change the files they are given. Source: their manuals; what changes whole folders is left out. */
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
    after(/^format$/)(operands).length > 0 && !has(operands, /^--(?:check|diff)$/)
      ? named(operands.slice(1))
      : after(/^check$/, when(/^--fix/))(operands),
  gofmt: when(/^-w$/),
  rustfmt: (operands) => (has(operands, /^--check$/) ? [] : named(operands, /^(?:--edition|--config)$/)),
  prettier: when(/^(?:-w|--write)$/, /^--(?:config|parser|plugin)$/),
  eslint: when(/^--fix$/, /^(?:-c|--config|--ext)$/),
  biome: after(/^(?:check|format|lint)$/, when(/^--(?:write|fix|apply|apply-unsafe)$/)),
  'clang-format': when(/^-i$/),
};

/** Programs that run the one named after them. */
const RUNNERS = new Set(['npx', 'bunx', 'pnpm', 'yarn', 'exec', 'sudo', 'uvx']);

/**
 * The words of a command that name files which it surely changes, by what its program is known to do: `sed -i`, `mv`,
 * `git checkout --`, formatters. A folder counts as a name like any other.
 */
export function writtenOperands(words: readonly ShellWord[]): readonly ShellWord[] {
  let at = 0;
  while (at < words.length - 1 && RUNNERS.has(words[at]!.text)) at++;
  const program = words[at];
  if (!program?.literal || !Object.hasOwn(WRITERS, program.text)) return [];
  return WRITERS[program.text]!(words.slice(at + 1));
}
