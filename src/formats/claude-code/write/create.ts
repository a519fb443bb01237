import type { IContent } from '../../../content/content.ts';
import { sendable } from '../../blocks/sendable.ts';
import type { NewSession } from '../../contract.ts';
import { jsonLine } from '../../json/json-text.ts';
import { LineMaker } from './new-lines.ts';

/** The version of the format of new sessions. */
const VERSION = '2.1.37';
const SECOND_MS = 1000;

/** A new session file: one line per block of an answer and one per result, in one chain. */
export function* createRecording(history: readonly IContent[], session: NewSession): Generator<Uint8Array> {
  const envelope = {
    isSidechain: false,
    userType: 'external',
    cwd: session.workspaceRoot ?? '/',
    sessionId: session.id,
    version: VERSION,
    gitBranch: '',
  };
  const maker = new LineMaker(envelope, { seed: session.id, model: session.model });
  for (const [index, content] of sendable(history).entries()) {
    for (const line of maker.lines(content, session.startedAt + index * SECOND_MS))
      yield jsonLine(line, `entry ${index}`);
  }
}
