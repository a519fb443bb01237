import type { IContent } from '../../content/content.ts';
import type { NewSession } from '../contract.ts';
/**
 * The Responses API items of an entry. Thinking of another provider has no place: only encrypted reasoning is kept.
 * Media and text behind a response go into its output. `isRaw` has the ids of the calls whose input is raw text.
 */
export declare function newItems({ speaker, blocks, metadata }: IContent, isRaw?: ReadonlySet<string>): unknown[];
/** A new rollout: header, turn context, one line per item, and for what people said the line that the screen shows. */
export declare function createRollout(history: readonly IContent[], session: NewSession): Generator<Uint8Array>;
