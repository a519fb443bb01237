import { Command, Help } from 'commander';
import { COMMANDS } from './commands.ts';
import { packageVersion } from './output/package-version.ts';
import { type CommandLine, failurePrefix, reportFailure, startCommandLine, terminal } from './terminal/terminal.ts';

/** With one of these words, help may be printed. */
const HELP_WORDS = ['-h', '--help', 'help'];

/** The program with the name and summary of every command. `load` adds the rest to some of them. `printed` gets what the parser prints. */
function densityProgram(printed: Promise<void>[]) {
  const usages = new Map(COMMANDS.map(({ name, usage }) => [name, `${name} ${usage}`.trim()]));
  const program: Command = new Command('density')
    .description("Keeps a coding agent's conversation inside its context window.")
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
      showGlobalOptions: true,
      subcommandTerm: (command) => {
        const isInList = command.parent === program;
        return ((isInList && usages.get(command.name())) || Help.prototype.subcommandTerm(command)).replace(
          ' [options]',
          '',
        );
      },
    });
  program.addHelpText(
    'after',
    '\nStart here:\n  density sessions            what your agents recorded on this computer\n  density optimize            pick a session and see what would be removed\n  density <command> --help    its options, and examples',
  );
  const rows = COMMANDS.map((row) => ({ ...row, command: program.command(row.name).summary(row.summary) }));
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
  const loadAll = (): Promise<Command> => load(new Set(usages.keys()));
  /** `help` with a word that is no command: the parser would print the help of all. */
  const unknownTopic = (words: readonly string[]): string | undefined => {
    const [first, topic] = words.filter((word) => !word.startsWith('-'));
    return first === 'help' && topic !== undefined && !usages.has(topic) ? topic : undefined;
  };
  return { program, load, unknownTopic };
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
  const { program, load, unknownTopic } = densityProgram(printed);
  // The words contain every command that runs or whose help is asked for. A file with the name of a command only loads one more.
  await load(new Set(words));
  const unknown = unknownTopic(words);
  await program.parseAsync(unknown === undefined ? [...words] : [unknown], { from: 'user' });
}
