import { Argument, type Command, type Option } from 'commander';
import { terminal } from '../../terminal/terminal.ts';

interface CompletedOption {
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** Empty: any value, which may be a file. */
  readonly values: readonly string[];
}

interface CompletedCommand {
  /** The words that run it: `team worker`. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** The allowed values of an argument; empty if there is no list. */
  readonly values: readonly string[];
  /** True if an argument may be the id of a session; it may be a file as well. */
  readonly takesSessions: boolean;
  readonly takesFiles: boolean;
}

/** Prints the ids of the newest sessions, each with a tab and a description. */
const IDS = 'density sessions --ids 2>/dev/null';

/** `text` in single quotes for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, options, values, takesSessions }) => {
    const sessions = takesSessions ? '; _density_sessions' : '';
    const ofOptions = options
      .filter(({ values: choices }) => choices.length > 0)
      .map(
        (option) =>
          `        ${option.names.join('|')}) COMPREPLY=($(compgen -W ${quoted(option.values.join(' '))} -- "$word")); return ;;`,
      );
    const words = [...options.flatMap(({ names }) => names), ...values].join(' ');
    return `    ${quoted(name)})
      case "$previous" in
${ofOptions.join('\n')}
      esac
      COMPREPLY=($(compgen -W ${quoted(words)} -- "$word"))${sessions}
      ;;`;
  });
  const names = commands.map(({ name }) => name);
  return `# bash completion for density
_density_sessions() {
  case "$word" in -*|*/*|*.*) return ;; esac
  COMPREPLY=($(compgen -W "latest pick $(${IDS} | cut -f 1)" -- "$word") $(compgen -f -- "$word"))
}
_density() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" command="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${command:+$command }\${COMP_WORDS[at]}" in
      ${names.map(quoted).join('|')}) command="\${command:+$command }\${COMP_WORDS[at]}" ;;
    esac
  done
  case "$command" in
    '') COMPREPLY=($(compgen -W ${quoted(names.filter((name) => !name.includes(' ')).join(' '))} -- "$word")) ;;
${cases.join('\n')}
  esac
}
complete -o default -F _density density
`;
}

/** A description for a zsh specification, where brackets and colons are syntax. */
const described = (text: string): string => text.replaceAll(/[[\]:]/g, ' ').replaceAll("'", '’');

function zsh(commands: readonly CompletedCommand[]): string {
  const list = commands
    .filter(({ name }) => !name.includes(' '))
    .map(({ name, summary }) => `    '${name}:${described(summary)}'`);
  const cases = commands.map(({ name, options, values, takesSessions, takesFiles }) => {
    const specifications = options.flatMap(({ names, description, takesValue, values: choices }) => {
      const value = choices.length > 0 ? `:value:(${choices.join(' ')})` : takesValue ? ':value:_files' : '';
      return names.map((option) => `'${option}[${described(description)}]${value}'`);
    });
    const words = values.length > 0 ? `value:(${values.join(' ')})` : takesSessions && 'session:_density_sessions';
    const rest = words || (takesFiles && 'file:_files');
    return `    ${quoted(name)}) _arguments ${[...specifications, ...(rest ? [`'*:${rest}'`] : [])].join(' ')} ;;`;
  });
  return `#compdef density
_density_sessions() {
  local -a sessions
  sessions=("latest:the newest session" "pick:from a list" "\${(@f)$(${IDS} | sed 's/:/ /g; s/\\t/:/')}")
  _describe -V session sessions
  _files
}
_density() {
  local -a commands
  commands=(
${list.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="" known=1
  while (( known && CURRENT > 2 )); do
    case "\${command:+$command }\${words[2]}" in
      ${commands.map(({ name }) => quoted(name)).join('|')}) command="\${command:+$command }\${words[2]}"; shift words; (( CURRENT-- )) ;;
      *) known=0 ;;
    esac
  done
  case "$command" in
${cases.join('\n')}
  esac
}
if [ "\${funcstack[1]}" = _density ]; then _density "$@"; else compdef _density density; fi
`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, options, values, takesSessions, takesFiles }) => {
    const seen = name.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
    const within = `-n ${quoted(seen.join('; and '))}`;
    // Those in a group are values of it.
    const own = `complete -c density -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`;
    return [
      ...(seen.length === 1 ? [own] : []),
      ...(values.length > 0 ? [`complete -c density ${within} -f -a ${quoted(values.join(' '))}`] : []),
      ...(takesSessions ? [`complete -c density ${within} -k -a ${quoted(`(${IDS})`)}`] : []),
      ...(values.length === 0 && !takesFiles ? [`complete -c density ${within} -f`] : []),
      ...options.map(({ names, description, takesValue, values: choices }) => {
        const flags = names.map((option) =>
          option.startsWith('--') ? `-l ${option.slice(2)}` : `-s ${option.slice(1)}`,
        );
        const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
        return `complete -c density ${within} ${flags.join(' ')}${value} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# fish completion for density\n${lines.join('\n')}\n`;
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The script of each shell. */
const COMPLETION_SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (commands: readonly CompletedCommand[]) => string>> =
  { bash, zsh, fish };

function completedOption({ short, long, description, argChoices, required, optional }: Option): CompletedOption {
  const names = [short, long].filter((name) => name !== undefined && name !== null);
  return { names, description, takesValue: required || optional, values: argChoices ?? [] };
}

/** The commands that help lists, and their options. */
function completedCommands(program: Command): CompletedCommand[] {
  const shared = program.options.filter(({ long }) => long === '--debug' || long === '--plain');
  const completed = (command: Command, group: string): CompletedCommand[] => {
    const name = `${group}${command.name()}`;
    return [completedCommand(name, command, shared), ...command.commands.flatMap((own) => completed(own, `${name} `))];
  };
  const listed = program.createHelp().visibleCommands(program);
  return listed.flatMap((command) => completed(command, ''));
}

function completedCommand(name: string, command: Command, shared: readonly Option[]): CompletedCommand {
  return {
    name,
    summary: command.summary() || command.description(),
    options: [...command.options, ...shared].map(completedOption),
    values: [
      ...command.commands.map((own) => own.name()),
      ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    ],
    takesSessions: command.registeredArguments.some((argument) => argument.name() === 'session'),
    takesFiles: command.registeredArguments.some(({ argChoices }) => argChoices === undefined),
  };
}

/** `density completion`: a completion script for a shell. */
export function defineCompletion(command: Command, loadAll: () => Promise<Command>): void {
  command
    .description(
      'Prints a completion script. bash: source <(density completion bash). zsh: density completion zsh > "$fpath[1]/_density". fish: density completion fish | source.',
    )
    .addArgument(new Argument('<shell>', 'the shell to complete in').choices(SHELLS))
    .action(async (shell: (typeof SHELLS)[number]) => {
      await terminal().out.print(COMPLETION_SCRIPTS[shell](completedCommands(await loadAll())));
    });
}
