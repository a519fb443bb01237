import { formatNamed } from '../formats/index.ts';
import { toErrorData } from '../offload/error-data.ts';
import { fileBytes } from './file-bytes.ts';
import { readSession } from './read-session.ts';
import { sessionFigures } from './session-figures.ts';
import type { SessionReply, SessionRequest } from './session-protocol.ts';
import { eventSlices } from './session-slices.ts';

const PROGRESS_BYTES = 4 << 20;

function* opened(
  { path, format }: Extract<SessionRequest, { kind: 'open' }>,
  tell: (reply: SessionReply) => void,
): Generator<SessionReply> {
  let told = 0;
  const onProgress = (doneBytes: number): void => {
    if (doneBytes - told < PROGRESS_BYTES) return;
    told = doneBytes;
    tell({ kind: 'progress', doneBytes });
  };
  const forced = format === undefined ? undefined : formatNamed(format);
  const { session, readMs } = readSession(fileBytes(path), { forced, onProgress });
  const { events, ...head } = session;
  yield { kind: 'head', head, readMs };
  for (const slice of eventSlices(events)) yield { kind: 'events', events: slice };
}

/** The parts of the answer to a request, each made when it is asked for; what fails is told as data. `tell` sends at once. */
export function* sessionReplies(
  request: Exclude<SessionRequest, { kind: 'next' }>,
  tell: (reply: SessionReply) => void,
): Generator<SessionReply> {
  try {
    if (request.kind === 'open') yield* opened(request, tell);
    else yield { kind: 'figures', figures: sessionFigures(readSession(fileBytes(request.path))) };
    yield { kind: 'end' };
  } catch (error) {
    yield { kind: 'failed', error: toErrorData(error) };
  }
}
