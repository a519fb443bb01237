/** A model call of a conversation whose prompts are pruned. */
export interface PastCall {
  readonly promptTokens: number;
  /** Tokens of the prefix that the previous prompt had too. */
  readonly keptTokens: number;
  /** Time since the previous call; `undefined` if that is not known: the cache then counts as warm. */
  readonly idleMs: number | undefined;
  /** Tokens that the prompt would have more without pruning; all of its prefix if nothing else changed it. */
  readonly removedTokens: number;
  /** What was left of the previous prompt, if the conversation did not just go on. */
  readonly left?: LeftOfPrompt;
}

/** Tokens of the prefix that a prompt shares with the one before, as it was sent, and as it would be without pruning. */
export interface LeftOfPrompt {
  readonly tokens: number;
  readonly unprunedTokens: number;
}

const NOTHING: LeftOfPrompt = { tokens: 0, unprunedTokens: 0 };

/** A call as it is sent. `pruned`: what was applied before it, and how much of the prompt is before the first change. */
export interface SentCall extends Pick<PastCall, 'promptTokens' | 'idleMs'> {
  readonly pruned?: { readonly savedTokens: number; readonly keptTokens: number } | undefined;
}

/** The calls of a conversation in order, with what pruning removed from them. */
export class PastCalls {
  readonly calls: PastCall[];
  /** Tokens that the next prompt would have more without pruning, if nothing more is removed. */
  removedTokens: number;
  #left: LeftOfPrompt | undefined;

  /** Continues after these calls. */
  constructor(calls: readonly PastCall[] = []) {
    this.calls = [...calls];
    this.removedTokens = calls.at(-1)?.removedTokens ?? 0;
  }

  sent({ promptTokens, idleMs, pruned }: SentCall): void {
    const last = this.calls.at(-1)?.promptTokens ?? 0;
    this.removedTokens += pruned?.savedTokens ?? 0;
    const left = this.#left;
    const keptTokens = Math.min(left?.tokens ?? last, last, promptTokens, pruned?.keptTokens ?? last);
    this.calls.push({ promptTokens, keptTokens, idleMs, removedTokens: this.removedTokens, ...(left && { left }) });
    this.#left = undefined;
  }

  /** Forgets the calls after so many. */
  cut(count: number): void {
    this.#left = this.calls[count]?.left ?? this.#left;
    this.calls.length = Math.min(this.calls.length, count);
    this.removedTokens = this.#left ? 0 : (this.calls.at(-1)?.removedTokens ?? 0);
  }

  /**
   * Call it when the conversation is compressed, when its agent rebuilds it, or when another model is asked, of which nothing
   * of the last prompt is left; or when it goes back, of which the start is left. All that the next prompt would have more
   * without pruning is then to be told with it.
   */
  rebuilt(left = NOTHING): void {
    this.removedTokens = 0;
    this.#left = left;
  }
}
