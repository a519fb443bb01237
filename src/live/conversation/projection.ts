import { CHARACTERS_PER_TOKEN } from '../request/dialects.ts';
import type { Replacement } from '../request/request-list.ts';
import type { LiveResult } from './element.ts';
import type { FrozenResult } from './frozen.ts';
import type { History } from './history.ts';

type Forms = ReadonlyMap<string, FrozenResult>;

/** The tokens that the other form of a result saves, estimated. */
export const savedTokens = ({ text }: LiveResult, form: FrozenResult): number =>
  Math.round((text.length - form.text.length) / CHARACTERS_PER_TOKEN);

/** The form in which a history is sent, by its frozen results. It grows with the history. */
export class Projection {
  /** Tokens of each entry as it is sent. */
  readonly tokens: number[] = [];
  /** In the order of the history. */
  readonly replacements: Replacement[] = [];
  savedTokens = 0;
  /** The sum of `tokens`. */
  sentTokens = 0;
  #results = 0;

  /** True until it contains something. */
  get isNew(): boolean {
    return this.tokens.length === 0;
  }

  /** Adds what is new in the history. */
  extend(history: History, forms: Forms): void {
    for (let at = this.tokens.length; at < history.tokens.length; at++) {
      this.tokens.push(history.tokens[at]!);
      this.sentTokens += history.tokens[at]!;
    }
    for (; this.#results < history.results.length; this.#results++) {
      const { result, element, at } = history.results[this.#results]!;
      const form = forms.get(result.id);
      if (form === undefined) continue;
      const saved = savedTokens(result, form);
      this.savedTokens += saved;
      const before = this.tokens[at]!;
      this.tokens[at] = Math.max(0, before - saved);
      this.sentTokens += this.tokens[at] - before;
      this.replacements.push({ element, path: result.path, text: form.text });
    }
  }

  /** The replacements of a history of which the last results may not be added yet. */
  ahead({ results }: History, forms: Forms): readonly Replacement[] {
    const added = results.slice(this.#results).flatMap(({ result, element }) => {
      const form = forms.get(result.id);
      return form === undefined ? [] : { element, path: result.path, text: form.text };
    });
    return [...this.replacements, ...added];
  }

  /** Starts again, after older results changed their form. */
  renew(history: History, forms: Forms): void {
    this.tokens.length = 0;
    this.replacements.length = 0;
    this.savedTokens = 0;
    this.sentTokens = 0;
    this.#results = 0;
    this.extend(history, forms);
  }
}
