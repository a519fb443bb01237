import type { Fields } from '../../content/foreign-value.ts';
import type { RuleBroken } from '../../lab/lint/rules/rule-broken.ts';
import type { Accepted, ApiContext, MeteredTokens, Prompt, ServerEvent } from '../contract.ts';

/** One API: its rules, its answers and its errors. */
export interface Api {
  /** The prompt of a request. @throws RuleBroken in the vendor's words if the request breaks a rule of the API. */
  read(body: Fields, context: ApiContext): Prompt;
  /** The body of an answer and the same as events. */
  write(
    answer: readonly unknown[],
    written: WrittenAnswer,
  ): Pick<Accepted, 'body'> & { readonly events: readonly ServerEvent[] };
  /** The words in these events; absent where all output is billed, however much of it was sent. */
  wordsIn?(events: readonly ServerEvent[]): string;
  /** The body for a request that only counts. */
  count(tokens: number): Fields;
  refuse(broken: RuleBroken): Fields;
  /** The vendor's words for a prompt over the window. */
  tooLong(tokens: number, limit: number): RuleBroken;
}

interface WrittenAnswer {
  readonly model: string;
  readonly id: string;
  readonly tokens: MeteredTokens;
  readonly dropped: Prompt['dropped'];
  readonly betas: readonly string[];
  /** True if the answer ends at the limit of the request. */
  readonly isCut: boolean;
}

/** The tokens of the whole prompt. */
export const inputTokens = ({ uncached, read, written, writtenForAnHour }: MeteredTokens): number =>
  uncached + read + written + writtenForAnHour;
