/** A model call of a conversation whose prompts are pruned. */
export interface PastCall {
  readonly promptTokens: number;
  /** Tokens of the prefix that the previous prompt had too. */
  readonly keptTokens: number;
  /** Time since the previous call; `undefined` if that is not known: the cache then counts as warm. */
  readonly idleMs: number | undefined;
  /** Tokens that the prompt would have more without pruning; all of its prefix if nothing else changed it. */
  readonly removedTokens: number;
  /** True if the conversation was compressed or rebuilt since the previous call, so that its prefix would be lost without pruning too. */
  readonly isRebuilt: boolean;
}

/** A call as it is sent. `pruned`: what was applied before it, and how much of the prompt is before the first change. */
export interface SentCall extends Pick<PastCall, 'promptTokens' | 'idleMs'> {
  readonly pruned?: { readonly savedTokens: number; readonly keptTokens: number } | undefined;
}

/** The calls of a conversation in order, with what pruning removed from them. */
export class PastCalls {
  readonly #calls: PastCall[];
  #removedTokens: number;
  #isRebuilt = false;

  /** Continues after these calls. */
  constructor(calls: readonly PastCall[] = []) {
    this.#calls = [...calls];
    this.#removedTokens = calls.at(-1)?.removedTokens ?? 0;
  }

  get calls(): readonly PastCall[] {
    return this.#calls;
  }

  /** Tokens that the next prompt would have more without pruning, if nothing more is removed. */
  get removedTokens(): number {
    return this.#removedTokens;
  }

  sent({ promptTokens, idleMs, pruned }: SentCall): void {
    const last = this.#calls.at(-1)?.promptTokens ?? 0;
    this.#removedTokens += pruned?.savedTokens ?? 0;
    const keptTokens = this.#isRebuilt ? 0 : Math.min(last, promptTokens, pruned?.keptTokens ?? last);
    this.#calls.push({
      promptTokens,
      keptTokens,
      idleMs,
      removedTokens: this.#removedTokens,
      isRebuilt: this.#isRebuilt,
    });
    this.#isRebuilt = false;
  }

  /** Forgets the calls after so many. */
  cut(count: number): void {
    this.#isRebuilt = this.#calls[count]?.isRebuilt ?? this.#isRebuilt;
    this.#calls.length = Math.min(this.#calls.length, count);
    this.#removedTokens = this.#isRebuilt ? 0 : (this.#calls.at(-1)?.removedTokens ?? 0);
  }

  /** Call it when the conversation is compressed, or when its agent rebuilds it: nothing of the last prompt is left. */
  rebuilt(): void {
    this.#removedTokens = 0;
    this.#isRebuilt = true;
  }
}
