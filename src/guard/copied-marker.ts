import type { IContent, ToolCallBlock } from '../content/content.ts';
import type { CopiedMarker, CopiedMarkerOptions } from './contract.ts';

/**
 * Resolves to the marker of a conversation that a call would write into a file, before the call runs; of several the first,
 * `undefined` if there is none.
 *
 * `history`: the conversation as it was sent, with its markers in results. Looked at are the text of a file, the new side of an edit,
 * the added lines of a patch and what a shell script writes, of every known tool. A copy has the form of a marker and the words of one
 * that was sent; hash, numbers, quotes, line ends, escapes and the signs of comments and differences may differ, and it may be
 * a part of a longer line. A marker is no copy that the call replaces or finds, or that the words of the user or `texts`
 * contain. Rejects for no parameters. Linear in the call; in the history only where the call contains something like a marker. What
 * knows the tools of agents is loaded with the first call.
 */
export async function copiedMarker(
  call: ToolCallBlock,
  history: readonly IContent[],
  options?: CopiedMarkerOptions,
): Promise<CopiedMarker | undefined> {
  return (await import('./copy-in.ts')).copyIn(call, history, options);
}
