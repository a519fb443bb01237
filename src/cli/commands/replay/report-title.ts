import path from 'node:path';
import type { Session } from '../../../formats/contract.ts';
import { firstTyped } from '../../../sessions/places/first-message.ts';

/** The most characters of the first message; they are the start of a sentence. */
const MAX_CHARS = 80;

/** The day of the first entry that has a time, in UTC. */
function dayOf({ events }: Session): string | undefined {
  for (const event of events) {
    const at = event.kind === 'add' ? event.content.metadata?.timestamp : undefined;
    if (at !== undefined) return new Date(at).toISOString().slice(0, 10);
  }
  return undefined;
}

const shortened = (text: string): string => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS).trimEnd()}…` : text);

/** What a person knows a session by: its project, its day and its first message, as far as they are recorded; else the name of the file. */
export function reportTitle(session: Session, file: string): string {
  const { workspaceRoot } = session;
  const message = firstTyped(session);
  const parts = [workspaceRoot && path.basename(workspaceRoot), dayOf(session), message && shortened(message)].filter(
    (part) => part !== undefined && part !== '',
  );
  return parts.length === 0 ? path.basename(file) : parts.join(' · ');
}
