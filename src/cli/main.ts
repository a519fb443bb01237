#!/usr/bin/env node
import { Command } from 'commander';
import { addChatCommand } from './chat.ts';
import { addCompactCommand } from './compact.ts';
import { addCompareCommand } from './compare.ts';
import { addCompletionCommand } from './completion.ts';
import { addCompressCommand } from './compress.ts';
import { addConvertCommand } from './convert.ts';
import { addCountCommand } from './count.ts';
import { addDoctorCommand } from './doctor.ts';
import { failurePrefix, reportFailure } from './failure.ts';
import { addInspectCommand } from './inspect.ts';
import { addLintCommand } from './lint.ts';
import { addOptimizeCommand } from './optimize.ts';
import { packageVersion } from './package-version.ts';
import { addProfileCommand } from './profile.ts';
import { addReplayCommand } from './replay.ts';
import { addReportCommand } from './report.ts';
import { addRestoreCommand } from './restore.ts';
import { addSessionsCommand } from './sessions.ts';
import { addSettingsCommand } from './settings.ts';

/** Every command, in the order in which help lists them. */
const COMMANDS: Readonly<Record<string, (program: Command) => void>> = {
  chat: addChatCommand,
  replay: addReplayCommand,
  compare: addCompareCommand,
  inspect: addInspectCommand,
  lint: addLintCommand,
  report: addReportCommand,
  optimize: addOptimizeCommand,
  compress: addCompressCommand,
  compact: addCompactCommand,
  restore: addRestoreCommand,
  convert: addConvertCommand,
  count: addCountCommand,
  sessions: addSessionsCommand,
  settings: addSettingsCommand,
  profile: addProfileCommand,
  doctor: addDoctorCommand,
  completion: addCompletionCommand,
};

function densityProgram(): Command {
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
  for (const add of Object.values(COMMANDS)) add(program);
  return program;
}

async function main(): Promise<void> {
  try {
    await densityProgram().parseAsync();
  } catch (error) {
    await reportFailure(error);
  }
}

await main();
