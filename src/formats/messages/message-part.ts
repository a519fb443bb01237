import type { ContentBlock, ContentMetadata, Speaker } from '../../content/content.ts';
import { unchangeable } from '../blocks/opaque-block.ts';
import type { JsonChange, JsonPath } from '../json/json-change.ts';
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

/** Where the content of a block is. */
interface ContentPaths {
  readonly text: JsonPath;
  /** Absent: there are no calls. */
  readonly name?: JsonPath;
  readonly input?: JsonPath;
}

/**
 * The changes for the edit of a text or a call; what is removed is removed as a whole.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` if another block was changed.
 */
export function editChanges({ block, path, edit }: PlacedEdit, { text, name, input }: ContentPaths): JsonChange[] {
  if (edit.kind === 'keep') return [];
  if (edit.kind === 'drop') return [{ kind: 'remove', path }];
  const after = edit.block;
  if (after.type === 'text') return [{ kind: 'set', path: text, value: after.text }];
  if (after.type !== 'tool_call' || block.type !== 'tool_call' || !name || !input) throw unchangeable(block);
  const named: JsonChange[] = after.name === block.name ? [] : [{ kind: 'set', path: name, value: after.name }];
  return [...named, { kind: 'set', path: input, value: after.parameters }];
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
