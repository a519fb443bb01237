import path from 'node:path';

/** What starts a program in a shell. */
export type Words = readonly [program: string, ...rest: string[]];

/** A shell whose start file can get a function. */
interface Shell {
  /** The file that it reads when a terminal opens. */
  readonly startFile: (environment: NodeJS.ProcessEnv, home: string, platform: NodeJS.Platform) => string;
  /** A function with the name of an agent that starts it by `wrap` of the command `density`, quoted words; the agent itself if that did not start it. */
  readonly wrapper: (agent: string, density: Words) => readonly string[];
}

/** A folder that a variable names, as shells read it; else the usual one. */
const folderOf = (named: string | undefined, usual: string): string => named || usual;

/**
 * density deletes the mark right before it starts the agent. So the agent starts once: a density that is missing, fails, or is too old to
 * know the option leaves the mark. Codes 129, 130 and 143 are a closed terminal, Ctrl-C and a request to end.
 * `function name {`: an alias of the same name is not expanded there.
 */
const posix: Shell['wrapper'] = (agent, density) => [
  `function ${agent} {`,
  '  local mark code=0',
  `  if command -v ${density[0]} >/dev/null 2>&1 && mark=$(command mktemp "\${TMPDIR:-/tmp}/density.XXXXXX" 2>/dev/null); then`,
  `    ${density.join(' ')} wrap --start-mark "$mark" ${agent} "$@" || code=$?`,
  '    [ -e "$mark" ] || return "$code"',
  '    command rm -f "$mark"',
  '    case "$code" in 129|130|143) return "$code" ;; esac',
  '  fi',
  `  command ${agent} "$@"`,
  '}',
];

const fish: Shell['wrapper'] = (agent, density) => [
  `function ${agent}`,
  '  set -l folder /tmp',
  '  set -q TMPDIR; and test -n "$TMPDIR"; and set folder $TMPDIR',
  '  set -l mark',
  `  if command -v ${density[0]} >/dev/null 2>&1; and set mark (command mktemp "$folder/density.XXXXXX" 2>/dev/null)`,
  `    ${density.join(' ')} wrap --start-mark "$mark" ${agent} $argv`,
  '    set -l code $status',
  '    if not test -e "$mark"',
  '      return $code',
  '    end',
  '    command rm -f "$mark"',
  '    if contains $code 129 130 143',
  '      return $code',
  '    end',
  '  end',
  `  command ${agent} $argv`,
  'end',
];

/** Each shell by the name of its program. */
export const SHELLS: Readonly<Record<string, Shell>> = {
  // Terminals of macOS open login shells, which do not read .bashrc.
  bash: {
    startFile: (_, home, platform) => path.join(home, platform === 'darwin' ? '.bash_profile' : '.bashrc'),
    wrapper: posix,
  },
  zsh: { startFile: ({ ZDOTDIR }, home) => path.join(folderOf(ZDOTDIR, home), '.zshrc'), wrapper: posix },
  fish: {
    startFile: ({ XDG_CONFIG_HOME }, home) =>
      path.join(folderOf(XDG_CONFIG_HOME, path.join(home, '.config')), 'fish', 'config.fish'),
    wrapper: fish,
  },
};
