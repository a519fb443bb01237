import type { ContentBlock, ContentMetadata, Speaker } from '../../content/content.ts';
import type { JsonPath } from '../json/json-change.ts';
import type { MessagePart } from '../messages/message-part.ts';

/** A part of one text of a message and its block. `frame`: the line that names the tool of a result. */
export interface Piece {
  /** Index in the list of content; -1 if the content is a text. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly kind: 'text' | 'call' | 'frame' | 'result';
  /** Number of its block among the blocks in texts; their paths are `['text', number]`. */
  readonly block: number;
}

/** The entries of one message, and the parts of its texts that contain them. */
export interface Reading {
  readonly parts: readonly MessagePart[];
  readonly pieces: readonly Piece[];
}

/** Collects the blocks of a message in runs by speaker; each result starts a run. */
export class MessageRuns {
  readonly pieces: Piece[] = [];
  readonly #runs: { speaker: Speaker; blocks: ContentBlock[]; places: JsonPath[] }[] = [];
  #count = 0;

  add(speaker: Speaker, block: ContentBlock, place: JsonPath): void {
    const last = this.#runs.at(-1);
    if (last && block.type !== 'tool_response' && last.speaker === speaker) {
      last.blocks.push(block);
      last.places.push(place);
    } else this.#runs.push({ speaker, blocks: [block], places: [place] });
  }

  /** Adds a block in a text; `settle` can replace it later. */
  text(speaker: Speaker, block: ContentBlock, { index, start, end, kind }: Omit<Piece, 'block'>): number {
    const number = this.#count++;
    this.add(speaker, block, ['text', number]);
    this.pieces.push({ index, start, end, kind, block: number });
    return number;
  }

  settle(number: number, block: ContentBlock): void {
    for (const { blocks, places } of this.#runs) {
      const at = places.findIndex((place) => place[0] === 'text' && place[1] === number);
      if (at !== -1) blocks[at] = block;
    }
  }

  reading(metadata: ContentMetadata): Reading {
    const parts = this.#runs.map(({ speaker, blocks, places }) => ({ speaker, blocks, places, metadata }));
    return { parts, pieces: this.pieces };
  }
}
