import { append } from '../../../content/append.ts';
import type { IContent } from '../../../content/content.ts';
import type { BlockEdit } from '../../lines/edits.ts';
import type { PlacedBlock } from '../../messages/message-part.ts';
import type { TreeLine } from '../tree-line.ts';
import type { Clearing } from './clearing.ts';
import { type Draft, draftBlocks } from './draft.ts';

/** The changes of one line of the file. */
export interface LinePlan {
  readonly line: TreeLine;
  /** The edits of its parts; a part that is not listed is kept. */
  readonly edits: Map<PlacedBlock, BlockEdit>;
  /** The new parent line. */
  parentUuid?: string;
  /** Calls whose results this line no longer clears, because they have new content. */
  readonly restored: string[];
  /** New entries on the path directly before it. */
  readonly before: IContent[];
  /** Calls whose results are cleared by a new line directly before it. */
  clears: readonly string[];
}

/** The edit that removes a part. */
export const DROP: BlockEdit = { kind: 'drop' };

/** The changes of the lines of a file, line by line. */
export class LinePlans {
  /** By line number. Lines that are not listed are written unchanged. */
  readonly byNumber = new Map<number, LinePlan>();
  readonly #restored = new Set<string>();

  /** The plan of a line; all copies of a line share one. */
  at(line: TreeLine): LinePlan {
    const number = line.lines[0] ?? 0;
    const plan = this.byNumber.get(number) ?? { line, edits: new Map(), restored: [], before: [], clears: [] };
    for (const copy of line.lines) this.byNumber.set(copy, plan);
    return plan;
  }

  /** The edits of the parts of a line so far. */
  editsOf(line: TreeLine): LinePlan['edits'] | undefined {
    return this.byNumber.get(line.lines[0] ?? 0)?.edits;
  }

  /** Adds the edits of the blocks of an entry. */
  entry(draft: Draft, edits: readonly BlockEdit[]): void {
    for (const [index, { line, part }] of draftBlocks(draft).entries()) {
      const became = edits[index]!;
      if (became.kind === 'keep') continue;
      this.at(line).edits.set(part, became);
      if (became.kind === 'change' && draft.isCleared && part.block.type === 'tool_response')
        this.#restored.add(part.block.callId);
    }
  }

  /** Keeps clearing lines for earlier results of a call from clearing a new result of it. */
  keepUncleared({ blocks }: IContent): void {
    for (const block of blocks) if (block.type === 'tool_response') this.#restored.add(block.callId);
  }

  /** Adds the clearing line before its line. */
  clear({ before, callIds }: Clearing): void {
    this.at(before).clears = callIds;
  }

  /**
   * Keeps cleared results with new content from being cleared when the file is read. Other cleared results with the same
   * id get the marker as their content. A change of a cleared result removes its hidden media.
   */
  restoreCleared(tree: readonly TreeLine[], live: readonly Draft[]): void {
    for (const line of tree) {
      const restored = [...(line.cleared ?? [])].filter((id) => this.#restored.has(id));
      if (restored.length > 0) append(this.at(line).restored, restored);
    }
    for (const draft of live.filter(({ isCleared }) => isCleared)) {
      for (const { block, line, part } of draftBlocks(draft)) {
        const isShared = block.type === 'tool_response' && this.#restored.has(block.callId);
        if (!isShared && !this.editsOf(line)?.has(part)) continue;
        const { edits } = this.at(line);
        if (!edits.has(part)) edits.set(part, { kind: 'change', block });
        for (const hidden of line.parts) if (hidden.path.length > 1) edits.set(hidden, DROP);
      }
    }
  }

  /** True if nothing of a line is kept. */
  isRemoved(line: TreeLine): boolean {
    const edits = this.editsOf(line);
    return edits !== undefined && line.parts.every((part) => edits.get(part)?.kind === 'drop');
  }
}
