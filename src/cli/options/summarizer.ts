import type { Command } from 'commander';
import type { SummarizerAccess } from '../../gate/options.ts';
import { promptFiles, promptsFolder } from '../../settings/prompt-files.ts';
import type { IProvider } from '../../strategies/contract.ts';
import { UsageError } from '../terminal/failure.ts';

/** Who summarises, as the command line says. Keys are not among it: they come from the environment. */
export interface SummarizerFlags {
  readonly provider?: string;
  readonly summaryModel?: string;
  readonly baseUrl?: string;
  readonly summaries?: string;
}

/** Adds the options that name a model to ask. */
export function summarizerOptions(command: Command): Command {
  return command
    .option(
      '--provider <name>',
      'who writes summaries: anthropic, openai, openai-chat, google, openai-compatible (its key comes from the environment)',
    )
    .option('--summary-model <name>', "the model that writes them (default: the provider's small one)")
    .option('--base-url <url>', "where the provider listens (default: its own address, or the environment's)")
    .option('--summaries <file>', 'recorded summaries: what it holds is not asked again, new ones are added');
}

/**
 * Who summarises; undefined when nobody is named. Clients of vendors are loaded here and not before.
 * @throws UsageError for options of a provider without one; what `createProvider` and `RecordedSummaries.open` throw.
 */
export async function summarizerOf(flags: SummarizerFlags): Promise<SummarizerAccess | undefined> {
  const { provider: name, summaryModel, baseUrl, summaries } = flags;
  if (name === undefined && (summaryModel ?? baseUrl) !== undefined) {
    throw new UsageError('Expected --provider beside --summary-model and --base-url, got none. Name one.');
  }
  if (name === undefined && summaries === undefined) return undefined;
  let provider: IProvider | undefined;
  if (name !== undefined) {
    const { createProvider } = await import('../../providers/index.ts');
    const model = summaryModel === undefined ? {} : { model: summaryModel };
    provider = createProvider(name, { ...model, ...(baseUrl !== undefined && { baseUrl }) });
  }
  const summarizer = await recordedIn(summaries, provider);
  return {
    resolveProvider: () => summarizer,
    promptResolver: promptFiles,
    promptBaseDir: promptsFolder(),
    promptContext: {},
  };
}

async function recordedIn(file: string | undefined, provider: IProvider | undefined): Promise<IProvider> {
  if (file === undefined && provider !== undefined) return provider;
  const { RecordedSummaries } = await import('../../providers/recorded-summaries.ts');
  return RecordedSummaries.open(file ?? '', provider);
}
