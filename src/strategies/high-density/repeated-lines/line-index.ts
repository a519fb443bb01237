import type { IContent, ToolCallBlock } from '../../../content/content.ts';
import type { FileAccessOf } from '../../../content/files/cached-file-access.ts';
import { labelOfCall } from '../../../content/files/entry-label.ts';
import { addTo, madeOnce } from '../../../content/group-by.ts';
import { oneLine } from '../../../content/lines/one-line.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import { blockLines, comparePlaces, messageId, type ShownText, USER_MESSAGE, writtenLines } from './shown-text.ts';
import { sameLines, type TextLines } from './text-lines.ts';

/** Lines of a text from line `first` on, word for word in an earlier text from line `from` on; counted from 0. */
export interface Repeat {
  readonly first: number;
  readonly last: number;
  readonly source: ShownText;
  readonly from: number;
  /** What stands before each of them in a diff, and not in the source. */
  readonly sign?: string;
}

/** How calls are read and named. */
export interface Reading {
  readonly vocabulary: ToolVocabulary;
  readonly fileAccess: FileAccessOf;
  readonly workspaceRoot: string;
}

interface IndexedEntry {
  readonly content: IContent;
  /** Its place in the history; -1 once it is not there any more. */
  at: number;
}

interface IndexedCall {
  readonly entry: IndexedEntry;
  readonly block: number;
  readonly label: string;
}

interface IndexedText extends Pick<ShownText, 'owner' | 'lines' | 'isWritten' | 'block'> {
  readonly entry: IndexedEntry;
  readonly callId: string;
}

type UnplacedText = Omit<IndexedText, 'entry'>;

const LABEL_CHARACTERS = 60;
/** A line that stands in more places says little: no run begins with it. */
export const MAX_PLACES = 20;
/** With fewer lines of texts that are gone, an index is not spent. */
const MIN_GONE_LINES = 10_000;
const NONE = -1;

/**
 * The place of each line of a history that results show or calls write. It follows the history: what it finds depends on the
 * history alone, and an update costs what is new, besides a look at each entry.
 */
