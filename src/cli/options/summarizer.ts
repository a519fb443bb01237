import type { Command } from 'commander';
import type { SummarizerAccess } from '../../gate/options.ts';
import { promptFiles, promptsFolder } from '../../settings/prompt-files.ts';
import type { IProvider } from '../../strategies/contract.ts';
import { UsageError } from '../terminal/terminal.ts';

/** Options of the command line that choose who writes summaries. Keys come from the environment. */
export interface SummarizerFlags {
  readonly provider?: string | undefined;
  readonly summaryModel?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly summaries?: string | undefined;
}

/** Adds the options of `SummarizerFlags`. */
export function summarizerOptions(command: Command): Command {
  return command
    .option(
      '--provider <name>',
      'the provider that writes summaries: anthropic, openai, openai-chat, google, openai-compatible (its key comes from the environment)',
    )
    .option('--summary-model <name>', "the model that writes summaries (default: the provider's small model)")
    .option(
      '--base-url <url>',
      'the address of the provider (default: the address in the environment, otherwise the public address)',
    )
    .option(
      '--summaries <file>',
      'a file of recorded summaries; a recorded summary is used instead of asking the model again, and new ones are added',
    );
}

/**
 * The summariser that the options name; undefined if they name none. Vendor clients load only here.
 * @throws UsageError for `--summary-model` or `--base-url` without a provider; what `createProvider` and `RecordedSummaries.open` throw.
 */
export async function summarizerOf(flags: SummarizerFlags): Promise<SummarizerAccess | undefined> {
  const { provider: name, summaryModel, baseUrl, summaries } = flags;
  if (name === undefined && (summaryModel ?? baseUrl) !== undefined) {
    throw new UsageError('Expected --provider with --summary-model and --base-url, got none. Name a provider.');
  }
  let provider: IProvider | undefined;
  if (name !== undefined) {
    const { createProvider } = await import('../../providers/index.ts');
    const model = summaryModel === undefined ? {} : { model: summaryModel };
    provider = createProvider(name, { ...model, ...(baseUrl !== undefined && { baseUrl }) });
  }
  if (summaries !== undefined) {
    const { RecordedSummaries } = await import('../../providers/recorded-summaries.ts');
    provider = await RecordedSummaries.open(summaries, provider);
  }
  const summarizer = provider;
  if (summarizer === undefined) return undefined;
  return {
    resolveProvider: () => summarizer,
    promptResolver: promptFiles,
    promptBaseDir: promptsFolder(),
    promptContext: {},
  };
}
