import type { IContent } from '../../content/content.ts';
import { footprint } from '../../content/footprint.ts';
import type { Change, Patch, Splice, Task, TextPlace } from '../protocol.ts';
import { takeLongTexts } from './long-texts.ts';
import { plainCopy } from './plain-copy.ts';

/** Changes that go in one message, and about what they take. */
export interface Slice {
  readonly changes: readonly Change[];
  readonly bytes: number;
}

/** What the first message of a snapshot may hold, as a part of later ones: each holds twice as much as the one before it. */
const FIRST_SHARE = 32;

/** What is sent at once: a slice, with the task if it is the last one. */
export interface Message extends Slice {
  readonly task: Task;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** All that is sent for one request, taken at one moment of the history. */
export interface Payload {
  readonly changes: readonly Change[];
  /** Whether the changes make all of the history. */
  readonly isSnapshot: boolean;
  readonly task: Task;
}

interface Open<Kind extends Splice | Patch> {
  readonly change: Kind;
  readonly entries: IContent[];
  readonly texts: TextPlace[];
  readonly bytes: number[];
}

/** What goes into one message: posting it blocks the sender for about 0.3 ms. Source: bench `slice.max.10M`. */
const SLICE_BYTES = 256 * 1024;

/** The messages of one request, at least one: what the replica lacks in slices, then the task. Each is made when it is asked for; `take` is called for the first. */
export function* messages(take: () => Payload): Generator<Message, void> {
  const { changes, isSnapshot, task } = take();
  const rest = slices(changes, SLICE_BYTES, { isSnapshot });
  let slice = rest.next().value ?? { changes: [], bytes: 0 };
  for (let isFirst = true; ; isFirst = false) {
    const upcoming = rest.next().value;
    if (upcoming === undefined) {
      yield { ...slice, task, isFirst, isLast: true };
      return;
    }
    yield { ...slice, task: { kind: 'synchronise' }, isFirst, isLast: false };
    slice = upcoming;
  }
}

/**
 * The same changes in messages of about `limitBytes` each, so that posting one does not block the sender: long changes
 * are split, and the long texts of an entry over twice that go ahead in parts. The first messages of a snapshot are
 * smaller, because the first work of a process is slow; what an ordinary turn adds goes at once. What is no plain data goes as a plain copy. Applied in order they make the same
 * history (law 6). Source: docs/architecture.md, "The offload protocol", "Slices".
 */
export function* slices(
  changes: Iterable<Change>,
  limitBytes: number,
  { isSnapshot }: { isSnapshot: boolean },
): Generator<Slice, undefined> {
  const packer = new Packer(limitBytes, isSnapshot ? limitBytes / FIRST_SHARE : limitBytes);
  for (const change of changes) {
    if (change.kind === 'splice') yield* packSplice(packer, change);
    else if (change.kind === 'patch') yield* packPatch(packer, change);
    else packer.push(change);
  }
  if (!packer.isEmpty) yield packer.take();
  return undefined;
}

function* packSplice(packer: Packer, { list, start, deleteCount, entries }: Splice): Generator<Slice> {
  let open: Open<Splice> | undefined;
  const begin = (from: number): Open<Splice> => {
    const carried = { entries: [] as IContent[], texts: [] as TextPlace[], bytes: [] as number[] };
    const isFirst = from === 0;
    const change: Splice = {
      kind: 'splice',
      list,
      start: start + from,
      deleteCount: isFirst ? deleteCount : 0,
      ...carried,
    };
    packer.push(change);
    return { change, ...carried };
  };
  if (entries.length === 0) begin(0);
  for (let index = 0; index < entries.length; index++) {
    const packed = packer.wrap(entries[index]!);
    if (!packer.hasRoomFor(packed)) yield* packer.makeRoom(packed);
    if (open === undefined || !packer.holds(open.change)) open = begin(index);
    packer.put(packed, open);
  }
}

function* packPatch(packer: Packer, { indices, entries, removals }: Patch): Generator<Slice> {
  let open: (Open<Patch> & { readonly indices: number[] }) | undefined;
  const begin = (gone: readonly number[]): Open<Patch> & { readonly indices: number[] } => {
    const carried = {
      indices: [] as number[],
      entries: [] as IContent[],
      texts: [] as TextPlace[],
      bytes: [] as number[],
    };
    const change: Patch = { kind: 'patch', ...carried, removals: gone };
    packer.push(change);
    return { change, ...carried };
  };
  for (let at = 0; at < entries.length; at++) {
    const packed = packer.wrap(entries[at]!);
    if (!packer.hasRoomFor(packed)) yield* packer.makeRoom(packed);
    if (open === undefined || !packer.holds(open.change)) open = begin([]);
    open.indices.push(indices[at]!);
    packer.put(packed, open);
  }
  // Replacing moves nothing, so removals go last and their indices still hold.
  if (removals.length > 0 || entries.length === 0) begin(removals);
}

/** An entry ready to be sent, and the texts of it that go ahead. */
interface PackedEntry {
  readonly entry: IContent;
  /** Of the entry as it is sent, and with its texts. */
  readonly bytes: number;
  readonly wholeBytes: number;
  readonly texts: readonly { readonly textId: number; readonly keys: TextPlace['keys']; readonly text: string }[];
}

const NO_TEXTS: PackedEntry['texts'] = [];

/** Fills one message after the other. */
class Packer {
  readonly #mostBytes: number;
  #limitBytes: number;
  #message: Change[] = [];
  #bytes = 0;
  #nextTextId = 0;

