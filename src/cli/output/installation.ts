import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { fileStatus } from '../../disk/file-status.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { joinLines } from '../../formats/lines/lines.ts';
import type { SessionFile } from '../options/session-file.ts';
import { quoted } from '../terminal/quoted.ts';

/** A new session beside the old one, as its agent finds it. */
export interface Installation {
  readonly path: string;
  /** What to type to go on from it. */
  readonly resume: string;
  /** The session under its new id. */
  named(pieces: Iterable<Uint8Array>): Uint8Array;
}

interface Agent {
  readonly fileName: (id: string, now: Date) => string;
  readonly resume: (id: string) => string;
}

/** `2026-01-05T08-00-00-000Z`, as in the names of files. */
const timeOf = (now: Date): string => now.toISOString().replaceAll(/[:.]/g, '-');

/** Formats whose agent finds a session by its file name and the id in it. Source: docs/formats.md and the agents' own files. */
const AGENTS: Readonly<Record<string, Agent>> = {
  'claude-code': { fileName: (id) => `${id}.jsonl`, resume: (id) => `claude --resume ${id}` },
  codex: {
    fileName: (id, now) => `rollout-${timeOf(now).slice(0, 19)}-${id}.jsonl`,
    resume: (id) => `codex resume ${id}`,
  },
  'gemini-cli': {
    fileName: (id, now) => `session-${timeOf(now).slice(0, 16)}-${id.slice(0, 8)}.jsonl`,
    resume: (id) => `gemini --resume ${id}`,
  },
  pi: { fileName: (id, now) => `${timeOf(now)}_${id}.jsonl`, resume: (id) => `pi --session ${id}` },
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** An agent that changed its file more recently may still be writing. */
const QUIET_MS = 5_000;

/** @throws CompressionStrategyError `SESSION_IN_USE` if the file changed a moment ago or since it was opened. */
export function assertQuiet({ bytes }: SessionFile): void {
  const status = fileStatus(bytes.path);
  if (status && status.size === bytes.sizeBytes && Date.now() - status.mtimeMs >= QUIET_MS) return;
  throw new CompressionStrategyError(
    `Expected a session that its agent does not write to, but ${bytes.path} changed within the last ${QUIET_MS / 1000} seconds. End the agent, wait, and try again. Nothing was written.`,
    'SESSION_IN_USE',
  );
}

/** In all JSON strings that are exactly this id; both ids have the same length. */
function withId(bytes: Uint8Array, old: string, id: string): Uint8Array {
  const copy = Buffer.from(bytes);
  const wanted = Buffer.from(`"${old}"`);
  for (let at = copy.indexOf(wanted); at !== -1; at = copy.indexOf(wanted, at + wanted.length)) copy.write(id, at + 1);
  return copy;
}

/**
 * Where and under which id the agent of a session finds a new one; the old one never changes.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` for an agent whose way is not known; `SESSION_IN_USE`.
 */
export function installationOf(opened: SessionFile, now: Date): Installation {
  const { format, session, bytes } = opened;
  const agent = AGENTS[format.name];
  const old = session.id ?? '';
  if (agent === undefined || !UUID.test(old)) {
    throw new CompressionStrategyError(
      `Expected a session of ${Object.keys(AGENTS).join(', ')} with an id of its own for --install, got ${format.name} in ${bytes.path}: how its agent finds a new session is not known. Name an output with -o.`,
      'SESSION_NOT_WRITABLE',
    );
  }
  assertQuiet(opened);
  const id = randomUUID();
  const place = session.workspaceRoot === undefined ? '' : `cd ${quoted(session.workspaceRoot)} && `;
  return {
    path: path.join(path.dirname(path.resolve(bytes.path)), agent.fileName(id, now)),
    resume: `${place}${agent.resume(id)}`,
    named: (pieces) => withId(joinLines(pieces), old, id),
  };
}
