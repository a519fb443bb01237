/** Older samples do not count: what was known at the start comes at once, and says nothing about the rest. */
const RECENT_MS = 20_000;
/** Samples closer together are one. */
const STEP_MS = 250;

/** How fast work goes now, and how long the rest will take. */
export class RecentRate {
  #samples: { readonly atMs: number; readonly done: number }[] = [];

  add(atMs: number, done: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && atMs - last.atMs < STEP_MS) return;
    this.#samples.push({ atMs, done });
    this.#samples = this.#samples.filter((sample) => atMs - sample.atMs <= RECENT_MS);
  }

  /** Units in a second; undefined until it can be known. */
  at(nowMs: number, done: number): number | undefined {
    const first = this.#samples.find(({ atMs }) => nowMs - atMs <= RECENT_MS);
    if (first === undefined || nowMs - first.atMs < 4 * STEP_MS || done <= first.done) return undefined;
    return ((done - first.done) * 1000) / (nowMs - first.atMs);
  }
}
