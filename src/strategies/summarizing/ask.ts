import { CompressionExecutionError } from '../../errors.ts';
import type { CompressionContext, IProvider, WrittenSummary } from '../contract.ts';
import { fittingText } from './fitting.ts';
import type { Piece } from './rendering.ts';

/** Most tokens of a summary: enough for models that think first, but never a large share of a small window. */
const MAX_OUTPUT_TOKENS = 16_384;
const OUTPUT_RATIO = 0.25;
/** Share of the window that our count may fill, because vendors count a little differently. */
const INPUT_RATIO = 0.9;
/** This many tokens are always sent: a model with a smaller window returns an error. */
const MIN_INPUT_TOKENS = 2_000;
/** Attempts if the model's window is smaller than the session's; each one sends half of the last. */
const MAX_OVERFLOWS = 4;

/** A conversation to be summarised, as the parts of a request. */
export interface SummaryMatter {
  readonly strategy: string;
  readonly instructions: string;
  readonly previousSnapshot: string;
  readonly pieces: readonly Piece[];
  /** Text after the conversation: todos and the task. */
  readonly closing: string;
}

/** The answer of a model, and the input of the request. */
export interface Answer {
  readonly summary: WrittenSummary;
  readonly input: string;
  readonly maxOutputTokens: number;
}

/**
 * A summary of as much of the matter as fits the window. If the model finds it too long, half of it is sent.
 * @throws CompressionExecutionError when the provider fails (ERR-004).
 */
export async function askForSummary(
  provider: IProvider,
  matter: SummaryMatter,
  { runtimeContext, estimateTokens }: Pick<CompressionContext, 'runtimeContext' | 'estimateTokens'>,
): Promise<Answer> {
  const countTokens = (text: string): Promise<number> =>
    estimateTokens([{ speaker: 'human', blocks: [{ type: 'text', text }] }]);
  const contextLimitTokens = runtimeContext.ephemerals.contextLimit();
  const maxOutputTokens = Math.max(1, Math.min(MAX_OUTPUT_TOKENS, Math.floor(contextLimitTokens * OUTPUT_RATIO)));
  const frameTokens = await countTokens(matter.instructions + inputOf(matter, ''));
  let limitTokens = Math.max(
    MIN_INPUT_TOKENS,
    Math.floor(contextLimitTokens * INPUT_RATIO) - maxOutputTokens - frameTokens,
  );
  for (let overflows = 0; ; overflows++) {
    const conversation = await fittingText(matter.pieces, { limitTokens, countTokens });
    const input = inputOf(matter, conversation);
    const summary = await askOnce(provider, { matter, input, maxOutputTokens, isLast: overflows === MAX_OVERFLOWS });
    if (summary !== 'overflow') return { summary, input, maxOutputTokens };
    limitTokens = Math.floor(Math.min(limitTokens, await countTokens(conversation)) / 2);
  }
}

async function askOnce(
  provider: IProvider,
  {
    matter,
    input,
    maxOutputTokens,
    isLast,
  }: { matter: SummaryMatter; input: string; maxOutputTokens: number; isLast: boolean },
): Promise<WrittenSummary | 'overflow'> {
  const { strategy, instructions } = matter;
  const outcome = await provider.summarize({ instructions, input, maxOutputTokens }).catch((error: unknown) => {
    throw new CompressionExecutionError(strategy, error);
  });
  if (outcome.kind === 'summary') return outcome;
  if (outcome.failure === 'overflow' && !isLast) return 'overflow';
  const isTransient = outcome.failure === 'transient';
  throw new CompressionExecutionError(strategy, new Error(outcome.message, { cause: outcome }), { isTransient });
}

function inputOf({ previousSnapshot, closing }: SummaryMatter, conversation: string): string {
  const parts = [
    previousSnapshot === '' ? '' : `<previous_snapshot>\n${previousSnapshot}\n</previous_snapshot>`,
    `<conversation>\n${conversation}\n</conversation>`,
    closing,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}
