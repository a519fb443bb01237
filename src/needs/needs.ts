import { blockTexts } from '../content/block-text.ts';
import { isFailure } from '../content/calls/pairing.ts';
import type { ContentBlock, IContent, ToolCallBlock, ToolResponseBlock } from '../content/content.ts';
import { editText } from '../content/files/edit-text.ts';
import { comparableLine, comparableLines } from '../content/lines/comparable-line.ts';
import { lineHash } from '../content/lines/line-hash.ts';
import type { RecordedEvents } from '../content/session-event.ts';
import { EarlierCalls } from './earlier-calls.ts';
import { nameHash, namesIn } from './names.ts';
import type { SessionIndex } from './session-index.ts';

/** What a later event of a session needs of what was said before it. */
export type NeedKind = 'edit' | 'rerun' | 'quotation' | 'name';

/**
 * Something that an event needs and that the recorded model had before its eyes. Each of `anyOf` lists the numbers of marks of
 * which one has to be visible; where `leastMissing` of them have none, the need is not met.
 */
export interface Need {
  readonly kind: NeedKind;
  /** Model call, from 1; for a prompt of the user that of the answer. */
  readonly turn: number;
  /** Number among the session's events. */
  readonly event: number;
  /** Number of the block in its entry. */
  readonly block: number;
  readonly tool?: string;
  readonly anyOf: readonly (readonly number[])[];
  /** Beside each of `anyOf` what it is looked for as; absent for results of calls. */
  readonly texts?: readonly string[];
  readonly leastMissing: number;
}

/** A quoted line that is shorter may be written by chance. */
const LEAST_QUOTED_CHARS = 24;
/** So many places where part of a line stands are looked at. */
const MOST_PLACES = 8;
/** A result that is run again shows the same when it has at least so much of the same lines. */
const SAME_RESULT_RATIO = 0.98;

/**
 * Everything that later events of `session` need and that stood in the context of the recorded agent at that moment,
 * unpruned. Events that nothing visible answers are left out: they would be in need without pruning too. Linear in
 * text, and in visible text for each part of a line that an edit names.
 */
export function needsOf(session: RecordedEvents, places: SessionIndex): readonly Need[] {
  return new NeedSearch(session, places).run();
}

class NeedSearch {
  readonly #session: RecordedEvents;
  readonly #places: SessionIndex;
  readonly #visible: Uint8Array;
  readonly #needs: Need[] = [];
  /** Answers of calls that still are to come, by id, in order. */
  readonly #answers = new Map<string, { readonly event: number; readonly response: ToolResponseBlock }[]>();
  #entries: IContent[] = [];
  #calls = new EarlierCalls();
  #turn = 0;

  constructor(session: RecordedEvents, places: SessionIndex) {
    this.#session = session;
    this.#places = places;
    this.#visible = new Uint8Array(places.entries.length);
    for (const [event, played] of session.events.entries()) {
      if (played.kind !== 'add') continue;
      for (const response of played.content.blocks) {
        if (response.type !== 'tool_response') continue;
        const known = this.#answers.get(response.callId);
        if (known === undefined) this.#answers.set(response.callId, [{ event, response }]);
        else known.push({ event, response });
      }
    }
  }

  run(): readonly Need[] {
    for (const [event, played] of this.#session.events.entries()) {
      if (played.kind === 'replace') {
        this.#visible.fill(0);
        [this.#entries, this.#calls] = [[], new EarlierCalls()];
        for (const entry of played.contents) this.#append(entry);
        continue;
      }
      const { content } = played;
      if (content.speaker === 'ai') this.#turn++;
      if (content.speaker !== 'tool') {
        for (const [block, item] of content.blocks.entries()) this.#look(item, { content, event, block });
      }
      this.#append(content);
    }
    return this.#needs;
  }

  #append(content: IContent): void {
    this.#entries.push(content);
    this.#visible[this.#places.orderOf(content)!] = 1;
    this.#calls.add(content);
  }

