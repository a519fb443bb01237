import type { ContentBlock, ContentMetadata, Speaker } from '../../content/content.ts';
import type { JsonPath } from '../json/json-splice.ts';
import type { BlockEdit } from '../lines/edits.ts';

/** A block and its path in the value from which it was read. */
export interface PlacedBlock {
  readonly block: ContentBlock;
  readonly path: JsonPath;
}

/** A block that was read, its path and its edit. */
export interface PlacedEdit extends PlacedBlock {
  readonly edit: BlockEdit;
}

/** A part of a message that is one entry. `places` contains the path of each block in the message. */
export interface MessagePart {
  readonly speaker: Speaker;
  readonly blocks: readonly ContentBlock[];
  readonly places: readonly JsonPath[];
  readonly metadata?: ContentMetadata | undefined;
}

/** These blocks as one part. */
export function partOf(speaker: Speaker, placed: readonly PlacedBlock[], metadata?: ContentMetadata): MessagePart {
  return { speaker, blocks: placed.map(({ block }) => block), places: placed.map(({ path }) => path), metadata };
}

/** Collects the blocks of one part of a message. */
export class PartBlocks {
  readonly blocks: ContentBlock[] = [];
  readonly places: JsonPath[] = [];

  /** Adds a block at this path; does nothing for `undefined`. */
  add(block: ContentBlock | undefined, ...place: JsonPath): void {
    if (!block) return;
    this.blocks.push(block);
    this.places.push(place);
  }

  /** The part; `undefined` without blocks. */
  part(speaker: Speaker): MessagePart | undefined {
    if (this.blocks.length === 0) return undefined;
    return { speaker, blocks: this.blocks, places: this.places, metadata: undefined };
  }
}

/**
 * The parts of a message that can contain results: each result with its attached blocks is a part, and blocks between
 * results are a part by `speaker`.
 */
export function partsByResult(
  placed: readonly PlacedBlock[],
  speaker: Speaker,
  isAttached: (one: PlacedBlock) => boolean,
): MessagePart[] {
  const runs: { speaker: Speaker; placed: PlacedBlock[] }[] = [];
  for (const one of placed) {
    const isResult = one.block.type === 'tool_response';
    const last = runs.at(-1);
    if (last && !isResult && (last.speaker !== 'tool' || isAttached(one))) last.placed.push(one);
    else runs.push({ speaker: isResult ? 'tool' : speaker, placed: [one] });
  }
  return runs.map((run) => partOf(run.speaker, run.placed));
}
