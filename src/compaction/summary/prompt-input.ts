import { TimeSlice } from '../../time-slice.ts';
import { contextLimitOfModel } from '../../tokens/models.ts';
import type { Logger, MessageLike } from '../contract.ts';
import { type CountOptions, totalTokens } from '../counting/message-counter.ts';
import { fitParts } from './fit.ts';
import { fencedInSteps, summaryPrompt } from './summary-prompt.ts';
import { type TranscriptPart, transcriptOf } from './transcript.ts';

/** The tokens that an answer may have per requested word: those of a long English word. */
const TOKENS_PER_WORD = 3;
/** The part of the model's window that is used, because counts without a published tokenizer are estimates. */
const USED_SHARE = 0.9;
const MIN_TOKENS = 1_000;
/** The tokens of the title of a part. */
const TITLE_TOKENS = 8;
const MAX_ROUNDS = 6;

interface PromptOptions extends CountOptions {
  readonly model: string;
  readonly maxWords: number;
  readonly logger: Logger | undefined;
  /** The part of the prompt to keep: of the tokens that fit, or of the conversation if it is shorter; above 0 and at most 1. */
  readonly share: number;
}

/** The longest answer, in tokens. */
export const answerTokens = (maxWords: number): number => Math.ceil(maxWords * TOKENS_PER_WORD);

/** The prompt to summarise these messages, short enough for the model. */
export async function promptFor(messages: readonly MessageLike[], options: PromptOptions): Promise<string> {
  const { model, maxWords, logger, share } = options;
  const tokensOf = (list: readonly MessageLike[]): Promise<number> =>
    totalTokens(list, model, { ...options, logger: undefined });
  const parts = await transcriptOf(messages);
  let tokens = (await tokensOf(messages)) + parts.length * TITLE_TOKENS;
  const fittingTokens = Math.max(MIN_TOKENS, contextLimitOfModel(model) * USED_SHARE - answerTokens(maxWords));
  const limitTokens = share < 1 ? Math.min(fittingTokens, tokens) * share : fittingTokens;
  let limitCharacters = parts.reduce((sum, { title, text }) => sum + title.length + text.length + 2, 0);
  let fitting: readonly TranscriptPart[] = parts;
  for (let round = 0; tokens > limitTokens && round < MAX_ROUNDS; round++) {
    limitCharacters = Math.floor((limitCharacters * limitTokens * 0.95) / tokens);
    fitting = fitParts(parts, limitCharacters);
    const texts = fitting.map(({ text }): MessageLike => ({ role: 'user', content: text }));
    tokens = (await tokensOf(texts)) + fitting.length * TITLE_TOKENS;
  }
  if (fitting !== parts)
    logger?.warn(`The conversation is too long for ${model} to summarise, so its oldest parts were shortened.`);
  return summaryPrompt(await fencedLines(fitting), maxWords);
}

/** The lines inside the fence, escaped in slices. */
async function fencedLines(parts: readonly TranscriptPart[]): Promise<string[]> {
  const slice = new TimeSlice();
  const lines: string[] = [];
  for (const { title, text } of parts) {
    const steps = fencedInSteps(text);
    let step = steps.next();
    for (; !step.done; step = steps.next()) if (slice.isOver()) await slice.next();
    lines.push(`${title}\n${step.value}`);
    if (slice.isOver()) await slice.next();
  }
  return lines;
}
