import { append } from '../../content/append.ts';
import { isRecord } from '../../content/foreign-value.ts';
import type { SessionEvent } from '../../content/session-event.ts';
import { openhands as vocabulary } from '../../content/vocabularies/openhands.ts';
import type { Line, Session, SessionFormat, SkippedLine } from '../contract.ts';
import { headDocument, noMessages, readDocument } from '../json/json-file.ts';
import { recordLines } from '../lines/record-lines.ts';
import { type EventFacts, EventReader } from './events.ts';
import { isCutLoggedCall, readLoggedCall } from './logged-call.ts';

const NAME = 'openhands';
const TITLE = 'an OpenHands event list, output or logged call';

const isEvent = (value: unknown): boolean =>
  isRecord(value) && ('action' in value || 'observation' in value) && !('role' in value);

/** The events of a list; in the oldest outputs, an action and its observation are a pair. */
function eventsIn(list: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const events = list.flat();
  return isEvent(events[0]) ? events : undefined;
}

const isLoggedCall = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && Array.isArray(value['messages']) && ('kwargs' in value || 'raw_messages' in value);

/** The events of one JSON value: a list, or an instance of an evaluation with a `history`. */
const historyIn = (value: unknown): readonly unknown[] | undefined =>
  eventsIn(isRecord(value) ? value['history'] : value);

/** The runs of an evaluation's `output.jsonl`, one per line; `undefined` if the first line is not a run. */
function outputLines(lines: Iterable<Line>, skipped: SkippedLine[]): (readonly unknown[])[] | undefined {
  const runs: (readonly unknown[])[] = [];
  let line = 0;
  for (const { parsed } of recordLines(lines)) {
    line++;
    if (parsed.kind === 'blank') continue;
    const history = parsed.kind === 'json' && isRecord(parsed.value) ? historyIn(parsed.value) : undefined;
    if (history) runs.push(history);
    else if (runs.length === 0) return undefined;
    else skipped.push({ line, reason: parsed.kind === 'broken' ? parsed.reason : 'expected a run with `history`' });
  }
  return runs;
}

function sessionOf(runs: readonly (readonly unknown[])[], skipped: readonly SkippedLine[]): Session {
  const events: SessionEvent[] = [];
  let facts: EventFacts = {};
  for (const [order, run] of runs.entries()) {
    const reader = new EventReader(runs.length > 1 ? `${order}.` : '');
    for (const [index, event] of run.entries()) if (isRecord(event)) reader.read(event, index);
    if (order > 0) events.push({ kind: 'replace', contents: [] });
    append(events, reader.events);
    facts = reader.facts;
  }
  return { format: NAME, ...facts, events, skipped };
}

function read(lines: Iterable<Line>): Session {
  const all = [...lines];
  const skipped: SkippedLine[] = [];
  const runs = outputLines(all, skipped);
  if (runs && runs.length > 0) return sessionOf(runs, skipped);
  const { bytes, value } = readDocument(all, TITLE);
  if (isLoggedCall(value)) return { format: NAME, skipped: [], ...readLoggedCall(value) };
  const history = historyIn(value);
  if (!history) throw noMessages(TITLE, bytes, ' without events or messages');
  return sessionOf([history], []);
}

/**
 * Recordings of OpenHands, read-only: event lists of V0 (`trajectory.json`), evaluation outputs (`output.jsonl`: each run is
 * a new conversation, and the last is live) and logged model calls of the V1 SDK. An observation answers the action in its
 * `cause`; in early versions without ids, the action before it.
 */
export const openhands: SessionFormat = {
  name: NAME,
  title: 'OpenHands recording',
  vocabulary,
  detect(head) {
    const document = headDocument(head);
    return isLoggedCall(document) || isCutLoggedCall(head, document) || historyIn(document) !== undefined;
  },
  read,
};
