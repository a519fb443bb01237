import { readdirSync } from 'node:fs';
import path from 'node:path';
import { readOr } from '../../content/foreign-value.ts';
import { fileStatus } from '../../disk/file-status.ts';
import { addressOf, databaseSessions } from '../../disk/opencode-database/database-session.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { sessionsFolder } from './data-folder.ts';
import { editorStorages } from './editor-storages.ts';
import { homeFolder } from './home-folder.ts';
import { folderOf, type Surroundings } from './surroundings.ts';
import { isTranscript } from './transcript-file.ts';

/** A folder where one agent keeps its recorded sessions on this computer. */
export interface SessionPlace {
  readonly agent: string;
  readonly folder: string;
  /** Whether a file below `folder` (relative, with `/`) is a session of its own. */
  readonly isSession: (relativePath: string) => boolean;
  /** Tokens of recorded text per byte of such a file; absent where its size says nothing of them. Source: medians over the recordings in test/real-sessions. */
  readonly tokensPerByte?: number;
  /** Of an agent that records what its provider reports: further tokens of a context whose report is not found, such as system prompt and tools. Source: as above. */
  readonly unseenTokens?: number;
  /** True if a session is spread over many files. */
  readonly isSpread?: true;
  /** True if each folder directly below `folder` belongs to a project. */
  readonly isByProject?: true;
  /** Its files are databases that hold many sessions each. */
  readonly isDatabase?: true;
}

export interface FoundSession {
  readonly place: SessionPlace;
  readonly agent: string;
  readonly path: string;
  readonly changedAt: number;
  readonly sizeBytes: number;
  /** What its database says of it. */
  readonly told?: {
    readonly project: string;
    readonly title: string;
    /** Sessions of the agents that it started: `sizeBytes` counts them. */
    readonly subAgents: number;
    /** The bytes of the session alone. */
    readonly ownBytes: number;
    /** As its provider counted the last call. */
    readonly reportedTokens?: number;
  };
  /** Why the database cannot be read that stands here. */
  readonly problem?: string;
}

function codexPlaces(around: Surroundings): SessionPlace[] {
  return ['sessions', 'archived_sessions'].map((folder) => ({
    agent: 'Codex',
    folder: path.join(folderOf(around, 'CODEX_HOME', '.codex'), folder),
    isSession: (name) => /(^|\/)rollout-[^/]+\.jsonl$/.test(name),
    tokensPerByte: 0.17,
    unseenTokens: 26_000,
  }));
}

/** The folder of the variable, else both usual folders: versions from 1.0.30 on may use the XDG one. */
function claudePlaces(around: Surroundings): SessionPlace[] {
  const usual = folderOf(around, 'CLAUDE_CONFIG_DIR', '.claude');
  const folders = around.environment['CLAUDE_CONFIG_DIR']
    ? [usual]
    : [usual, path.join(folderOf(around, 'XDG_CONFIG_HOME', '.config'), 'claude')];
  return folders.map((folder) => ({
    agent: 'Claude Code',
    folder: path.join(folder, 'projects'),
    isSession: (name) => /^[^/]+\/(?!agent-)[^/]+\.jsonl$/.test(name),
    tokensPerByte: 0.058,
    unseenTokens: 36_000,
  }));
}

const isChat = (name: string): boolean => /^[^/]+\/(chats\/session-[^/]+\.jsonl?|checkpoint-[^/]+\.json)$/.test(name);

/**
 * The usual places, or those that each agent's variables name: CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME,
 * COPILOT_HOME, PI_CODING_AGENT_DIR, QWEN_HOME, XDG_DATA_HOME (opencode), XDG_CONFIG_HOME (Claude Code, editors). Files of sub-agents
 * are no sessions. Source: FORMATS.md and the documentation of each agent.
 */
