import { Command, Help } from 'commander';
import { COMMANDS, DOORS } from './commands.ts';
import { packageVersion } from './output/package-version.ts';
import {
  type CommandLine,
  failurePrefix,
  reportFailure,
  startCommandLine,
  terminal,
  UsageError,
} from './terminal/terminal.ts';

/** With one of these words, help may be printed. */
const HELP_WORDS = ['-h', '--help', 'help'];

/** How the parser writes help. */
const HELP = new Help();

const FIRST_LINES = `Keeps a coding agent's conversation inside its context window. Type first:
  density wrap claude        start an agent, and prune what it sends
  density sessions           list what your agents recorded on this computer`;

const LAST_LINES = `
  density <command> --help   what it does, its options, and examples
  density --version          print the version
With each command: --plain (words and numbers only, for a screen reader),
--debug (stack traces).`;

/** The program with the name and summary of every command. `load` adds the rest to some of them. `printed` gets what the parser prints. */
function densityProgram(printed: Promise<void>[]) {
  const names = new Set(COMMANDS.map(({ name }) => name));
  const program: Command = new Command('density')
    .description(FIRST_LINES)
    .usage('<command> [options]')
    .addHelpText('after', LAST_LINES)
    .version(packageVersion(), '--version', 'print the version')
    .option('--debug', 'print stack traces')
    .option('--plain', 'words and numbers only, for a screen reader: no bars, curves or colours')
    .helpOption('-h, --help', 'print help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => printed.push(terminal().out.print(text)),
      writeErr: (text) => printed.push(terminal().notes.print(text)),
      outputError: (text, write) => write(text.replace(/^error:/, failurePrefix())),
    })
    .showHelpAfterError('Run with --help for all options.')
    .configureHelp({
      visibleCommands: (command) => HELP.visibleCommands(command).filter((one) => one.name() !== 'help'),
      visibleOptions: (command) => (command === program ? [] : HELP.visibleOptions(command)),
      // All names of formats are longer than the rest of a help.
      optionDescription: (option) =>
        option.long === '--format'
          ? `${option.description} (\`density convert --help\` lists them)`
          : HELP.optionDescription(option),
      subcommandTerm: (command) =>
        command.parent === program ? command.name() : HELP.subcommandTerm(command).replace(' [options]', ''),
    });
  const rows = COMMANDS.map((row) => {
    const command = program.command(row.name, { hidden: row.door === undefined }).summary(row.summary);
    return { ...row, command: row.door === undefined ? command : command.helpGroup(DOORS[row.door]) };
  });
  const loaded = new Set<string>();
  /** Loads the commands whose names are among `words`. */
  async function load(words: ReadonlySet<string>): Promise<Command> {
    for (const { name, command, load: loadOne } of rows) {
      if (!words.has(name) || loaded.has(name)) continue;
      loaded.add(name);
      (await loadOne())(command, loadAll);
      if (HELP_WORDS.some((word) => words.has(word))) (await import('./help/help-examples.ts')).addExamples(command);
    }
    return program;
  }
  const loadAll = (): Promise<Command> => load(names);
  /** The name of a command that is typed but does not exist. After `help` the parser would print the help of all. */
  const unknownName = (words: readonly string[]): string | undefined => {
    const [first, topic] = words.filter((word) => !word.startsWith('-'));
    const name = first === 'help' ? topic : first;
    return name === undefined || names.has(name) ? undefined : name;
  };
  return { program, load, unknownName };
}

/**
 * Runs one command line. Failures are printed and set the exit code of this process. The working folder and the environment are those of the
 * process, so a process runs one command line at a time.
 */
export async function main(commandLine: CommandLine): Promise<void> {
  startCommandLine(commandLine);
  const printed: Promise<void>[] = [];
  await run(commandLine.words, printed).catch(reportFailure);
  await Promise.all(printed).catch(reportFailure);
}

async function run(words: readonly string[], printed: Promise<void>[]): Promise<void> {
  const { program, load, unknownName } = densityProgram(printed);
  // The words contain every command that runs or whose help is asked for. A file with the name of a command only loads one more.
  await load(new Set(words));
  const unknown = unknownName(words);
  const removed = unknown && (await import('./removed-names.ts')).removedName(unknown);
  if (removed) throw new UsageError(removed);
  await program.parseAsync(unknown === undefined ? [...words] : [unknown], { from: 'user' });
}
