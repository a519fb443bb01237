import { blockTexts } from '../content/block-text.ts';
import { isFailure, pairCalls } from '../content/calls/pairing.ts';
import type { ContentBlock, IContent, ToolCallBlock, ToolResponseBlock } from '../content/content.ts';
import { editText } from '../content/files/edit-text.ts';
import { comparableLines } from '../content/lines/comparable-line.ts';
import { lineHash } from '../content/lines/line-hash.ts';
import type { RecordedEvents } from '../content/session-event.ts';
import { EarlierCalls } from './earlier-calls.ts';
import { nameHash, namesIn } from './names.ts';
import type { Need, NeededText, NeedKind } from './need.ts';
import type { SessionIndex } from './session-index.ts';
import { editedLines, VisibleText } from './visible-text.ts';

/** A shorter line can be equal by chance. */
const MIN_QUOTED_CHARS = 24;
/** Two results are the same if they share at least this part of the lines of the longer one. */
const SAME_RESULT_RATIO = 0.98;

/**
 * The earlier text that each event of `session` uses and that the recorded, unpruned context contained at that moment.
 * Text that was not visible is no need: it would be missing without pruning too. Linear in text, and in visible text
 * for each part of a line that an edit names.
 */
export function needsOf(session: RecordedEvents, index: SessionIndex): readonly Need[] {
  return new NeedSearch(session, index).run();
}

class NeedSearch {
  readonly #session: RecordedEvents;
  readonly #visible: VisibleText;
  readonly #results: LaterResults;
  readonly #needs: Need[] = [];
  #calls = new EarlierCalls();
  #turn = 0;

  constructor(session: RecordedEvents, index: SessionIndex) {
    this.#session = session;
    this.#visible = new VisibleText(index);
    this.#results = new LaterResults(session);
  }

  run(): readonly Need[] {
    for (const [event, played] of this.#session.events.entries()) {
      if (played.kind === 'replace') {
        this.#visible.clear();
        this.#calls = new EarlierCalls();
        for (const entry of played.contents) this.#append(entry);
        continue;
      }
      const entry = played.content;
      if (entry.speaker === 'ai') this.#turn++;
      if (entry.speaker !== 'tool') {
        for (const [index, block] of entry.blocks.entries()) this.#search(block, { entry, event, block: index });
      }
      this.#append(entry);
    }
    return this.#needs;
  }

  #append(entry: IContent): void {
    this.#visible.add(entry);
    this.#calls.add(entry);
  }

  #search(block: ContentBlock, at: Position): void {
    if (block.type === 'tool_call') this.#searchCall(block, { ...at, tool: block.name });
    else if (block.type === 'text' || block.type === 'thinking' || block.type === 'code') {
      if (this.#visible.sharesTextWith(block)) this.#addQuotations(blockTexts(block).flatMap(quotableLines), at);
    }
  }

  #searchCall(call: ToolCallBlock, at: Position): void {
    const edit = editText(call);
    const result = this.#results.of(call);
    if (edit === undefined) {
      this.#addRerun(call, result, at);
      this.#addTexts('name', this.#visible.found(blockTexts(call).flatMap(namesIn), nameHash), at);
      return;
    }
    if (edit.before.length > 0 && !(result && isFailure(result))) {
      this.#addTexts('edit', editedLines(edit.before, this.#visible) ?? [], at);
    }
    const replaced = new Set(edit.before.flatMap(quotableLines));
    this.#addQuotations(
      edit.after.flatMap(quotableLines).filter((line) => !replaced.has(line)),
      at,
    );
  }

  #addQuotations(lines: readonly string[], at: Position): void {
    this.#addTexts('quotation', this.#visible.found(new Set(lines), lineHash), at);
  }

  /** A call that repeats an earlier one with the same result: its text was shown before. */
  #addRerun(call: ToolCallBlock, result: ToolResponseBlock | undefined, at: Position): void {
    if (result === undefined || isFailure(result)) return;
    const earlier = this.#calls.resultOf(call);
    if (earlier === undefined) return;
    const before = this.#visible.idsOf(earlier);
    const now = this.#visible.idsOf(result);
    const same = new Set(now);
    const shared = before.filter((id) => same.has(id));
    if (shared.length === 0 || shared.length < SAME_RESULT_RATIO * Math.max(before.length, now.length)) return;
    this.#add('rerun', at, { anyOf: shared.map((id) => [id]), leastMissing: Math.ceil(shared.length / 2) });
  }

  #addTexts(kind: NeedKind, found: readonly NeededText[], at: Position): void {
    if (found.length === 0) return;
    const anyOf = found.map(({ ids }) => ids);
    this.#add(kind, at, { anyOf, texts: found.map(({ text }) => text), leastMissing: 1 });
  }

  #add(
    kind: NeedKind,
    { event, block, entry, tool }: Position,
    needed: Pick<Need, 'anyOf' | 'texts' | 'leastMissing'>,
  ): void {
    const turn = entry.speaker === 'ai' ? this.#turn : this.#turn + 1;
    this.#needs.push({ kind, turn, event, block, ...(tool !== undefined && { tool }), ...needed });
  }
}

const quotableLines = (text: string): string[] => comparableLines(text, { leastChars: MIN_QUOTED_CHARS });

interface Position {
  readonly entry: IContent;
  readonly event: number;
  readonly block: number;
  readonly tool?: string;
}

/** The results of a session, to be found before their event. */
class LaterResults {
  readonly #results: ReadonlyMap<ToolCallBlock, ToolResponseBlock | undefined>;

  constructor({ events }: RecordedEvents) {
    const added = events.flatMap((event) => (event.kind === 'add' ? event.content : []));
    this.#results = new Map(pairCalls(added).calls.map(({ call, responses }) => [call, responses[0]?.response]));
  }

  /** The first result of a call; `undefined` if there is none. */
  of(call: ToolCallBlock): ToolResponseBlock | undefined {
    return this.#results.get(call);
  }
}
