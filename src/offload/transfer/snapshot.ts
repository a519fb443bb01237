import type { IContent } from '../../content/content.ts';
import { footprint } from '../../content/footprint.ts';
import type { Change, Patch, Splice, Task, TextPlace } from '../protocol.ts';
import { type LongText, takeLongTexts } from './long-texts.ts';
import { plainCopy } from './plain-copy.ts';

/** Changes that are sent in one message, and about what they take. */
export interface Slice {
  readonly changes: readonly Change[];
  readonly bytes: number;
}

/** The size of the first message of a snapshot, relative to later ones: each is twice as large as the one before it. */
const FIRST_SHARE = 32;

/** What is sent at once: a slice, with the task if it is the last one. */
export interface Message extends Slice {
  readonly task: Task;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Everything that is sent for one request, from one version of the history. */
export interface Payload {
  readonly changes: readonly Change[];
  /** Whether the changes make all of the history. */
  readonly isSnapshot: boolean;
  readonly task: Task;
}

/** The most that one message has: posting it blocks the sender for about 0.3 ms. Source: bench `slice.max.10M`. */
const SLICE_BYTES = 256 * 1024;

/** The messages of one request, at least one: what the replica lacks in slices, then the task. Each is made when it is asked for. */
export function* messages({ changes, isSnapshot, task }: Payload): Generator<Message, void> {
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

/** A change of the message that is being filled: entries are still added to it. */
interface Open {
  readonly change: Splice | Patch;
  readonly indices: number[];
  readonly entries: IContent[];
  readonly texts: TextPlace[];
  readonly bytes: number[];
}

/**
 * The same changes in messages of about `limitBytes` each, so that posting one does not block the sender: long changes
 * are split, and the long texts of an entry over twice that are sent before it in parts. The first messages of a snapshot
 * are smaller, because the first work of a process is slow; what an ordinary turn adds is sent at once. What is not plain
 * data is sent as a plain copy. Applied in order they make the same history (law 6). Source: docs/architecture.md, "The
 * offload protocol", "Slices".
 */
export function* slices(
  changes: Iterable<Change>,
  limitBytes: number,
  { isSnapshot }: { isSnapshot: boolean },
): Generator<Slice, undefined> {
  let roomBytes = isSnapshot ? limitBytes / FIRST_SHARE : limitBytes;
  let message: Change[] = [];
  let bytes = 0;
  let textId = 0;
  const take = (): Slice => {
    const slice = { changes: message, bytes };
    message = [];
    bytes = 0;
    roomBytes = Math.min(limitBytes, 2 * roomBytes);
    return slice;
  };
  for (const change of changes) {
    if (change.kind !== 'splice' && change.kind !== 'patch') {
      message.push(change);
      continue;
    }
    let open: Open | undefined;
    for (let at = 0; at < change.entries.length; at++) {
      const { entry, ownBytes, wholeBytes, texts } = packed(change.entries[at]!, roomBytes);
      const firstTextId = textId;
      for (const { text } of texts) {
        for (let from = 0; from < text.length; ) {
          const part = text.slice(from, from + roomBytes);
          from += part.length;
          if (message.length > 0 && bytes + part.length > roomBytes) yield take();
          message.push({ kind: 'text-part', textId, text: part });
          bytes += part.length;
        }
        textId++;
      }
      if (message.length > 0 && bytes + ownBytes > roomBytes) yield take();
      if (open === undefined || message.at(-1) !== open.change) {
        open = opened(change, at);
        message.push(open.change);
      }
      for (const [index, { keys }] of texts.entries()) {
        open.texts.push({ textId: firstTextId + index, at: open.entries.length, keys });
      }
      if (change.kind === 'patch') open.indices.push(change.indices[at]!);
      open.entries.push(entry);
      open.bytes.push(wholeBytes);
      bytes += ownBytes;
    }
    // Replacing moves nothing, so removals are sent last and their indices are still valid.
    if (change.kind === 'patch' && change.removals.length > 0) {
      message.push({ ...change, indices: [], entries: [], texts: [], bytes: [] });
    } else if (change.entries.length === 0) message.push(opened(change, 0).change);
  }
  if (message.length > 0) yield take();
  return undefined;
}

/** An empty part of `change` that begins with its entry `at`. */
function opened(change: Splice | Patch, at: number): Open {
  const lists = { indices: [], entries: [], texts: [], bytes: [] };
  if (change.kind === 'patch') return { change: { kind: 'patch', ...lists, removals: [] }, ...lists };
  const { indices, ...carried } = lists;
  const { list, start, deleteCount } = change;
  const splice: Splice = {
    kind: 'splice',
    list,
    start: start + at,
    deleteCount: at === 0 ? deleteCount : 0,
    ...carried,
  };
  return { change: splice, ...lists };
}

/** An entry as it is sent, and the texts of it that are sent before. */
interface PackedEntry {
  readonly entry: IContent;
  /** Without and with those texts. */
  readonly ownBytes: number;
  readonly wholeBytes: number;
  readonly texts: readonly LongText[];
}

const NO_TEXTS: PackedEntry['texts'] = [];

function packed(entry: IContent, roomBytes: number): PackedEntry {
  const { bytes, isPlain } = footprint(entry);
  const plain = isPlain ? entry : plainCopy(entry);
  const wholeBytes = isPlain ? bytes : footprint(plain).bytes;
  if (wholeBytes <= 2 * roomBytes) return { entry: plain, ownBytes: wholeBytes, wholeBytes, texts: NO_TEXTS };
  const long = takeLongTexts(plain, roomBytes >> 1);
  return { entry: long.entry, ownBytes: footprint(long.entry).bytes, wholeBytes, texts: long.texts };
}
