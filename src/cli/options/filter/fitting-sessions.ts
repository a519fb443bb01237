import path from 'node:path';
import { firstMessage } from '../../../sessions/places/first-message.ts';
import { glimpse } from '../../../sessions/places/session-glimpse.ts';
import { type FoundSession, sessionPlaces } from '../../../sessions/places/session-places.ts';
import { UsageError } from '../../terminal/terminal.ts';
import type { SessionFilter } from './session-filter.ts';

/** `Claude Code`, `claude-code` and `claude` are one agent. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const isBelow = (place: string, folder: string): boolean => !/^\.\.(?:$|[\\/])/.test(path.relative(folder, place));

/** True for the projects that `wanted` names: by a path that is absolute or begins with a dot, else by a part of theirs. */
function namesProject(wanted: string): (project: string) => boolean {
  const isPath = path.isAbsolute(wanted) || /^\.\.?(?:$|[\\/])/.test(wanted);
  if (!isPath) return (project) => project.toLowerCase().includes(wanted.toLowerCase());
  const folder = path.resolve(wanted);
  return (project) => path.isAbsolute(project) && isBelow(project, folder);
}

/** @throws UsageError if no agent has this name. */
function assertAgent(wanted: string): void {
  const agents = [...new Set(sessionPlaces().map((place) => place.agent))];
  if (agents.some((agent) => plain(agent).includes(plain(wanted)))) return;
  throw new UsageError(`Expected --agent to name one of ${agents.join(', ')}, got ${JSON.stringify(wanted)}.`);
}

/**
 * The sessions that fit the filter, in their order. Reads both ends of each file if it names a project, and its start if it has words of a message.
 * @throws UsageError for the name of no agent.
 */
export function fittingSessions(
  found: readonly FoundSession[],
  { project, agent, since, until, message }: SessionFilter,
): FoundSession[] {
  if (agent !== undefined) assertAgent(agent);
  const isOfProject = project === undefined ? undefined : namesProject(project);
  const words = message?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  return found.filter((session) => {
    if (agent !== undefined && !plain(session.agent).includes(plain(agent))) return false;
    const day = new Date(session.changedAt).toISOString().slice(0, 10);
    if ((since !== undefined && day < since) || (until !== undefined && day > until)) return false;
    if (isOfProject !== undefined && !isOfProject(glimpse(session).project ?? '')) return false;
    if (words.length === 0) return true;
    const text = (firstMessage(session) ?? '').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
