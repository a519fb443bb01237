import { vocabularyWithListed } from '../../content/tools/own-tools.ts';
import { batched } from '../../disk/batched.ts';
import { fileBytes } from '../../disk/file-bytes.ts';
import { liveHistory } from '../../formats/contract.ts';
import { convertSession } from '../../formats/convert.ts';
import { formatNamed } from '../../formats/index.ts';
import { linesOf } from '../../formats/lines/lines.ts';
import { countFile } from '../file-count.ts';
import { newSessionFacts } from '../new-session.ts';
import { withWholePrompts } from '../prompts/prompts-left.ts';
import type { OptimizeConfig } from '../prunable.ts';
import { type ReadSession, readSession } from '../read-session.ts';
import { rewritten } from '../rewritten.ts';
import { inspectSession, sessionFigures } from '../session-inspection.ts';
import type { SessionPlace, SessionQuestion, SessionReply } from './session-protocol.ts';
import { eventSlices, unpackedHistory } from './session-slices.ts';

type Question<Kind extends SessionQuestion['kind']> = Extract<SessionQuestion, { readonly kind: Kind }>;
type OnProgress = (doneBytes: number) => void;

const read = ({ path, format }: SessionPlace, onProgress: OnProgress): ReadSession =>
  readSession(fileBytes(path), { forced: format === undefined ? undefined : formatNamed(format), onProgress });

function headReply({ session, readMs }: ReadSession): SessionReply {
  const { events: _events, ...head } = session;
  return { kind: 'head', head, readMs };
}

function* opened(question: Question<'open'>, onProgress: OnProgress): Generator<SessionReply> {
  const found = read(question, onProgress);
  yield headReply(found);
  for (const slice of eventSlices(found.recorded.events)) yield { kind: 'events', slice };
}

function* inspected(question: Question<'inspect'>, onProgress: OnProgress): Generator<SessionReply> {
  const found = read(question, onProgress);
  yield headReply(found);
  yield { kind: 'inspection', inspection: inspectionOf(found, question) };
}

/** How a session is inspected. */
export interface InspectionChoice {
  /** Counts; the recorded one if absent. */
  readonly model?: string | undefined;
  /** How `optimize` would prune it. */
  readonly optimize: OptimizeConfig;
}

/** What fills the context of a session. */
export function inspectionOf(
  { session, format }: Pick<ReadSession, 'session' | 'format'>,
  { model, optimize }: InspectionChoice,
) {
  return inspectSession(session, {
    vocabulary: vocabularyWithListed(optimize.rules?.tools ?? [], format.vocabulary),
    workspaceRoot: session.workspaceRoot ?? '/',
    model: model ?? session.model ?? 'unknown',
    optimize,
  });
}

function* converted(question: Question<'convert'>, onProgress: OnProgress): Generator<SessionReply> {
  const found = read(question, onProgress);
  yield headReply(found);
  const session = withWholePrompts(found);
  const { pieces, losses } = convertSession(
    session,
    formatNamed(question.to),
    newSessionFacts(session, question.fallback),
  );
  yield { kind: 'converted', entries: liveHistory(session).length, losses };
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
  yield { kind: 'step', step };
  for (const piece of batched(pieces)) yield { kind: 'piece', bytes: piece };
}

function* answers(question: SessionQuestion, onProgress: OnProgress): Generator<SessionReply> {
  switch (question.kind) {
    case 'open':
      return yield* opened(question, onProgress);
    case 'inspect':
      return yield* inspected(question, onProgress);
    case 'convert':
      return yield* converted(question, onProgress);
    case 'rewrite':
      return yield* rewrote(question, onProgress);
    case 'figures':
      return yield {
        kind: 'figures',
        figures: sessionFigures(readSession(fileBytes(question.path)), question.optimize),
      };
    case 'count':
      return yield { kind: 'count', count: countFile(fileBytes(question.path), question.model, onProgress) };
  }
}

/** The parts of the answer to a question, each made when it is asked for. `onProgress` is called with bytes of the file. @throws what fails. */
export function* sessionReplies(question: SessionQuestion, onProgress: OnProgress): Generator<SessionReply> {
  yield* answers(question, onProgress);
  yield { kind: 'end' };
}
