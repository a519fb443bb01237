import type { PruneReport } from '../../live/contract.ts';
import type { LoggedCall } from '../call-log.ts';

/** Less growth says little: a provider counts more than texts. */
const MIN_TOKENS = 2_000;
/** Outside of these something else was counted, such as pictures. */
const MIN_RATIO = 0.4;
const MAX_RATIO = 2.5;

interface Prompt {
  readonly counted: number;
  readonly estimated: number;
}

/**
 * What a provider counts for the tokens that were estimated by length, learned from the prompts of one conversation: from
 * what was added to it between two calls, and before that from its first prompt with system prompt and tools. A provider
 * also counts the form of each call and result. Where calls added unequal amounts, a line through them tells that from the texts.
 */
export class CountedTokens {
  readonly #added = { calls: 0, counted: 0, estimated: 0, product: 0, square: 0 };
  #first: Prompt | undefined;
  #last: Prompt | undefined;

  /** The call with its savings in the provider's tokens. Calls are given in their order. */
  inCounted(call: LoggedCall): LoggedCall {
    const { report } = call;
    if (report === undefined) return call;
    this.#learn(call);
    const ratio = this.#ratio();
    if (ratio === undefined) return call;
    const counted = (tokens: number): number => Math.round(tokens * ratio);
    const changed = report.changed.map((one) => ({ ...one, savedTokens: counted(one.savedTokens) }));
    return { ...call, report: { ...report, savedTokens: counted(report.savedTokens), changed } };
  }

  #learn({ usage, report, isShadow }: LoggedCall): void {
    // Calls of earlier versions have no `sentTokens`.
    const { sentTokens = 0, savedTokens = 0, isEpoch, isBranch, isPing }: Partial<PruneReport> = report ?? {};
    if (usage === undefined || sentTokens === 0 || isPing) return;
    const prompt = {
      counted: usage.promptTokens,
      estimated: sentTokens + (isShadow ? savedTokens : 0),
    };
    const last = this.#last;
    this.#first ??= prompt;
    this.#last = prompt;
    // If earlier text changed, added text cannot be told from removed text.
    if (last === undefined || isBranch === true || (isEpoch && !isShadow)) return;
    const counted = prompt.counted - last.counted;
    const estimated = prompt.estimated - last.estimated;
    this.#added.calls++;
    this.#added.counted += counted;
    this.#added.estimated += estimated;
    this.#added.product += counted * estimated;
    this.#added.square += estimated ** 2;
  }

  #ratio(): number | undefined {
    const ratio = this.#slope() ?? this.#mean();
    return ratio === undefined ? undefined : Math.min(MAX_RATIO, Math.max(MIN_RATIO, ratio));
  }

  /** The slope of the line with the least squares; undefined while no two calls added amounts that differ enough. */
  #slope(): number | undefined {
    const { calls, counted, estimated, product, square } = this.#added;
    const spread = square - estimated ** 2 / calls;
    return spread >= MIN_TOKENS ** 2 / 2 ? (product - (counted * estimated) / calls) / spread : undefined;
  }

  #mean(): number | undefined {
    const known = this.#added.estimated >= MIN_TOKENS ? this.#added : this.#first;
    return known && known.counted / known.estimated;
  }
}