  #isVisible(mark: number): boolean {
    return this.#places.isShown(mark, this.#visible);
  }

  #look(item: ContentBlock, at: Place): void {
    if (item.type === 'tool_call') this.#lookAtCall(item, at);
    else if (item.type === 'text' || item.type === 'thinking' || item.type === 'code') {
      const mayQuote = this.#places.hashes.of(item).some((mark) => this.#isVisible(mark));
      if (mayQuote) this.#quotation(blockTexts(item).flatMap(quotableLines), at);
    }
  }

  #lookAtCall(call: ToolCallBlock, at: Place): void {
    const place = { ...at, tool: call.name };
    const edit = editText(call);
    const answer = this.#answerOf(call, at.event);
    if (edit !== undefined && edit.before.length > 0 && !(answer && isFailure(answer))) {
      const lines = edit.before.map((text) => this.#linesOfEdit(text));
      const isEvidenced = lines.every((found) => found !== undefined);
      const found = lines.flatMap((parts) => parts ?? []);
      if (isEvidenced && found.length > 0) this.#add('edit', place, { ...columnsOf(found), leastMissing: 1 });
    }
    if (edit !== undefined) {
      const replaced = new Set(edit.before.flatMap(quotableLines));
      this.#quotation(
        edit.after.flatMap(quotableLines).filter((line) => !replaced.has(line)),
        place,
      );
      return;
    }
    this.#rerun(call, answer, place);
    const known: NeededText[] = [];
    for (const text of blockTexts(call).flatMap(namesIn)) {
      const mark = this.#places.hashes.idOf(nameHash(text));
      if (this.#isVisible(mark)) known.push({ text, marks: [mark] });
    }
    if (known.length > 0) this.#add('name', place, { ...columnsOf(known), leastMissing: 1 });
  }

  /** For each line of the text the marks of visible lines that hold it; `undefined` when one is nowhere visible. */
  #linesOfEdit(text: string): NeededText[] | undefined {
    const lines = text.split('\n');
    const found: NeededText[] = [];
    for (const [at, line] of lines.entries()) {
      const comparable = comparableLine(line);
      if (comparable === '') continue;
      const mark = this.#places.hashes.idOf(lineHash(comparable));
      if (this.#isVisible(mark)) {
        found.push({ text: comparable, marks: [mark] });
        continue;
      }
      // Only the first and the last line of what is replaced may be a part of a line.
      const isPart = at === 0 || at === lines.length - 1;
      const holding = isPart ? this.#linesWith(line.trim()) : [];
      if (holding.length === 0) return undefined;
      found.push({ text: line.trim(), marks: holding });
    }
    return found;
  }

  /** Marks of visible lines in which `part` stands, the newest first. */
  #linesWith(part: string): number[] {
    const holding = new Set<number>();
    for (let entry = this.#entries.length - 1; entry >= 0 && holding.size < MOST_PLACES; entry--) {
      for (const text of this.#entries[entry]!.blocks.flatMap(blockTexts)) {
        for (let at = text.indexOf(part); at !== -1 && holding.size < MOST_PLACES; ) {
          const end = text.indexOf('\n', at);
          const line = comparableLine(text.slice(text.lastIndexOf('\n', at) + 1, end === -1 ? text.length : end));
          if (line !== '') holding.add(this.#places.hashes.idOf(lineHash(line)));
          at = end === -1 ? -1 : text.indexOf(part, end);
        }
      }
    }
    return [...holding];
  }

  #quotation(lines: readonly string[], at: Place): void {
    const known: NeededText[] = [];
    for (const text of new Set(lines)) {
      const mark = this.#places.hashes.idOf(lineHash(text));
      if (this.#isVisible(mark)) known.push({ text, marks: [mark] });
    }
    if (known.length > 0) this.#add('quotation', at, { ...columnsOf(known), leastMissing: 1 });
  }

  /** A call whose like stands before it with the same result: what it shows had been shown. */
  #rerun(call: ToolCallBlock, answer: ToolResponseBlock | undefined, at: Place): void {
    if (answer === undefined || isFailure(answer)) return;
    const earlier = this.#calls.answerTo(call);
    if (earlier === undefined) return;
    const [before, now] = [this.#places.hashes.of(earlier), this.#places.hashes.of(answer)];
    const same = new Set(now);
    const shared = before.filter((mark) => same.has(mark));
    if (shared.length === 0 || shared.length < SAME_RESULT_RATIO * Math.max(before.length, now.length)) return;
    this.#add('rerun', at, { anyOf: shared.map((mark) => [mark]), leastMissing: Math.ceil(shared.length / 2) });
  }

  #answerOf(call: ToolCallBlock, event: number): ToolResponseBlock | undefined {
    return this.#answers.get(call.id)?.find((answer) => answer.event >= event)?.response;
  }

  #add(
    kind: NeedKind,
    { event, block, content, tool }: Place,
    needed: Pick<Need, 'anyOf' | 'texts' | 'leastMissing'>,
  ): void {
    const turn = content.speaker === 'ai' ? this.#turn : this.#turn + 1;
    this.#needs.push({ kind, turn, event, block, ...(tool !== undefined && { tool }), ...needed });
  }
}

/** A line, a part of one or a name, and the marks that stand for it. */
interface NeededText {
  readonly text: string;
  readonly marks: readonly number[];
}

const quotableLines = (text: string): string[] => comparableLines(text, { leastChars: LEAST_QUOTED_CHARS });

function columnsOf(found: readonly NeededText[]): Required<Pick<Need, 'anyOf' | 'texts'>> {
  return { anyOf: found.map(({ marks }) => marks), texts: found.map(({ text }) => text) };
}

interface Place {
  readonly content: IContent;
  readonly event: number;
  readonly block: number;
  readonly tool?: string;
}
