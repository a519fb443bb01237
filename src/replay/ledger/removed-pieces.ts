import { agentTextName, mayBeAgentText } from '../../content/agent-text/agent-text.ts';
import type { ContentBlock, IContent } from '../../content/content.ts';
import { labelOfCall, labelOfEntry } from '../../content/files/entry-label.ts';
import type { TextPosition } from '../../content/inclusions.ts';
import type { ToolVocabulary } from '../../content/vocabularies/vocabulary.ts';
import type { RemovingStep } from '../../gate/report.ts';
import { type ChangedBlock, type ChangedEntry, reasonFor } from '../../strategies/changed-entries.ts';
import { USER_MESSAGE } from '../../strategies/high-density/repeated-lines/shown-text.ts';
import type { CallPlace } from '../../strategies/reasons/call-place.ts';
import { isCounted } from '../../strategies/reasons/edit-counts.ts';
import { type Counter, EDIT_RULES, type EditReason, explainReason } from '../../strategies/reasons/edit-reason.ts';
import type { TurnIndex } from './turn-index.ts';

/** A step of the gate before a model call. */
export interface PlayedStep extends RemovingStep {
  /** The model call, from 1. */
  readonly turn: number;
}

/** One thing that a step removed or replaced. */
export interface RemovedPiece {
  readonly rule: Counter;
  /** The model call that the piece belongs to; 0 before the first. */
  readonly saidIn: number;
  /** Its name for a person. */
  readonly what: string;
  readonly why: string;
  readonly before: readonly IContent[];
  /** Its replacement. */
  readonly after: readonly IContent[];
}

/** Facts needed to name pieces. */
export interface PieceWords {
  readonly turns: TurnIndex;
  readonly vocabulary: ToolVocabulary;
}

/** The pieces that a step removed, in the order of the history. The call and results of a read are one piece. Linear in the changes. */
export function removedPieces({ before, changes }: PlayedStep, words: PieceWords): RemovedPiece[] {
  const pieces = new StepPieces(before, words);
  for (const change of changes) pieces.add(change);
  return pieces.all;
}

const partOf = ({ speaker }: IContent, block: ContentBlock): IContent => ({ speaker, blocks: [block] });

/** The name of what an agent put into a user turn. */
function agentsName(entry: IContent, block: ContentBlock): string | undefined {
  const text = mayBeAgentText(entry, entry.blocks.indexOf(block));
  return text && agentTextName(text);
}

class StepPieces {
  readonly all: RemovedPiece[] = [];
  readonly #history: readonly IContent[];
  readonly #words: PieceWords;
  /** Pieces of removed reads, by the position of the call. */
  readonly #reads = new Map<string, IContent[]>();

  constructor(history: readonly IContent[], words: PieceWords) {
    this.#history = history;
    this.#words = words;
  }

  add(change: ChangedEntry): void {
    for (const changed of change.blocks) {
      const reason = reasonFor(changed);
      switch (reason.rule) {
        case 'staleRead':
        case 'supersededRead':
          // If an agent attached lines, only the lines are removed.
          if (changed.replacement) this.#addResult(change, changed, reason);
          else this.#addRead(change, changed, reason);
          break;
        case 'repeatedInclusion':
          this.#addInclusions(change, changed);
          break;
        case 'summarised':
        case 'dropped':
          if (changed === change.blocks[0]) this.#addEntry(change, reason);
          break;
        default:
          this.#addResult(change, changed, reason);
      }
    }
  }

  #addRead(
    { before }: ChangedEntry,
    { block }: ChangedBlock,
    reason: Extract<EditReason, { rule: `${string}Read` }>,
  ): void {
    const key = `${reason.read.entry}/${reason.read.block}`;
    const known = this.#reads.get(key);
    const parts = known ?? [];
    parts.push(partOf(before, block));
    if (known !== undefined) return;
    this.#reads.set(key, parts);
    const call = this.#blockAt(reason.read);
    const what = call?.type === 'tool_call' ? labelOfCall(call, this.#words.vocabulary) : 'read';
    this.#note(reason, { from: this.#history[reason.read.entry]!, what, before: parts, after: [] });
  }

  #addResult({ before: entry }: ChangedEntry, { block, replacement }: ChangedBlock, reason: EditReason): void {
    const call = this.#words.turns.callOf(block);
    const tool = block.type === 'tool_response' ? block.toolName : (agentsName(entry, block) ?? block.type);
    this.#note(reason, {
      from: entry,
      what: call === undefined ? tool : labelOfCall(call, this.#words.vocabulary),
      before: [partOf(entry, block)],
      after: replacement === undefined ? [] : [partOf(entry, replacement)],
    });
  }

  #addInclusions({ before: entry }: ChangedEntry, { edits }: ChangedBlock): void {
    for (const edit of edits) {
      if (edit.reason.rule !== 'repeatedInclusion' || !isCounted(edit)) continue;
      const { reason } = edit;
      const text = textBetween(entry, reason.inclusion);
      const before: IContent[] = [{ speaker: entry.speaker, blocks: [{ type: 'text', text }] }];
      this.#note(reason, { from: entry, what: `@${reason.path}`, before, after: [] });
    }
  }

  #addEntry({ before, after }: ChangedEntry, reason: EditReason): void {
    const { turns, vocabulary } = this.#words;
    const what = labelOfEntry(before, vocabulary, turns.callOf);
    this.#note(reason, { from: before, what, before: [before], after: after === undefined ? [] : [after] });
  }

  #note(
    reason: EditReason,
    { from, ...piece }: Pick<RemovedPiece, 'what' | 'before' | 'after'> & { readonly from: IContent },
  ): void {
    this.all.push({
      rule: EDIT_RULES[reason.rule].counter,
      saidIn: this.#words.turns.turnOf(from),
      why: explainReason(reason, { call: (place) => this.#labelOf(place) }),
      ...piece,
    });
  }

  #labelOf(place: CallPlace): string {
    const block = this.#blockAt(place);
    const words = block && agentsName(this.#history[place.entry]!, block);
    const turn = this.#words.turns.turnOf(this.#history[place.entry]!);
    const when = turn === 0 ? 'before the first call' : `in call ${turn}`;
    const what =
      block?.type === 'tool_call' ? block.name : (words ?? (block?.type === 'text' ? USER_MESSAGE : 'a call'));
    return `${what} ${when}`;
  }

  #blockAt({ entry, block }: CallPlace): ContentBlock | undefined {
    return this.#history[entry]?.blocks[block];
  }
}

function textBetween({ blocks }: IContent, { start, end }: { start: TextPosition; end: TextPosition }): string {
  const texts = blocks.slice(start.block, end.block + 1).map((block) => (block.type === 'text' ? block.text : ''));
  texts[texts.length - 1] = texts.at(-1)!.slice(0, end.offset);
  texts[0] = texts[0]!.slice(start.offset);
  return texts.join('');
}
