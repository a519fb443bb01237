import type { IContent } from '../../content/content.ts';
import { PRUNED_RESULT } from '../../content/pruned-result.ts';
import { keepOriginals, noteOriginal } from '../../strategies/high-density/repeated-lines/original-result.ts';
import type { LiveDialect } from '../request/dialects.ts';
import { NO_THINKING } from '../request/live-thinking.ts';
import type { Replacement } from '../request/request-list.ts';
import type { ConversationList, ListedResult } from './conversation-list.ts';
import type { LiveResult } from './element.ts';
import type { FrozenResult } from './frozen.ts';

type Forms = ReadonlyMap<string, FrozenResult>;

/** The tokens that the other form of a result saves, by their share of its entry's. */
export const savedTokens = (
  { result, at }: Pick<ListedResult, 'result' | 'at'>,
  form: FrozenResult,
  history: ConversationList,
): number => Math.round(history.tokensOf(result.length - form.text.length, at));

/** What changed of a projection: from this entry on, and some of these entries as the rules left them. */
interface Renewal {
  readonly from?: number;
  readonly left?: ReadonlyMap<number, IContent>;
}

/** The form in which a history is sent, by its frozen results. It grows with the history. */
export class Projection {
  /** Each entry as the rules read it: with the results that are sent, and a marker that the rules know in place of a removed result. */
  readonly entries: IContent[] = [];
  /** Tokens of each entry as it is sent. */
  readonly tokens: number[] = [];
  savedTokens = 0;
  /** The sum of `tokens`. */
  sentTokens = 0;
  readonly #dialect: LiveDialect;
  /** The replacements of results, in the order of the history. */
  readonly #ofResults: Replacement[] = [];
  /** Those of results, then those of summaries; a new list each time. */
  replacements: readonly Replacement[] = [];
  /** The entry of each replacement, and the tokens that it saves. */
  readonly #changes: { readonly at: number; readonly saved: number }[] = [];
  #results = 0;
  /** As in `ConversationList`, when it was last extended. */
  #seenFrom = 0;

  constructor(dialect: LiveDialect) {
    this.#dialect = dialect;
  }

  /** True until it contains something. */
  get isNew(): boolean {
    return this.tokens.length === 0;
  }

  /** The results that are sent in another form. */
  get results(): number {
    return this.#ofResults.length;
  }

  /** The tokens of the entries before the first one that its model sees and that is sent in another form. */
  get unchangedTokens(): number {
    const first = this.#changes.find(({ at }) => at >= this.#seenFrom);
    return first ? this.tokens.slice(0, first.at).reduce((sum, tokens) => sum + tokens, 0) : this.sentTokens;
  }

  /** Adds what is new in the history. Starts again if its model sees less of it. */
  extend(history: ConversationList, forms: Forms): void {
    if (this.#seenFrom !== history.seenFrom) {
      this.#seenFrom = history.seenFrom;
      this.renew(history, forms);
      return;
    }
    for (let at = this.tokens.length; at < history.tokens.length; at++) {
      this.entries.push(history.entries[at]!);
      this.tokens.push(history.tokens[at]!);
      this.sentTokens += history.tokens[at]!;
    }
    for (; this.#results < history.results.length; this.#results++) {
      const listed = history.results[this.#results]!;
      const form = forms.get(listed.result.id);
      if (form !== undefined) this.#change(listed, { form, saved: savedTokens(listed, form, history) });
    }
    this.replacements = [...this.#ofResults, ...ofSummaries(history, forms)];
  }

  /** The replacements of a history; its last results may not be added yet. */
  ahead(history: ConversationList, forms: Forms): readonly Replacement[] {
    const added = history.results.slice(this.#results).flatMap(({ result, element }) => {
      const form = forms.get(result.id);
      return form === undefined ? [] : replacementFor(result, element, form);
    });
    return [...this.#ofResults, ...added, ...ofSummaries(history, forms)];
  }

  /** Starts again, after older results changed their form. */
  renew(history: ConversationList, forms: Forms, { from = 0, left }: Renewal = {}): void {
    for (let at = from; at < this.tokens.length; at++) this.sentTokens -= this.tokens[at]!;
    const kept = Math.min(from, this.tokens.length);
    this.entries.length = kept;
    this.tokens.length = kept;
    while (this.#changes.length > 0 && this.#changes.at(-1)!.at >= from) {
      this.savedTokens -= this.#changes.pop()!.saved;
      this.#ofResults.pop();
    }
    this.#results = Math.min(this.#results, history.resultsFrom(from));
    this.extend(history, forms);
    // The rules know their own objects, and need not read them again.
    for (const [at, entry] of left ?? []) {
      if (at < from || !isSame(entry, this.entries[at]!)) continue;
      keepOriginals(entry, this.entries[at]!);
      this.entries[at] = entry;
    }
  }

  #change({ result, element, at }: ListedResult, { form, saved }: { form: FrozenResult; saved: number }): void {
    this.savedTokens += saved;
    const before = this.tokens[at]!;
    this.tokens[at] = Math.max(0, before - saved);
    this.sentTokens += this.tokens[at] - before;
    this.#ofResults.push(replacementFor(result, element, form));
    this.#changes.push({ at, saved });
    const entry = this.entries[at]!;
    if (result.block.type === 'thinking') {
      const blocks = entry.blocks.map((block) => (block.type === 'thinking' ? NO_THINKING : block));
      this.entries[at] = { ...entry, blocks };
      return;
    }
    if (result.block.type === 'text') {
      this.entries[at] = { ...entry, blocks: entry.blocks.with(result.blockAt, { ...result.block, text: form.text }) };
      return;
    }
    const isMarker = form.kind === 'pruned' && form.isCut !== true;
    const text = isMarker
      ? PRUNED_RESULT
      : this.#dialect.resultOf
        ? this.#dialect.resultOf(form.text, result.block)
        : form.text;
    const block = { ...result.block, result: text };
    noteOriginal(block, result.block);
    this.entries[at] = { ...entry, blocks: entry.blocks.with(result.blockAt, block) };
  }
}

const replacementFor = (
  { path, paths: omitted }: LiveResult,
  element: number,
  { text }: FrozenResult,
): Replacement => ({
  element,
  path,
  text,
  ...(omitted && { omitted }),
});

const ofSummaries = ({ summaries }: ConversationList, forms: Forms): Replacement[] =>
  summaries.flatMap(({ summary: { id, path }, element }): Replacement | [] => {
    const text = forms.get(id)?.text;
    return text === undefined ? [] : { element, path, text };
  });

/** True if two entries differ in no block but as objects. */
function isSame({ blocks }: IContent, other: IContent): boolean {
  return (
    blocks.length === other.blocks.length &&
    blocks.every((block, at) => {
      const same = other.blocks[at]!;
      if (block.type === 'text' && same.type === 'text') return block.text === same.text;
      if (block.type !== 'tool_response' || same.type !== 'tool_response') return block === same;
      return block.callId === same.callId && block.result === same.result && block.error === same.error;
    })
  );
}
