import path from 'node:path';
import type { IContent } from '../content/content.ts';
import { openAppendLog } from '../disk/append-log.ts';
import type { NewSession } from '../formats/contract.ts';
import { highDensity } from '../formats/high-density/high-density.ts';
import { SerialQueue } from '../serial-queue.ts';
import { TimeSlice } from '../time-slice.ts';
import type { TranscriptSink } from './options.ts';

/** The fields of the header before the entries, except the format. */
export type TranscriptHeader = Omit<NewSession, 'startedAt'> & { readonly startedAt?: number };

/**
 * A transcript in a file: a session of our own format, one entry per line, that `density inspect` reads. The file is
 * only appended to, and only its owner may read it. Each step writes a header and its entries as whole lines in one
 * write; they are on disk when `append` resolves. The rest of an interrupted write remains a line of its own.
 */
export class FileTranscript implements TranscriptSink {
  readonly path: string;
  readonly #header: TranscriptHeader;
  readonly #queue = new SerialQueue();

  constructor(file: string, header: TranscriptHeader = { id: path.basename(file) }) {
    this.path = path.resolve(file);
    this.#header = header;
  }

  /** Appends in the order of the calls; `facts` are added to the header of these entries. @throws the system's error. */
  append(entries: readonly IContent[], facts: object = {}): Promise<void> {
    return entries.length === 0 ? Promise.resolve() : this.#queue.run(() => this.#append(entries, facts));
  }

  async #append(entries: readonly IContent[], facts: object): Promise<void> {
    const slice = new TimeSlice();
    const pieces: Uint8Array[] = [];
    for (const piece of highDensity.create!(entries, { startedAt: Date.now(), ...this.#header, ...facts })) {
      pieces.push(piece);
      if (slice.isOver()) await slice.next();
    }
    const handle = await openAppendLog(this.path);
    try {
      await handle.appendFile(Buffer.concat(pieces));
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}
