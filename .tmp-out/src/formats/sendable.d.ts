import type { IContent } from '../content/content.ts';
/**
 * The same conversation as a provider takes it: behind every answer with calls the results of these calls and nothing
 * else, each id once. A call that was never answered gets a failed result unless it is still pending at the end; a
 * result without a call becomes text. A history that is so already is returned entry by entry. Linear in blocks.
 */
export declare function sendable(history: readonly IContent[]): IContent[];
