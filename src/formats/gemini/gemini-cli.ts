import type { IContent } from '../../content/content.ts';
import { gemini as vocabulary } from '../../content/vocabularies/gemini.ts';
import { timeOf } from '../blocks/iso-time.ts';
import type { Line, NewSession, SessionFormat } from '../contract.ts';
import { headLines } from '../json/json-file.ts';
import { jsonLine } from '../json/json-text.ts';
import { writeLines } from '../lines/line-edits.ts';
import { planLines } from '../lines/line-messages.ts';
import { assertRestartable } from '../lines/lines.ts';
import { newHeader, newMessages } from './create.ts';
import { recordedMessages, USAGE_REPORTS } from './message.ts';
import { isHeader, readRecording } from './recording.ts';

const NAME = 'gemini-cli';
const dialect = recordedMessages(() => []);

function* write(lines: Iterable<Line>, history: readonly IContent[]): Generator<Uint8Array> {
  assertRestartable(lines);
  const { header, live } = readRecording(lines, dialect, NAME);
  const startedAt = timeOf(header['lastUpdated']) ?? 0;
  const seed = String(header['sessionId']);
  yield* writeLines(lines, planLines(live, history, dialect), (entries) => newMessages(entries, { seed, startedAt }));
}

function* create(history: readonly IContent[], session: NewSession): Generator<Uint8Array> {
  const { id: seed, startedAt, model } = session;
  for (const value of [newHeader(session), ...newMessages(history, { seed, startedAt, model })])
    yield jsonLine(value, 'a message');
}

/**
 * Chats of Gemini CLI as lines, `~/.gemini/tmp/<project>/chats/session-*.jsonl`: a header, then messages. A repeated id
 * replaces a message, `$set` replaces facts or all messages, `$rewindTo` removes a message and all after it. The messages
 * are as in `gemini-cli-json`.
 * Source: recordings of 2026; google-gemini/gemini-cli, packages/core/src/services/chatRecordingService.ts
 */
export const geminiCli: SessionFormat = {
  name: NAME,
  title: 'Gemini CLI recording',
  vocabulary,
  detect: (head) => isHeader(headLines(head)[0]),
  read: (lines) => readRecording(lines, dialect, NAME).session,
  write,
  usageReports: USAGE_REPORTS,
  create,
};