export class LineIndex {
  readonly #reading: Reading;
  readonly #entries: IndexedEntry[] = [];
  /** By hash of a line, the last of its places; of each place, the one before it. */
  readonly #lastPlace = new Map<number, number>();
  readonly #placeBefore: number[] = [];
  readonly #textAt: IndexedText[] = [];
  readonly #lineAt: number[] = [];
  #goneLines = 0;
  readonly #callsById = new Map<string, IndexedCall[]>();
  readonly #idsByLabel = new Map<string, Set<string>>();
  readonly #textsById = new Map<string, IndexedText[]>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Follows the first `count` entries of a history. */
  update(history: readonly IContent[], count: number): void {
    const entries = this.#entries;
    let at = 0;
    while (at < count && entries[at]?.content === history[at]) at++;
    if (at === count && at === entries.length) return;
    const left = new Map<IContent, IndexedEntry>();
    for (const entry of entries.splice(at)) {
      entry.at = NONE;
      left.set(entry.content, entry);
    }
    for (; at < count; at++) {
      const content = history[at]!;
      const known = left.get(content);
      left.delete(content);
      if (known === undefined) this.#add(content, at);
      else {
        known.at = at;
        entries.push(known);
      }
    }
    for (const { content } of left.values())
      for (const { lines } of this.#textsOf(content)) this.#goneLines += lines.count;
  }

  /** True if most of it is of entries that are gone: a new one takes less memory. */
  get isSpent(): boolean {
    return this.#goneLines > Math.max(MIN_GONE_LINES, this.#lineAt.length / 2);
  }

  /** The longest run of lines from a line of `text` on that stands here; of equally long ones that of the latest text. */
  longestFrom(text: TextLines, first: number): Repeat | undefined {
    // All places first: a line that stands in too many of them is compared with none.
    const places: Omit<Repeat, 'first' | 'last'>[] = [];
    for (let place = this.#placesOf(text.hashOf(first)); place !== NONE; place = this.#placeBefore[place]!) {
      const source = this.#shown(this.#textAt[place]!);
      if (source === undefined) continue;
      if (places.length === MAX_PLACES) return undefined;
      places.push({ source, from: this.#lineAt[place]! });
    }
    let best: Repeat | undefined;
    for (const { source, from } of places) {
      const count = sameLines(text, first, { lines: source.lines, from });
      const repeat = { first, last: first + count - 1, source, from };
      if (count > 0 && (best === undefined || isLonger(repeat, best))) best = repeat;
    }
    return best;
  }

  /** The name of a call in markers. */
  labelOf(call: ToolCallBlock): string {
    return oneLine(labelOfCall(call, this.#reading.vocabulary), LABEL_CHARACTERS);
  }

  /** The texts of calls with this name, the latest first. */
  labelled(label: string): readonly ShownText[] {
    const name = oneLine(label, LABEL_CHARACTERS);
    return [...(this.#idsByLabel.get(name) ?? [])]
      .flatMap((id) => this.#textsById.get(id) ?? [])
      .flatMap((text) => this.#shown(text) ?? [])
      .filter((shown) => shown.label === name)
      .sort((one, other) => comparePlaces(other, one));
  }

  #placesOf(hash: number): number {
    return this.#lastPlace.get(hash) ?? NONE;
  }

  #add(content: IContent, at: number): void {
    const entry = { content, at };
    this.#entries.push(entry);
    for (const [block, one] of content.blocks.entries()) {
      const isCall = one.type === 'tool_call';
      const id = isCall ? one.id : messageId(content, one);
      if (id === undefined) continue;
      const label = isCall ? this.labelOf(one) : USER_MESSAGE;
      addTo(this.#callsById, id, { entry, block, label });
      madeOnce(this.#idsByLabel, label, () => new Set<string>()).add(id);
    }
    for (const text of this.#textsOf(content)) {
      const indexed = { ...text, entry };
      addTo(this.#textsById, text.callId, indexed);
      for (let line = 0; line < text.lines.count; line++) {
        if (!text.lines.isLandmark(line)) continue;
        const hash = text.lines.hashOf(line);
        const place = this.#lineAt.length;
        this.#placeBefore.push(this.#placesOf(hash));
        this.#lastPlace.set(hash, place);
        this.#textAt.push(indexed);
        this.#lineAt.push(line);
      }
    }
  }

  /** What the results of an entry show, what its calls write, and what a user says. */
  #textsOf(content: IContent): UnplacedText[] {
    const { vocabulary, fileAccess, workspaceRoot } = this.#reading;
    return content.blocks.flatMap((owner, block): UnplacedText | UnplacedText[] => {
      const message = messageId(content, owner);
      if (message !== undefined)
        return blockLines(owner).map((lines) => ({ owner, block, callId: message, isWritten: false, lines }));
      if (owner.type === 'tool_response') {
        const { callId } = owner;
        return blockLines(owner).map((lines) => ({ owner, block, callId, isWritten: false, lines }));
      }
      if (owner.type !== 'tool_call') return [];
      const { writes } = fileAccess(owner, vocabulary, workspaceRoot, { includesShellWrites: true });
      const written = writes.length === 0 ? [] : writtenLines(owner);
      return written.map((lines) => ({
        owner,
        block,
        callId: owner.id,
        isWritten: true,
        lines,
      }));
    });
  }

  /** The call of a text: the last one with its id that is not after it. */
  #callOf({ callId, entry }: IndexedText): IndexedCall | undefined {
    let found: IndexedCall | undefined;
    for (const call of this.#callsById.get(callId) ?? []) {
      const { at } = call.entry;
      if (at !== NONE && at <= entry.at && (found === undefined || at > found.entry.at)) found = call;
    }
    return found;
  }

  #shown(text: IndexedText): ShownText | undefined {
    const { entry, block, owner, lines, isWritten, callId } = text;
    const call = entry.at === NONE ? undefined : this.#callOf(text);
    if (call === undefined) return undefined;
    const place = { entry: call.entry.at, block: call.block, callId };
    return { entry: entry.at, block, owner, lines, isWritten, call: place, label: call.label };
  }
}

/** True if a run is longer than another one, or as long and later. */
export function isLonger(one: Repeat, other: Repeat): boolean {
  const more = one.last - other.last;
  return more !== 0 ? more > 0 : (comparePlaces(one.source, other.source) || one.from - other.from) > 0;
}
