import { isFailure } from '../content/calls/pairing.ts';
import type { ContentBlock, IContent, ToolCallBlock } from '../content/content.ts';
import type { CallOf } from '../content/files/entry-label.ts';
import { fileAccess } from '../content/files/file-access.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import type { Session } from '../formats/contract.ts';
import { TimeSlice } from '../history/time-slice.ts';

interface Write {
  readonly tool: string;
  readonly callId: string;
  /** The model call that asked for it, from 1. */
  readonly turn: number;
}

/** When what was said in a recorded session: model calls count from 1 as `replaySession` counts them. */
export class TurnIndex {
  readonly #turns = new Map<string, number>();
  readonly #calls = new Map<string, ToolCallBlock>();
  readonly #writes = new Map<string, Write[]>();
  readonly #failed = new Set<string>();
  readonly #vocabulary: ToolVocabulary;
  readonly #workspaceRoot: string;

  private constructor(vocabulary: ToolVocabulary, workspaceRoot: string) {
    this.#vocabulary = vocabulary;
    this.#workspaceRoot = workspaceRoot;
  }

  /** The index of a session. Linear in it; the thread is let go in between. */
  static async of(session: Session, vocabulary: ToolVocabulary): Promise<TurnIndex> {
    const index = new TurnIndex(vocabulary, session.workspaceRoot ?? '/');
    const slice = new TimeSlice();
    let turn = 0;
    for (const event of session.events) {
      if (event.kind === 'add' && event.content.speaker === 'ai') turn++;
      for (const entry of event.kind === 'add' ? [event.content] : event.contents) index.#see(entry, turn);
      if (slice.isOver()) await slice.next();
    }
    return index;
  }

  /** The model call that said it, or the last before it: 0 before the first. */
  turnOf(entry: IContent): number {
    return this.#turns.get(entry.metadata?.id ?? '') ?? 0;
  }

  readonly callOf: CallOf = (block) => (block.type === 'tool_response' ? this.#calls.get(block.callId) : undefined);

  /** Files that a call reads, absolute. */
  readsOf(call: ToolCallBlock): readonly string[] {
    return fileAccess(call, this.#vocabulary, this.#workspaceRoot).reads;
  }

  /** The last write to one of these files that was asked for before this model call and did not fail. */
  lastWrite(files: readonly string[], beforeTurn: number): (Write & { readonly file: string }) | undefined {
    const writes = files.flatMap((file) => {
      const write = this.#writes
        .get(file)
        ?.findLast(({ turn, callId }) => turn < beforeTurn && !this.#failed.has(callId));
      return write ? [{ ...write, file }] : [];
    });
    return writes.reduce<(typeof writes)[number] | undefined>(
      (last, write) => (last === undefined || write.turn > last.turn ? write : last),
      undefined,
    );
  }

  #see(entry: IContent, turn: number): void {
    const id = entry.metadata?.id;
    if (id === undefined || this.#turns.has(id)) return;
    this.#turns.set(id, turn);
    for (const block of entry.blocks) this.#seeBlock(block, turn);
  }

  #seeBlock(block: ContentBlock, turn: number): void {
    if (block.type === 'tool_response' && isFailure(block)) this.#failed.add(block.callId);
    if (block.type !== 'tool_call') return;
    this.#calls.set(block.id, block);
    for (const file of fileAccess(block, this.#vocabulary, this.#workspaceRoot).writes) {
      const write = { tool: block.name, callId: block.id, turn };
      const known = this.#writes.get(file);
      if (known) known.push(write);
      else this.#writes.set(file, [write]);
    }
  }
}
