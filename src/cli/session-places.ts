import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Where one agent keeps the sessions it recorded on this computer. */
export interface SessionPlace {
  readonly agent: string;
  readonly folder: string;
  /** Whether a file below `folder` (relative, with `/`) is a session of its own. */
  readonly isSession: (relativePath: string) => boolean;
}

export interface FoundSession {
  readonly agent: string;
  readonly path: string;
  readonly changedAt: number;
}

/**
 * The usual places, or where CLAUDE_CONFIG_DIR, CODEX_HOME and GEMINI_CLI_HOME say. Sub-agents'
 * files are no sessions of their own.
 */
export function sessionPlaces(environment: NodeJS.ProcessEnv = process.env, home: string = homedir()): SessionPlace[] {
  return [
    {
      agent: 'Claude Code',
      folder: path.join(environment['CLAUDE_CONFIG_DIR'] || path.join(home, '.claude'), 'projects'),
      isSession: (name) => /^[^/]+\/(?!agent-)[^/]+\.jsonl$/.test(name),
    },
    {
      agent: 'Codex',
      folder: path.join(environment['CODEX_HOME'] || path.join(home, '.codex'), 'sessions'),
      isSession: (name) => /(^|\/)rollout-[^/]+\.jsonl$/.test(name),
    },
    {
      agent: 'Gemini CLI',
      folder: path.join(environment['GEMINI_CLI_HOME'] || home, '.gemini', 'tmp'),
      isSession: (name) => /^[^/]+\/chats\/session-[^/]+\.jsonl?$/.test(name),
    },
  ];
}

/** The sessions of one place; none where the folder is missing or forbidden. */
export function sessionsIn(place: SessionPlace): FoundSession[] {
  let names: string[];
  try {
    names = readdirSync(place.folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    if (!place.isSession(name.split(path.sep).join('/'))) return [];
    const file = path.join(place.folder, name);
    const status = statSync(file, { throwIfNoEntry: false });
    return status?.isFile() ? [{ agent: place.agent, path: file, changedAt: status.mtimeMs }] : [];
  });
}

/** The sessions of all places, the one that changed last first. */
export function foundSessions(places: readonly SessionPlace[] = sessionPlaces()): FoundSession[] {
  return places.flatMap(sessionsIn).sort((one, other) => other.changedAt - one.changedAt);
}
