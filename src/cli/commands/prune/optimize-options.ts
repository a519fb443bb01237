import { type Command, Option } from 'commander';
import { type AskedModel, parseAskedModel } from '../../options/asked-model.ts';
import { formatOption, type ReadOptions } from '../../options/session-file.ts';
import { sessionArgument } from '../../options/session-path.ts';
import { PRUNING_SETTINGS, settingOptions } from '../../options/setting-options.ts';
import { outputOptions } from '../../output/output-target.ts';
import { type RedactOptions, redactOption } from '../../output/redaction.ts';

/** What a person may say to `density optimize`. */
export interface OptimizeOptions extends Pick<ReadOptions, 'format'>, RedactOptions {
  readonly output?: string;
  readonly install?: boolean;
  readonly start?: boolean;
  readonly dryRun?: boolean;
  /** It compresses what pruning left. */
  readonly strategy?: string;
  /** A model is asked only if this is typed. */
  readonly model?: AskedModel;
  readonly baseUrl?: string;
  readonly summaries?: string;
  /** The model whose tokenizer, window and prices count. */
  readonly countedAs?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly certificate?: boolean;
}

/** Adds the argument and the options of `density optimize`. */
export function optimizeOptions(command: Command): Command {
  sessionArgument(command, 'a session file of a format that can be written');
  settingOptions(redactOption(formatOption(command)), [
    'compression.profile',
    'compression.strategy',
    'compression-threshold',
    'compression-preserve-threshold',
    'compression.engine',
    'context-limit',
    'compression.density.archive',
    ...PRUNING_SETTINGS,
  ]);
  const start = new Option('--start', 'continue the session in its agent, pruned if that pays');
  const strategy = command.options.find(({ long }) => long === '--strategy');
  if (strategy) strategy.description = 'then compress what is left by this strategy, also below the threshold';
  const model = new Option(
    '--model <name>',
    'send the session to this model for a summary of it: claude-haiku-4-5, or <provider>/<model>',
  );
  return outputOptions(command, false)
    .option('--install', 'write a new session beside the old one, where the agent finds it, and say how to resume it')
    .addOption(start.conflicts(['output', 'strategy', 'model', 'summaries', 'certificate']))
    .option('--dry-run', 'only say what would be removed, and write nothing')
    .addOption(model.argParser(parseAskedModel))
    .option(
      '--base-url <url>',
      'with --model: the address of its provider (default: that in the environment, or its own)',
    )
    .option(
      '--summaries <file>',
      'with --strategy: recorded summaries, used instead of asking again; new ones are added',
    )
    .option(
      '--counted-as <model>',
      'count with the tokenizer, window and prices of this model (default: the recorded one)',
    )
    .option('--json', 'one JSON object')
    .option('--certificate', 'with --json: add each removed block and the laws that were checked');
}
