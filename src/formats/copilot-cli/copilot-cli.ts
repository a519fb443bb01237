import type { IContent } from '../../content/content.ts';
import { copilotCli as vocabulary } from '../../content/vocabularies/copilot-cli.ts';
import { sendable } from '../blocks/sendable.ts';
import type { NewSession, SessionFormat } from '../contract.ts';
import { headLines } from '../json/json-file.ts';
import { EventMaker } from './new-events.ts';
import { isCopilotEvent, readRecording } from './read.ts';
import { writeRecording } from './write.ts';

const STEP_MS = 1000;

function* create(history: readonly IContent[], session: NewSession): Generator<Uint8Array> {
  const { id: sessionId, model, workspaceRoot: cwd = '/', startedAt } = session;
  const maker = new EventMaker(sessionId);
  const startTime = new Date(startedAt).toISOString();
  const about = { sessionId, version: 1, producer: 'high-density', copilotVersion: '1.0.64', startTime };
  const selected = model === undefined ? {} : { selectedModel: model };
  const start = maker.line(
    { type: 'session.start', data: { ...about, ...selected, context: { cwd } } },
    null,
    startedAt,
  );
  yield start.bytes;
  let parent = start.id;
  for (const [index, entry] of sendable(history).entries()) {
    for (const event of maker.events(entry)) {
      const { id, bytes } = maker.line(event, parent, entry.metadata?.timestamp ?? startedAt + index * STEP_MS);
      parent = id;
      yield bytes;
    }
  }
}

/**
 * Sessions of GitHub Copilot CLI, `~/.copilot/session-state/<id>/events.jsonl`: a chain of events. The model is sent
 * `transformedContent` of user messages, answers with `toolRequests`, `content` of results, notices, and skills, to whose
 * text an event refers since 1.0.102; hooks, permissions, telemetry and `detailedContent` are for the screen. Sub-agents are
 * omitted. A truncation does not record what it removed, so that is kept. Source: recordings of 1.0.64 and 1.0.102; the event
 * types of github/copilot-sdk.
 */
export const copilotCli: SessionFormat = {
  name: 'copilot-cli',
  title: 'GitHub Copilot CLI session',
  vocabulary,
  detect: (head) => isCopilotEvent(headLines(head)[0]),
  read: (lines) => readRecording(lines).session,
  write: writeRecording,
  create,
};
