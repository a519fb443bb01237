import { fileBytes } from '../../../disk/file-bytes.ts';
import { formatNamed } from '../../../formats/index.ts';
import type { Inspection } from '../../../sessions/inspection.ts';
import { readSession } from '../../../sessions/read-session.ts';
import { inspectionOf } from '../../../sessions/threads/session-replies.ts';
import { type SessionSource, workOnFile } from '../../options/session-file.ts';
import type { ReadOptions } from '../../options/session-options.ts';

/** Smaller files are read and counted before a thread has started. */
const THREAD_BYTES = 64 * 1024;

/** A session and what was found in it. It comes without its events: they stay where they were read. */
export interface InspectedSession extends SessionSource {
  readonly inspection: Inspection;
}

/** Where the context of a session goes, counted as its model does; a large one on a thread. */
export async function inspected(file: string, { format: forced, model }: ReadOptions): Promise<InspectedSession> {
  const bytes = fileBytes(file);
  const found = await workOnFile(bytes, {
    label: 'reading',
    leastBytes: THREAD_BYTES,
    onThread: async (thread, onProgress) => {
      const { head, ...rest } = await thread.inspect(file, { format: forced?.name, model, onProgress });
      return { ...rest, format: formatNamed(head.format), session: { ...head, events: [] } };
    },
    here: (onProgress) => {
      const read = readSession(bytes, { forced, onProgress });
      return { ...read, inspection: inspectionOf(read, model) };
    },
  });
  return { ...found, name: file, sizeBytes: bytes.sizeBytes };
}
