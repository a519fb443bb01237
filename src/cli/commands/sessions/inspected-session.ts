import { fileBytes } from '../../../disk/file-bytes.ts';
import { readSession } from '../../../sessions/read-session.ts';
import { type InspectionChoice, inspectionOf, type SessionInspection } from '../../../sessions/session-inspection.ts';
import { type ReadOptions, type SessionSource, withoutEvents, workOnFile } from '../../options/session-file.ts';

/** Reading and counting a smaller file takes less time than starting a thread. */
const THREAD_BYTES = 64 * 1024;

/** A session and its inspection. `session.events` is empty if a thread read it. */
export interface InspectedSession extends SessionSource {
  readonly inspection: SessionInspection;
}

/** Inspects a session with the tokenizer of its model, a large one on a thread. */
export async function inspected(
  file: string,
  { format: forced, model, optimize }: ReadOptions & InspectionChoice,
): Promise<InspectedSession> {
  const bytes = fileBytes(file);
  const found = await workOnFile(bytes, {
    label: 'reading',
    leastBytes: THREAD_BYTES,
    onThread: async (thread, onProgress) =>
      withoutEvents(await thread.inspect(file, { format: forced?.name, model, optimize, onProgress })),
    here: (onProgress) => {
      const read = readSession(bytes, { forced, onProgress });
      const { session, format, readMs } = read;
      return { session, format, readMs, inspection: inspectionOf(read, { model, optimize }) };
    },
  });
  return { ...found, name: bytes.path, sizeBytes: bytes.sizeBytes };
}
