import type { ContentBlock, ContentMetadata, Speaker } from '../../content/content.ts';
import type { JsonPath } from '../json/json-splice.ts';
import type { BlockEdit } from '../lines/edits.ts';

/** A block and where it stands: a path from the value that it was read from. */
export interface PlacedBlock {
  readonly block: ContentBlock;
  readonly path: JsonPath;
}

/** A block as it was read, its place, and what became of it. */
export interface PlacedEdit extends PlacedBlock {
  readonly edit: BlockEdit;
}

/** A part of a message that is one entry. `places` has the path of each block inside the message. */
export interface MessagePart {
  readonly speaker: Speaker;
  readonly blocks: readonly ContentBlock[];
  readonly places: readonly JsonPath[];
  readonly metadata?: ContentMetadata | undefined;
}

/** The part that these blocks are. */
export function partOf(speaker: Speaker, placed: readonly PlacedBlock[], metadata?: ContentMetadata): MessagePart {
  return { speaker, blocks: placed.map(({ block }) => block), places: placed.map(({ path }) => path), metadata };
}

/** The part of a message, block by block. */
export class PartBlocks {
  readonly blocks: ContentBlock[] = [];
  readonly places: JsonPath[] = [];

  /** Takes a block that stands at `place`; nothing where there is none. */
  add(block: ContentBlock | undefined, ...place: JsonPath): void {
    if (!block) return;
    this.blocks.push(block);
    this.places.push(place);
  }

  /** The part; undefined when it says nothing. */
  part(speaker: Speaker): MessagePart | undefined {
    if (this.blocks.length === 0) return undefined;
    return { speaker, blocks: this.blocks, places: this.places, metadata: undefined };
  }
}

/**
 * The parts of a message in which results may stand: each result with what is attached to it is one, what stands
 * between results is another, said by `speaker`.
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