export function sessionPlaces(
  environment: NodeJS.ProcessEnv = process.env,
  home: string = homeFolder(),
  platform: NodeJS.Platform = process.platform,
): SessionPlace[] {
  const around = { environment, home, platform };
  return [
    {
      agent: 'density',
      folder: sessionsFolder(),
      isSession: (name) => /^[^/]+\.jsonl$/.test(name),
      tokensPerByte: 0.2,
    },
    ...claudePlaces(around),
    ...codexPlaces(around),
    {
      agent: 'Gemini CLI',
      folder: path.join(folderOf(around, 'GEMINI_CLI_HOME'), '.gemini', 'tmp'),
      isSession: isChat,
      tokensPerByte: 0.098,
      unseenTokens: 14_000,
      isByProject: true,
    },
    {
      agent: 'LLxprt',
      folder: path.join(home, '.llxprt', 'tmp'),
      isSession: isChat,
      tokensPerByte: 0.2,
      isByProject: true,
    },
    ...opencodePlaces(around),
    {
      agent: 'Kilo CLI',
      folder: path.join(folderOf(around, 'XDG_DATA_HOME', '.local', 'share'), 'kilo'),
      isSession: (name) => /^kilo(-[\w.-]+)?\.db$/.test(name),
      tokensPerByte: 0.095,
      isDatabase: true,
    },
    {
      agent: 'pi',
      folder: path.join(folderOf(around, 'PI_CODING_AGENT_DIR', '.pi', 'agent'), 'sessions'),
      isSession: (name) => /^[^/]+\/[^/]+\.jsonl$/.test(name),
      tokensPerByte: 0.105,
    },
    {
      agent: 'Qwen Code',
      folder: path.join(folderOf(around, 'QWEN_HOME', '.qwen'), 'projects'),
      isSession: (name) => /^[^/]+\/chats\/[^/]+\.jsonl$/.test(name),
      tokensPerByte: 0.13,
      isByProject: true,
    },
    {
      agent: 'Copilot CLI',
      folder: path.join(folderOf(around, 'COPILOT_HOME', '.copilot'), 'session-state'),
      // Its file repeats the system prompt and has what hooks were told: four times what is sent, or more.
      isSession: (name) => /^([^/]+\/events|[^/]+)\.jsonl$/.test(name),
    },
    ...editorStorages(around).map(({ agent, folder }) => ({
      agent,
      folder,
      isSession: (name: string) => /^[^/]+\/api_conversation_history\.json$/.test(name),
      tokensPerByte: 0.22,
    })),
  ];
}

/** Below it is a folder of each channel's database since 1.2, and the files of versions before. */
function opencodePlaces(around: Surroundings): SessionPlace[] {
  const folder = path.join(folderOf(around, 'XDG_DATA_HOME', '.local', 'share'), 'opencode');
  return [
    {
      agent: 'opencode',
      folder,
      isSession: (name) => /^opencode(-[\w.-]+)?\.db$/.test(name),
      tokensPerByte: 0.095,
      isDatabase: true,
    },
    {
      agent: 'opencode',
      folder: path.join(folder, 'storage', 'session'),
      isSession: (name) => /(^|\/)ses_[^/]+\.json$/.test(name),
      isSpread: true,
    },
  ];
}

/** The sessions of a database; if it cannot be read, the file with the reason. */
function sessionsOfDatabase(found: FoundSession): FoundSession[] {
  try {
    return databaseSessions(found.path).map(
      ({ id, title, directory, changedAt, sizeBytes, subAgents, totalBytes, reportedTokens }) => ({
        ...found,
        path: addressOf(found.path, id),
        changedAt,
        sizeBytes: totalBytes,
        told: {
          project: directory,
          title,
          subAgents,
          ownBytes: sizeBytes,
          ...(reportedTokens !== undefined && { reportedTokens }),
        },
      }),
    );
  } catch (error) {
    if (!(error instanceof CompressionStrategyError)) throw error;
    return [{ ...found, problem: error.message }];
  }
}

/** The sessions of one place; none if the folder is missing or forbidden. */
export function sessionsIn(place: SessionPlace): FoundSession[] {
  const read = () => readdirSync(place.folder, { recursive: !place.isDatabase, encoding: 'utf8' });
  return readOr<string[], string[]>(read, []).flatMap((name) => {
    if (!place.isSession(name.split(path.sep).join('/'))) return [];
    const file = path.join(place.folder, name);
    const status = fileStatus(file);
    if (!status?.isFile() || isTranscript(file)) return [];
    const found = { place, agent: place.agent, path: file, changedAt: status.mtimeMs, sizeBytes: status.size };
    return place.isDatabase ? sessionsOfDatabase(found) : [found];
  });
}

/** The sessions of all places, the last changed first. A session that opencode moved into its database is listed there alone. */
export function foundSessions(places: readonly SessionPlace[] = sessionPlaces()): FoundSession[] {
  const found = places.flatMap(sessionsIn);
  const inDatabase = new Set(
    found.flatMap(({ told, path: place }) => (told ? [place.slice(place.lastIndexOf('#') + 1)] : [])),
  );
  return found
    .filter(({ path: file, place }) => !(place.isSpread && inDatabase.has(path.basename(file, '.json'))))
    .sort((one, other) => other.changedAt - one.changedAt);
}
