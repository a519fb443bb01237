import type { ContentBlock } from '../../../content/content.ts';
import { editText } from '../../../content/files/edit-text.ts';
import { isPruned } from '../../../content/pruned-result.ts';
import type { BlockPlace } from '../../reasons/call-place.ts';
import type { FileCall } from '../rules/file-call.ts';
import type { Source } from './repeats.ts';
import { textLines } from './text-lines.ts';

/** A text that a call shows or writes, and where. */
export interface Shown extends Source, BlockPlace {
  readonly call: FileCall;
  readonly text: string;
}

/** A block as it is sent; `undefined` if it is not. */
export type BlockAt = (entry: number, block: number) => ContentBlock | undefined;

/** What the results of a call show, or what the call writes. */
export function textsOf(call: FileCall, blockAt: BlockAt): Shown[] {
  const texts: Shown[] = [];
  const add = (owner: ContentBlock, own: readonly string[], place: BlockPlace): void => {
    for (const [at, lines] of textLines(owner, own).entries())
      texts.push({ entry: place.entry, block: place.block, call, lines, text: own[at]! });
  };
  for (const place of call.responses) {
    const response = blockAt(place.entry, place.block);
    if (response?.type !== 'tool_response' || isPruned(response.result)) continue;
    if (typeof response.result === 'string') add(response, [response.result], place);
  }
  if (call.writeKeys.length === 0) return texts;
  const written = blockAt(call.entry, call.block);
  if (written?.type === 'tool_call') add(written, editText(written)?.after ?? [], call);
  return texts;
}
