import { isDeepStrictEqual } from 'node:util';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { groupBy } from '../../content/group-by.ts';
import type { LineMessage } from '../lines/line-messages.ts';

type Entries = LineMessage['entries'];

/** True if a block of a user message repeats `block`. Only a recorded call has a status, and with it an error. */
function isCopy(copy: ContentBlock, block: ContentBlock | undefined): boolean {
  if (copy.type !== 'tool_response' || block?.type !== 'tool_response') return isDeepStrictEqual(copy, block);
  const { error, providerMetadata: _, ...facts } = block;
  if (copy.error !== undefined && copy.error !== error) return false;
  const { error: __, ...others } = copy;
  return isDeepStrictEqual(others, facts);
}

const answeredBy = ({ speaker, blocks: [first] }: IContent): string | undefined =>
  speaker === 'tool' && first?.type === 'tool_response' ? first.callId : undefined;

/**
 * Finds the results that a recording contains twice: Gemini CLI 0.61.0 writes each into its call, and again into the user
 * message that follows. When it resumes the session it sends both, so both must change. Two user messages with one result,
 * as in a session that was resumed, are two entries: the model gets both.
 * Source: recordings of Gemini CLI 0.61.0, and its `convertSessionToClientHistory`
 */
export class ResultCopies {
  /** The results of the last answer with a call of this id, in order. */
  readonly #results = new Map<string, readonly IContent[]>();
  readonly #copies = new WeakSet<Entries[number]>();

  /** Notes the results in the calls of an answer. */
  note(entries: Entries): void {
    const byCall = groupBy(
      entries.map(({ entry }) => entry),
      answeredBy,
    );
    for (const [callId, results] of byCall) if (callId !== undefined) this.#results.set(callId, results);
  }

  /** The entries of a user message; a copy of a noted result becomes that entry, with the places of the copy. */
  join(entries: Entries): Entries {
    const joined = new Set<IContent>();
    return entries.map((one) => {
      const { blocks } = one.entry;
      const isOf = (result: IContent): boolean =>
        !joined.has(result) &&
        blocks.length === result.blocks.length &&
        blocks.every((block, at) => isCopy(block, result.blocks[at]));
      const result = this.#results.get(answeredBy(one.entry) ?? '')?.find(isOf);
      if (result === undefined) return one;
      joined.add(result);
      const copy = { ...one, entry: result };
      this.#copies.add(copy);
      return copy;
    });
  }

  /** The contents of entries, without copies. */
  contentsOf(entries: Entries): IContent[] {
    return entries.flatMap((one) => (this.#copies.has(one) ? [] : [one.entry]));
  }
}
