import type { ContentBlock, IContent, ToolCallBlock, ToolResponseBlock } from '../content/content.ts';
import { labelOfCall, labelOfEntry } from '../content/files/entry-label.ts';
import { findInclusions, type Inclusion } from '../content/inclusions.ts';
import { PRUNED_RESULT } from '../content/pruned-result.ts';
import type { ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import type { RemovalRule } from '../strategies/removal.ts';
import type { SeenStep } from './gate-observer.ts';
import type { TurnIndex } from './turn-index.ts';

/** A step of the gate before a model call. */
export interface PlayedStep extends SeenStep {
  /** The model call, from 1. */
  readonly turn: number;
}

/** One thing that a step took away or shortened. */
export interface RemovedPiece {
  readonly rule: RemovalRule;
  /** The model call that said it, 0 before the first. */
  readonly saidIn: number;
  /** What a person would call it. */
  readonly what: string;
  readonly why: string;
  readonly gone: readonly IContent[];
  /** What stands in its place. */
  readonly come: readonly IContent[];
}

/** What pieces are told with. */
export interface PieceWords {
  readonly turns: TurnIndex;
  readonly vocabulary: ToolVocabulary;
}

/** What a step took away, in the order of the history. Entries are matched by `metadata.id`. Linear in entries. */
export function removedPieces({ turn, kind, before, after }: PlayedStep, words: PieceWords): RemovedPiece[] {
  const kept = new Map(after.map((entry) => [entry.metadata?.id, entry]));
  const changed = before.flatMap((entry) => {
    const successor = kept.get(entry.metadata?.id);
    return successor === entry ? [] : [{ entry, successor }];
  });
  if (kind === 'compressed') return changed.map((change) => compressedPiece(change, words));
  const pairs = new StalePairs(turn, words);
  const hasNewer = newerResults(after);
  const pieces = changed.flatMap((change) =>
    change.entry.speaker === 'human'
      ? inclusionPieces(change, words)
      : optimizedPieces(change, { words, pairs, turn, hasNewer }),
  );
  return [...pairs.pieces(), ...pieces];
}

interface Change {
  readonly entry: IContent;
  /** Absent once the entry is gone. */
  readonly successor: IContent | undefined;
}

function compressedPiece({ entry, successor }: Change, { turns, vocabulary }: PieceWords): RemovedPiece {
  return {
    rule: successor === undefined ? 'dropped' : 'summarised',
    saidIn: turns.turnOf(entry),
    what: labelOfEntry(entry, vocabulary, turns.callOf),
    why: successor === undefined ? 'dropped to make room' : 'shortened to make room',
    gone: [entry],
    come: successor === undefined ? [] : [successor],
  };
}

/** Whether a history has a result of a tool, and not the pointer, behind an entry. Looked through when it is first asked. */
function newerResults(history: readonly IContent[]): (tool: string, entry: IContent) => boolean {
  let latest: Map<string, number> | undefined;
  const places = new Map<IContent, number>();
  return (tool, entry) => {
    if (latest === undefined) {
      latest = new Map();
      for (const [place, content] of history.entries()) {
        places.set(content, place);
        for (const block of content.blocks)
          if (block.type === 'tool_response' && block.result !== PRUNED_RESULT) latest.set(block.toolName, place);
      }
    }
    return (latest.get(tool) ?? -1) > (places.get(entry) ?? history.length);
  };
}

interface OptimizedStep {
  readonly words: PieceWords;
  readonly pairs: StalePairs;
  readonly turn: number;
  readonly hasNewer: ReturnType<typeof newerResults>;
}

/** Results that gave way to pointers, or lost lines; calls and results of stale reads go into `pairs`. */
function optimizedPieces(
  { entry, successor }: Change,
  { words, pairs, turn, hasNewer }: OptimizedStep,
): RemovedPiece[] {
  const { turns, vocabulary } = words;
  const keptBlocks = new Set(successor?.blocks);
  const had = new Set<ContentBlock>(entry.blocks);
  const pointers = new Map<string, ToolResponseBlock>();
  for (const block of successor?.blocks ?? []) {
    if (block.type === 'tool_response' && !had.has(block)) pointers.set(block.callId, block);
  }
  const part = (block: ContentBlock): IContent => ({ speaker: entry.speaker, blocks: [block] });
  const saidIn = turns.turnOf(entry);
  return entry.blocks.flatMap((block): RemovedPiece[] => {
    if (keptBlocks.has(block)) return [];
    const pointer = block.type === 'tool_response' ? pointers.get(block.callId) : undefined;
    if (block.type !== 'tool_response' || pointer === undefined) {
      pairs.add(block, saidIn);
      return [];
    }
    const call = turns.callOf(block);
    const what = call === undefined ? block.toolName : labelOfCall(call, vocabulary);
    const isNewer = successor !== undefined && hasNewer(block.toolName, successor);
    const why =
      pointer.result === PRUNED_RESULT
        ? whyPointer(turn - 1 - saidIn, isNewer ? block.toolName : undefined)
        : 'these lines were changed, or are shown later';
    return [{ rule: 'recency', saidIn, what, why, gone: [part(block)], come: [part(pointer)] }];
  });
}

/** Why a pointer stands there: how often the model had the result before its eyes, and that there are newer ones of its tool. */
function whyPointer(sentTimes: number, newerOf: string | undefined): string {
  const sent = sentTimes > 0 ? [`it was sent with ${sentTimes === 1 ? '1 call' : `${sentTimes} calls`}`] : [];
  return (
    [...sent, ...(newerOf === undefined ? [] : [`newer results of ${newerOf} are there`])].join(', ') || 'it is old'
  );
}

interface StalePair {
  readonly saidIn: number;
  readonly call: ToolCallBlock | undefined;
  readonly blocks: ContentBlock[];
}

/** The calls and results of stale reads, put together again. */
class StalePairs {
  readonly #turn: number;
  readonly #words: PieceWords;
  readonly #pairs = new Map<string, StalePair>();

  constructor(turn: number, words: PieceWords) {
    this.#turn = turn;
    this.#words = words;
  }

  add(block: ContentBlock, saidIn: number): void {
    const id = block.type === 'tool_call' ? block.id : block.type === 'tool_response' ? block.callId : '';
    const known = this.#pairs.get(id);
    if (known) known.blocks.push(block);
    else {
      const call = block.type === 'tool_call' ? block : this.#words.turns.callOf(block);
      this.#pairs.set(id, { saidIn, call, blocks: [block] });
    }
  }

  pieces(): RemovedPiece[] {
    const { vocabulary } = this.#words;
    return [...this.#pairs.values()].map(({ saidIn, call, blocks }) => ({
      rule: 'readWritePairs',
      saidIn,
      what: call === undefined ? 'read' : labelOfCall(call, vocabulary),
      why: this.#why(call),
      gone: blocks.map((block) => ({ speaker: block.type === 'tool_response' ? 'tool' : 'ai', blocks: [block] })),
      come: [],
    }));
  }

  #why(call: ToolCallBlock | undefined): string {
    const { turns } = this.#words;
    const write = call === undefined ? undefined : turns.lastWrite(turns.readsOf(call), this.#turn);
    if (write === undefined) return 'its file was written later';
    return `${write.file} was written by ${write.tool} in call ${write.turn}`;
  }
}

/** Attached files of a message that its successor does not have any more. */
function inclusionPieces({ entry, successor }: Change, { turns }: PieceWords): RemovedPiece[] {
  const left = (successor === undefined ? [] : findInclusions(successor)).map(({ path }) => path);
  const pieces: RemovedPiece[] = [];
  // Of several copies the last one is kept.
  for (const inclusion of findInclusions(entry).reverse()) {
    const at = left.lastIndexOf(inclusion.path);
    if (at !== -1) {
      left.splice(at, 1);
      continue;
    }
    pieces.unshift({
      rule: 'fileInclusions',
      saidIn: turns.turnOf(entry),
      what: `@${inclusion.path}`,
      why: 'the file was attached again later',
      gone: [{ speaker: 'human', blocks: [{ type: 'text', text: textOfInclusion(entry, inclusion) }] }],
      come: [],
    });
  }
  return pieces;
}

function textOfInclusion({ blocks }: IContent, { start, end }: Inclusion): string {
  const texts = blocks.slice(start.block, end.block + 1).map((block) => (block.type === 'text' ? block.text : ''));
  texts[texts.length - 1] = texts.at(-1)!.slice(0, end.offset);
  texts[0] = texts[0]!.slice(start.offset);
  return texts.join('');
}
