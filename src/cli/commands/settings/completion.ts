import type { Command, Option } from 'commander';
import { Argument } from 'commander';
import { terminal } from '../../terminal/terminal.ts';
import { COMPLETION_SCRIPTS, type CompletedCommand, type CompletedOption, SHELLS } from './completion-scripts.ts';

function completedOption({ short, long, description, argChoices, required, optional }: Option): CompletedOption {
  const names = [short, long].filter((name) => name !== undefined && name !== null);
  return { names, description, takesValue: required || optional, values: argChoices ?? [] };
}

/** The commands and options that the program declares. */
function completedCommands(program: Command): CompletedCommand[] {
  const shared = program.options.filter(({ long }) => long === '--debug' || long === '--plain');
  return program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary() || command.description(),
    options: [...command.options, ...shared].map(completedOption),
    values: [
      ...command.commands.map((own) => own.name()),
      ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    ],
    takesSessions: command.registeredArguments.some((argument) => argument.name() === 'session'),
    takesFiles: command.registeredArguments.some(({ argChoices }) => argChoices === undefined),
  }));
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
