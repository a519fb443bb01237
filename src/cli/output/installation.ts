import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileStatus } from '../../disk/file-status.ts';
import { OWNER_FOLDER_MODE } from '../../disk/owner-only.ts';
import { CompressionStrategyError } from '../../errors.ts';
import { joinLines } from '../../formats/lines/lines.ts';
import { type Installed, sameCopy, type WrittenCopy } from '../../sessions/copies/written-copy.ts';
import { importsFolder } from '../../sessions/places/data-folder.ts';
import { foundSessions } from '../../sessions/places/session-places.ts';
import type { RemovalStep } from '../../sessions/removal-step.ts';
import type { SessionFile } from '../options/session-file.ts';
import { printable, quoted, type Screen } from '../terminal/terminal.ts';
import { writtenLine } from './output-target.ts';

/** A command of an agent. */
export interface AgentCommand {
  readonly command: string;
  readonly parameters: readonly string[];
}

/** A new session beside the old one, as its agent finds it. */
export interface Installation extends Installed {
  readonly path: string;
  /** What to type to go on from it. */
  readonly resume: string;
  /** The same, in the session's own folder. */
  readonly steps: readonly AgentCommand[];
  /** The session under its new id. */
  named(pieces: Iterable<Uint8Array>): Uint8Array;
}

interface Agent {
  readonly fileName: (id: string, now: Date) => string;
  readonly resume: (id: string) => AgentCommand;
}

const agentCommand = (command: string, ...parameters: string[]): AgentCommand => ({ command, parameters });

/** `2026-01-05T08-00-00-000Z`, as in the names of files. */
const timeOf = (now: Date): string => now.toISOString().replaceAll(/[:.]/g, '-');

/** Formats whose agent finds a session by its file name and the id in it. Source: docs/formats.md and the agents' own files. */
const AGENTS: Readonly<Record<string, Agent>> = {
  'claude-code': { fileName: (id) => `${id}.jsonl`, resume: (id) => agentCommand('claude', '--resume', id) },
  codex: {
    fileName: (id, now) => `rollout-${timeOf(now).slice(0, 19)}-${id}.jsonl`,
    resume: (id) => agentCommand('codex', 'resume', id),
  },
  'gemini-cli': {
    fileName: (id, now) => `session-${timeOf(now).slice(0, 16)}-${id.slice(0, 8)}.jsonl`,
    resume: (id) => agentCommand('gemini', '--resume', id),
  },
  pi: { fileName: (id, now) => `${timeOf(now)}_${id}.jsonl`, resume: (id) => agentCommand('pi', '--session', id) },
  // It imports a file into its database.
  opencode: { fileName: (id) => `${id}.json`, resume: (id) => agentCommand('opencode', '--session', id) },
};

/** How its agent goes on from a session; undefined for an agent whose way is not known. */
export function resumeCommand(format: string, id: string): AgentCommand | undefined {
  return AGENTS[format]?.resume(id);
}

/** What to type for these commands, one after the other, in a folder. */
export function shellLine(steps: readonly AgentCommand[], folder: string | undefined): string {
  const lines = steps.map(({ command, parameters }) => [command, ...parameters.map(quoted)].join(' '));
  return [...(folder === undefined ? [] : [`cd ${quoted(folder)}`]), ...lines].join(' && ');
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** An agent that changed its file more recently may still be writing. */
const QUIET_MS = 5_000;

/** When a session changed last; undefined where that is not known. */
function changedAt({ bytes }: SessionFile): number | undefined {
  if (bytes.database !== undefined) return foundSessions().find(({ path: file }) => file === bytes.path)?.changedAt;
  const status = fileStatus(bytes.path);
  return status?.size === bytes.sizeBytes ? status.mtimeMs : undefined;
}

/** @throws CompressionStrategyError `SESSION_IN_USE` if the session changed a moment ago or since it was opened. */
export function assertQuiet(opened: SessionFile): void {
  const changed = changedAt(opened);
  if (changed !== undefined && Date.now() - changed >= QUIET_MS) return;
  throw new CompressionStrategyError(
    `Expected a session that its agent does not write to, but ${opened.bytes.path} changed within the last ${QUIET_MS / 1000} seconds. End the agent, wait, and try again. Nothing was written.`,
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

/** Why the agent of this session would not find a new one, and what to do. */
function notInstallable({ format, session, bytes }: SessionFile): string {
  if (format.name === 'opencode')
    return `Expected a session in the database of OpenCode, got an export in ${bytes.path}, which OpenCode does not read. \`opencode import <file>\` puts it into the database, and \`density sessions\` then lists its id.`;
  const toFile = '`density optimize <session> -o <file>` writes the pruned session to a file.';
  if (AGENTS[format.name] === undefined)
    return `Expected a session of ${Object.keys(AGENTS).join(', ')}, got ${format.name} in ${bytes.path}: how its agent finds a new session is not known. ${toFile}`;
  return `Expected a session whose id is a UUID, got ${session.id === undefined ? 'none' : `"${session.id}"`} in ${bytes.path}: its agent finds a session by that. ${toFile}`;
}

/**
 * Where and under which id the agent of a session finds a new one; the old one never changes. A session of a database,
 * which was opened under a new id, is written to the folder of imports. `known`: one that an earlier run wrote.
 * @throws CompressionStrategyError `SESSION_NOT_WRITABLE` for an agent whose way is not known; `SESSION_IN_USE`.
 */
export function installationOf(opened: SessionFile, now: Date, known?: WrittenCopy): Installation {
  const { format, session, bytes } = opened;
  const agent = AGENTS[format.name];
  const old = session.id ?? '';
  const isImported = bytes.database !== undefined;
  if (agent === undefined || !(UUID.test(old) || isImported)) {
    throw new CompressionStrategyError(notInstallable(opened), 'SESSION_NOT_WRITABLE');
  }
  assertQuiet(opened);
  const id = known?.id ?? (isImported ? old : randomUUID());
  const folder = isImported ? importsFolder() : path.dirname(path.resolve(bytes.path));
  const file = known?.path ?? path.join(folder, agent.fileName(id, now));
  const steps = [...(isImported ? [agentCommand('opencode', 'import', file)] : []), agent.resume(id)];
  return {
    id,
    source: path.resolve(bytes.path),
    path: file,
    steps,
    resume: shellLine(steps, session.workspaceRoot),
    named: (pieces) => (isImported ? joinLines(pieces) : withId(joinLines(pieces), old, id)),
  };
}

/** The installation to use in the place of `own`: that of an earlier run which wrote the same, if nobody went on from it or from the old session. */
export function sameInstallation(
  opened: SessionFile,
  { own, step, now }: { readonly own: Installation; readonly step: RemovalStep; readonly now: Date },
): { readonly installation: Installation; readonly known: WrittenCopy | undefined } {
  const known = sameCopy(path.dirname(own.path), { source: own.source, step });
  return { installation: known === undefined ? own : installationOf(opened, now, known), known };
}

/** The line of a report that names a new session, or one that an earlier run wrote. */
export const installedLine = (output: string, isKnown: boolean, screen: Screen): string =>
  isKnown ? `${printable(output)} is that session, written before\n` : writtenLine(output, screen);

/** The path of a new session, in a folder that exists. */
export function placeOf({ path: file }: Installation): string {
  mkdirSync(path.dirname(file), { recursive: true, mode: OWNER_FOLDER_MODE });
  return file;
}
