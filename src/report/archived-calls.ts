import type { ToolCallBlock, ToolResponseBlock } from '../content/content.ts';
import { addTo } from '../content/group-by.ts';
import type { ReadBlock } from '../disk/block-archive.ts';

/** A call and its result are kept together, within this time of each other. */
const TOGETHER_MS = 1_000;

interface ArchivedCall {
  readonly call: ToolCallBlock;
  readonly keptAt: number;
}

type Kept<Block> = Pick<ReadBlock, 'keptAt'> & { readonly block: Block };

/** Calls of an archive, to which many conversations give blocks: their ids can repeat. */
export class ArchivedCalls {
  readonly #byId = new Map<string, ArchivedCall[]>();

  /** Adds the calls among these blocks. */
  add(blocks: readonly ReadBlock[]): void {
    for (const { block, keptAt } of blocks)
      if (block.type === 'tool_call') addTo(this.#byId, block.id, { call: block, keptAt });
  }

  /** The call of a result: the only one with its id, or the only one of these that was kept with it. Else nobody knows which it is. */
  of({ block, keptAt }: Kept<ToolResponseBlock>): ToolCallBlock | undefined {
    const calls = this.#byId.get(block.callId) ?? [];
    const together = calls.filter((one) => Math.abs(one.keptAt - keptAt) <= TOGETHER_MS);
    const [found, ...others] = calls.length === 1 ? calls : together;
    return others.length === 0 ? found?.call : undefined;
  }
}
