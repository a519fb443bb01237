import type { CompressionContext, IProvider, SummaryOutcome, SummaryRequest } from '../../src/strategies/contract.ts';
import { getCompressionPrompt } from '../../src/strategies/prompts.ts';

export const snapshot = (inside: string): string => `<state_snapshot>\n${inside}\n</state_snapshot>`;

export const written = (text: string, isTruncated = false): SummaryOutcome => ({ kind: 'summary', text, isTruncated });

const SHORT = written(snapshot('<overall_goal>Go on.</overall_goal>'));

type Answer = SummaryOutcome | Error | ((request: SummaryRequest) => SummaryOutcome | Promise<SummaryOutcome>);

/** A model that gives these answers in turn, the last one for ever, and remembers what it was asked; errors are thrown. */
export class FakeSummarizer implements IProvider {
  readonly name = 'fake';
  readonly requests: SummaryRequest[] = [];
  readonly #answers: readonly Answer[];

  constructor(...answers: readonly Answer[]) {
    this.#answers = answers.length > 0 ? answers : [SHORT];
  }

  async summarize(request: SummaryRequest): Promise<SummaryOutcome> {
    request.signal?.throwIfAborted();
    const answer = this.#answers[Math.min(this.requests.length, this.#answers.length - 1)]!;
    this.requests.push(request);
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(request) : answer;
  }
}

/** The context with a model to ask and the prompt to ask it with. */
export function withSummarizer(
  context: CompressionContext,
  provider: IProvider = new FakeSummarizer(),
): CompressionContext {
  return {
    ...context,
    resolveProvider: () => provider,
    promptResolver: { resolve: async () => getCompressionPrompt() },
  };
}
