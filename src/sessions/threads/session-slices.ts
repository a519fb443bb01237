import type { IContent } from '../../content/content.ts';
import { footprint } from '../../content/footprint.ts';
import { entriesOf, type SessionEvent } from '../../content/session-event.ts';
import type { EventSlice, PackedEvent, PackedHistory } from './session-protocol.ts';
import { TextPool, unpacker } from './text-pool.ts';

/** The receiving thread needs about a millisecond per slice. */
const SLICE_BYTES = 128 * 1024;

/** The events in slices to be sent one by one; each entry is sent once. Only the last event of a slice may exceed 128 KB. */
export function* eventSlices(events: readonly SessionEvent[]): Generator<EventSlice> {
  const numbers = new Map<IContent, number>();
  let slice: PackedEvent[] = [];
  let pool = new TextPool();
  let sizeBytes = 0;
  const packed = (content: IContent): IContent => {
    numbers.set(content, numbers.size);
    sizeBytes += footprint(content).bytes;
    return pool.pack(content) as IContent;
  };
  for (const event of events) {
    if (event.kind === 'add') slice.push({ kind: 'add', content: packed(event.content) });
    else slice.push({ ...event, contents: event.contents.map((one) => numbers.get(one) ?? packed(one)) });
    if (sizeBytes < SLICE_BYTES) continue;
    yield { events: slice, texts: pool.texts() };
    slice = [];
    pool = new TextPool();
    sizeBytes = 0;
  }
  if (slice.length > 0) yield { events: slice, texts: pool.texts() };
}

/** Every entry of the events once, in the order of the events. */
const entriesInOrder = (events: readonly SessionEvent[]): IContent[] => [...new Set(events.flatMap(entriesOf))];

/** `history` packed for a thread that reads the same events. */
export function packedHistory(events: readonly SessionEvent[], history: readonly IContent[]): PackedHistory {
  const numbers = new Map(entriesInOrder(events).map((entry, number) => [entry, number]));
  return history.map((entry) => numbers.get(entry) ?? entry);
}

/** The history before packing. Entries of the session are the objects of `events`. */
export function unpackedHistory(events: readonly SessionEvent[], history: PackedHistory): IContent[] {
  const entries = entriesInOrder(events);
  return history.map((entry) => (typeof entry === 'number' ? entries[entry]! : entry));
}

/** The events put together from slices. Entries kept by a replacement are the same objects. */
export class EventAssembly {
  readonly events: SessionEvent[] = [];
  readonly #entries: IContent[] = [];

  take({ events, texts }: EventSlice): void {
    const unpack = unpacker(texts);
    const whole = (one: IContent | number): IContent => {
      if (typeof one === 'number') return this.#entries[one]!;
      this.#entries.push(unpack(one) as IContent);
      return this.#entries.at(-1)!;
    };
    for (const event of events) {
      if (event.kind === 'add') this.events.push({ kind: 'add', content: whole(event.content) });
      else this.events.push({ ...event, contents: event.contents.map(whole) });
    }
  }
}
