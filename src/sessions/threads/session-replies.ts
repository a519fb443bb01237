import { batched } from '../../disk/batched.ts';
import { fileBytes } from '../../disk/file-bytes.ts';
import { liveHistory } from '../../formats/contract.ts';
import { convertSession } from '../../formats/convert.ts';
import { formatNamed } from '../../formats/index.ts';
import { linesOf } from '../../formats/lines/lines.ts';
import { countFile } from '../file-count.ts';
import { newSessionFacts } from '../new-session.ts';
import { withWholePrompts } from '../prompts/prompts-left.ts';
import { type ReadSession, readSession } from '../read-session.ts';
import { rewritten } from '../rewritten.ts';
import { inspectionOf, sessionFigures } from '../session-inspection.ts';
import type { SessionAnswers, SessionPlace, SessionQuestion, SessionReply } from './session-protocol.ts';
import { eventSlices, unpackedHistory } from './session-slices.ts';

type Question<Kind extends SessionQuestion['kind']> = Extract<SessionQuestion, { readonly kind: Kind }>;
type OnProgress = (doneBytes: number) => void;

const read = ({ path, format }: SessionPlace, onProgress: OnProgress): ReadSession =>
  readSession(fileBytes(path), { forced: format === undefined ? undefined : formatNamed(format), onProgress });

function headOf({ session, readMs }: ReadSession) {
  const { events: _events, ...head } = session;
  return { head, readMs };
}

function* opened(question: Question<'open'>, onProgress: OnProgress): Generator<SessionReply> {
  const found = read(question, onProgress);
  yield { kind: 'answer', answer: headOf(found) };
  for (const slice of eventSlices(found.recorded.events)) yield { kind: 'events', slice };
}

function* converted(question: Question<'convert'>, onProgress: OnProgress): Generator<SessionReply> {
  const found = read(question, onProgress);
  const session = withWholePrompts(found);
  const { pieces, losses } = convertSession(
    session,
    formatNamed(question.to),
    newSessionFacts(session, question.fallback),
  );
  yield { kind: 'answer', answer: { ...headOf(found), entries: liveHistory(session).length, losses } };
  for (const bytes of batched(pieces)) yield { kind: 'piece', bytes };
}

/** The file is read three times, once to read it and twice to write it: each pass is a third of the work. */
function* rewrote(question: Question<'rewrite'>, onProgress: OnProgress): Generator<SessionReply> {
  const bytes = fileBytes(question.path, question.sizeBytes);
  let passedBytes = 0;
  const chunks = function* (): Generator<Uint8Array> {
    for (const chunk of bytes.chunks()) {
      passedBytes += chunk.length;
      onProgress(passedBytes / 3);
      yield chunk;
    }
  };
  const format = formatNamed(question.format);
  const session = format.read(linesOf(chunks));
  const after = unpackedHistory(session.events, question.history);
  const { step, pieces } = rewritten({ session, format, lines: linesOf(chunks) }, after);
  yield { kind: 'answer', answer: { step } };
  for (const piece of batched(pieces)) yield { kind: 'piece', bytes: piece };
}

type AnswerAlone = Question<'inspect' | 'figures' | 'count'>;

/** The answer to a question that nothing follows. */
function answerTo(question: AnswerAlone, onProgress: OnProgress): SessionAnswers[AnswerAlone['kind']] {
  if (question.kind === 'count') return countFile(fileBytes(question.path), question.model, onProgress);
  if (question.kind === 'figures') return sessionFigures(readSession(fileBytes(question.path)), question.optimize);
  const found = read(question, onProgress);
  return { ...headOf(found), inspection: inspectionOf(found, question) };
}

function* answers(question: SessionQuestion, onProgress: OnProgress): Generator<SessionReply> {
  if (question.kind === 'open') yield* opened(question, onProgress);
  else if (question.kind === 'convert') yield* converted(question, onProgress);
  else if (question.kind === 'rewrite') yield* rewrote(question, onProgress);
  else yield { kind: 'answer', answer: answerTo(question, onProgress) };
}

/** The parts of the answer to a question, each made when it is asked for. `onProgress` is called with bytes of the file. @throws what fails. */
export function* sessionReplies(question: SessionQuestion, onProgress: OnProgress): Generator<SessionReply> {
  yield* answers(question, onProgress);
  yield { kind: 'end' };
}
