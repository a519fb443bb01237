import type { IContent } from '../../../content/content.ts';
import type { BlockEdit, EntryEdit } from '../../lines/edits.ts';
import type { PlacedBlock } from '../../messages/message-part.ts';
import type { TreeLine } from '../tree-line.ts';
import type { Clearing } from './clearing.ts';
import { type Draft, draftBlocks } from './draft.ts';

/** What becomes of one line of the file. */
export interface LinePlan {
  readonly line: TreeLine;
  /** What becomes of its parts; one that is not listed is kept. */
  readonly edits: Map<PlacedBlock, BlockEdit>;
  /** The line that it hangs on from now on. */
  parentUuid?: string;
  /** Calls whose results are no longer cleared by this line, because they say something new. */
  readonly restored: string[];
  /** New entries that stand on the path directly before it. */
  readonly before: IContent[];
  /** Calls whose results a new line directly before it clears. */
  clears: readonly string[];
}

/** What becomes of a part that goes. */
export const DROP: BlockEdit = { kind: 'drop' };

/** What becomes of the lines of a file, each for itself. */
export class LinePlans {
  /** By line number. Lines that are not listed are written as they stand. */
  readonly byNumber = new Map<number, LinePlan>();
  readonly #restored = new Set<string>();

  /** The plan of a line, which is one for all of its copies. */
  at(line: TreeLine): LinePlan {
    const number = line.lines[0] ?? 0;
    const plan = this.byNumber.get(number) ?? { line, edits: new Map(), restored: [], before: [], clears: [] };
    for (const copy of line.lines) this.byNumber.set(copy, plan);
    return plan;
  }

  /** What becomes of the parts of a line so far. */
  editsOf(line: TreeLine): LinePlan['edits'] | undefined {
    return this.byNumber.get(line.lines[0] ?? 0)?.edits;
  }

  /** Takes over what became of an entry. */
  entry(draft: Draft, edit: EntryEdit): void {
    if (edit.kind === 'keep') return;
    for (const [index, { line, part }] of draftBlocks(draft).entries()) {
      const became = edit.kind === 'drop' ? DROP : (edit.blocks[index] ?? DROP);
      if (became.kind === 'keep') continue;
      this.at(line).edits.set(part, became);
      if (became.kind === 'change' && draft.isCleared && part.block.type === 'tool_response')
        this.#restored.add(part.block.callId);
    }
  }

  /** A new result is not cleared by a mark that cleared an earlier one to the same call. */
  keepUncleared({ blocks }: IContent): void {
    for (const block of blocks) if (block.type === 'tool_response') this.#restored.add(block.callId);
  }

  /** Puts the mark that clears results before its line. */
  clear({ before, callIds }: Clearing): void {
    this.at(before).clears = callIds;
  }

  /**
   * Cleared results that say something new must not be cleared again when the file is read; those that share their id
   * and stay cleared say so themselves from now on. Media that a cleared result hides go when it is touched.
   */
  restoreCleared(tree: readonly TreeLine[], live: readonly Draft[]): void {
    for (const line of tree) {
      const restored = [...(line.cleared ?? [])].filter((id) => this.#restored.has(id));
      if (restored.length > 0) this.at(line).restored.push(...restored);
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

  /** Whether nothing of a line stays. */
  isGone(line: TreeLine): boolean {
    const edits = this.editsOf(line);
    return edits !== undefined && line.parts.every((part) => edits.get(part)?.kind === 'drop');
  }
}
