import { CompressionExecutionError } from '../../errors.ts';
import type { CompressionContext, IProvider, WrittenSummary } from '../contract.ts';
import { fittingText } from './fitting.ts';
import type { Piece } from './rendering.ts';

/** Tokens that a summary may have: enough for models that think first, and never a large share of a small window. */
const MOST_OUTPUT_TOKENS = 16_384;
const OUTPUT_RATIO = 0.25;
/** Share of the window that what we count may fill: vendors count a little differently. */
const INPUT_RATIO = 0.9;
/** This much is sent in any case: a window that is too small for it says so. */
const LEAST_INPUT_TOKENS = 2_000;
/** A model whose window is smaller than the session's says so; each time half as much is sent. */
const MAX_OVERFLOWS = 4;

/** A conversation to be summarised, in the parts that a request is made of. */
export interface SummaryMatter {
  readonly strategy: string;
  readonly instructions: string;
  readonly previousSnapshot: string;
  readonly pieces: readonly Piece[];
  /** Below the conversation: todos and what to do. */
  readonly closing: string;
}

/** What a model wrote, and the input it wrote it for. */
export interface Answer {
  readonly summary: WrittenSummary;
  readonly input: string;
  readonly maxOutputTokens: number;
}

/**
 * Asks for a summary of as much of the matter as fits the window; half of it whenever the model finds it too long.
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
  const maxOutputTokens = Math.max(1, Math.min(MOST_OUTPUT_TOKENS, Math.floor(contextLimitTokens * OUTPUT_RATIO)));
  const frameTokens = await countTokens(matter.instructions + inputOf(matter, ''));
  let limitTokens = Math.max(
    LEAST_INPUT_TOKENS,
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