  constructor(mostBytes: number, firstBytes: number) {
    this.#mostBytes = mostBytes;
    this.#limitBytes = firstBytes;
  }

  get isEmpty(): boolean {
    return this.#message.length === 0;
  }

  push(change: Change): void {
    this.#message.push(change);
  }

  /** Whether `change` is the last one of the message that is being filled. */
  holds(change: Change): boolean {
    return this.#message.at(-1) === change;
  }

  take(): Slice {
    const taken = { changes: this.#message, bytes: this.#bytes };
    this.#message = [];
    this.#bytes = 0;
    this.#limitBytes = Math.min(this.#mostBytes, 2 * this.#limitBytes);
    return taken;
  }

  wrap(entry: IContent): PackedEntry {
    const { bytes: ownBytes, isPlain } = footprint(entry);
    const plain = isPlain ? entry : plainCopy(entry);
    const wholeBytes = isPlain ? ownBytes : footprint(plain).bytes;
    if (wholeBytes <= 2 * this.#limitBytes) return { entry: plain, bytes: wholeBytes, wholeBytes, texts: NO_TEXTS };
    const long = takeLongTexts(plain, this.#limitBytes >> 1);
    const texts = long.texts.map((text) => ({ ...text, textId: this.#nextTextId++ }));
    return { entry: long.entry, bytes: footprint(long.entry).bytes, wholeBytes, texts };
  }

  /** Whether the entry can be put as it is into the message that is being filled: nearly each one can. */
  hasRoomFor({ bytes, texts }: PackedEntry): boolean {
    return texts.length === 0 && !this.#isFull(bytes);
  }

  /** The messages that are full before the entry itself can be put into one: its long texts are in them. */
  *makeRoom({ bytes, texts }: PackedEntry): Generator<Slice> {
    for (const { textId, text } of texts) {
      for (let from = 0; from < text.length; ) {
        const part = text.slice(from, from + this.#limitBytes);
        from += part.length;
        if (this.#isFull(part.length)) yield this.take();
        this.push({ kind: 'text-part', textId, text: part });
        this.#bytes += part.length;
      }
    }
    if (this.#isFull(bytes)) yield this.take();
  }

  put({ entry, bytes, wholeBytes, texts }: PackedEntry, open: Open<Splice | Patch>): void {
    for (const { textId, keys } of texts) open.texts.push({ textId, at: open.entries.length, keys });
    open.entries.push(entry);
    open.bytes.push(wholeBytes);
    this.#bytes += bytes;
  }

  #isFull(more: number): boolean {
    return this.#message.length > 0 && this.#bytes + more > this.#limitBytes;
  }
}
