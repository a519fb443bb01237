import { Command } from 'commander';
import { packageVersion } from './output/package-version.ts';
import { failurePrefix, reportFailure } from './terminal/failure.ts';

/** Every command, in the order in which help lists them, loaded where it is needed. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  chat: async () => (await import('./commands/chat/chat.ts')).addChatCommand,
  replay: async () => (await import('./commands/replay/replay.ts')).addReplayCommand,
  compare: async () => (await import('./commands/compare/compare.ts')).addCompareCommand,
  inspect: async () => (await import('./commands/sessions/inspect.ts')).addInspectCommand,
  lint: async () => (await import('./commands/sessions/lint.ts')).addLintCommand,
  report: async () => (await import('./commands/replay/report.ts')).addReportCommand,
  optimize: async () => (await import('./commands/prune/optimize.ts')).addOptimizeCommand,
  compress: async () => (await import('./commands/prune/compress.ts')).addCompressCommand,
  compact: async () => (await import('./commands/prune/compact.ts')).addCompactCommand,
  restore: async () => (await import('./commands/prune/restore.ts')).addRestoreCommand,
  show: async () => (await import('./commands/sessions/show.ts')).addShowCommand,
  convert: async () => (await import('./commands/sessions/convert.ts')).addConvertCommand,
  count: async () => (await import('./commands/sessions/count.ts')).addCountCommand,
  sessions: async () => (await import('./commands/sessions/sessions.ts')).addSessionsCommand,
  settings: async () => (await import('./commands/settings/settings.ts')).addSettingsCommand,
  profile: async () => (await import('./commands/settings/profile.ts')).addProfileCommand,
  doctor: async () => (await import('./commands/settings/doctor.ts')).addDoctorCommand,
  completion: async () => (await import('./commands/settings/completion.ts')).addCompletionCommand,
};

/** The command that was typed; all of them for help, for completion and for finding what was meant; none for the version. */
function wantedCommands(words: readonly string[]): readonly string[] {
  if (words.length === 1 && words[0] === '--version') return [];
  const typed = words.find((word) => !word.startsWith('-')) ?? '';
  return Object.hasOwn(COMMANDS, typed) && typed !== 'completion' ? [typed] : Object.keys(COMMANDS);
}

async function densityProgram(): Promise<Command> {
  const program = new Command('density')
    .description("Keeps a coding agent's conversation inside its context window.")
    .version(packageVersion(), '--version', 'print the version')
    .option('--debug', 'print stack traces')
    .option('--plain', 'words and numbers alone, for a screen reader: no bars, no curves, no colours')
    .helpOption('-h, --help', 'print help')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error:/, failurePrefix())) })
    .showHelpAfterError('Run with --help for all options.')
    .configureHelp({ showGlobalOptions: true });
  const wanted = wantedCommands(process.argv.slice(2)).map((name) => COMMANDS[name]!());
  for (const add of await Promise.all(wanted)) add(program);
  return program;
}

/** Runs the command line of this process. Failures are printed and set its exit code. */
export async function main(): Promise<void> {
  try {
    await (await densityProgram()).parseAsync();
  } catch (error) {
    await reportFailure(error);
  }
}
