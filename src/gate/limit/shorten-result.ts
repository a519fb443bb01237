import type { ToolResponseBlock } from '../../content/content.ts';
import { counted } from '../../content/counted.ts';
import { copyForJson } from '../../history/views/copy.ts';

/** Attempts to meet a token limit; each keeps a fifth less than the one before. */
const MAX_ATTEMPTS = 8;
const NEXT_ATTEMPT_RATIO = 0.8;
/** Share of the kept text that comes from the start. The end is kept too: it often says how a command ended. */
const HEAD_RATIO = 0.6;

/** The start and the end of `text`, `keepUnits` UTF-16 units together, with the number of cut characters between them. Splits no surrogate pair. */
function cutMiddle(text: string, keepUnits: number): string {
  if (keepUnits >= text.length) return text;
  let head = Math.floor(keepUnits * HEAD_RATIO);
  let tail = text.length - (keepUnits - head);
  if (/[\uD800-\uDBFF]/.test(text.charAt(head - 1))) head--;
  if (/[\uDC00-\uDFFF]/.test(text.charAt(tail))) tail++;
  const cutUnits = tail - head;
  return `${text.slice(0, head)}\n[… ${counted(cutUnits, 'character')} cut to fit the context window …]\n${text.slice(tail)}`;
}

/**
 * The response with its result (as text) and a long error cut in the middle, to at most `limitTokens` tokens together;
 * `undefined` if that does not make it smaller. `tokens` is its current count, `countTokens` counts a response.
 */
export async function shortenResult(
  response: ToolResponseBlock,
  {
    tokens,
    limitTokens,
    countTokens,
  }: { tokens: number; limitTokens: number; countTokens: (response: ToolResponseBlock) => Promise<number> },
): Promise<{ response: ToolResponseBlock; tokens: number } | undefined> {
  const text = typeof response.result === 'string' ? response.result : JSON.stringify(copyForJson(response.result));
  if (text === undefined || tokens === 0) return undefined;
  const { error = '' } = response;
  let keepUnits = Math.floor(((text.length + error.length) * limitTokens) / tokens);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    // An error says the most in the fewest tokens: it is cut only if it would take more than half.
    const errorUnits = Math.min(error.length, Math.max(Math.floor(keepUnits / 2), keepUnits - text.length));
    const resultUnits = keepUnits - errorUnits;
    const shortened = {
      ...response,
      ...(resultUnits < text.length && { result: cutMiddle(text, resultUnits) }),
      ...(errorUnits < error.length && { error: cutMiddle(error, errorUnits) }),
    };
    const counted = await countTokens(shortened);
    if (counted <= limitTokens) return counted < tokens ? { response: shortened, tokens: counted } : undefined;
    keepUnits = Math.floor(keepUnits * NEXT_ATTEMPT_RATIO);
  }
  return undefined;
}
