import type { FrozenResult } from './frozen.ts';

/** A result, or a summary, that has another form, and the form before. */
export interface ChangedForm {
  readonly result: { readonly id: string };
  readonly before: FrozenResult | undefined;
}

/** The forms of a branch that no answer has accepted yet. An answer in a later list shows that they were. */
export class Unaccepted {
  /** By result, the form before; `undefined`: as the agent wrote it. */
  readonly #before: Map<string, FrozenResult | undefined>;
  /** The elements of the last request with these forms. */
  #sentElements = Number.POSITIVE_INFINITY;

  /** `inherited`: the forms of another branch, which no request of this branch had yet. */
  constructor(inherited?: Unaccepted) {
    this.#before = new Map(inherited ? inherited.#before : []);
  }

  /** Notes the forms of a request with so many elements. */
  sent(changed: readonly ChangedForm[], elements: number): void {
    for (const { result, before } of changed) if (!this.#before.has(result.id)) this.#before.set(result.id, before);
    this.#sentElements = elements;
  }

  /** Follows a list whose last answer ends before this element. */
  follow(fresh: number): void {
    if (fresh > this.#sentElements) this.#before.clear();
  }

  /** What to take back: each result that has one of these forms, and the form before. */
  in(forms: ReadonlyMap<string, FrozenResult>): readonly [id: string, before: FrozenResult | undefined][] {
    return [...this.#before].filter(([id]) => forms.has(id));
  }

  clear(): void {
    this.#before.clear();
  }
}
