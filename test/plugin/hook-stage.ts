import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { BlockArchive } from '../../src/disk/block-archive.ts';
import { hookAnswer } from '../../src/plugin/hook-answer.ts';
import { RecordedSession } from './recorded-events.ts';

const root = mkdtempSync(path.join(tmpdir(), 'density-plugin-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const NOTHING = (): Promise<number | undefined> => Promise.resolve(undefined);

let sessions = 0;
/** A session, its archive, and what a hook answers. */
export function stage() {
  const folder = path.join(root, String(sessions++));
  const session = new RecordedSession(path.join(folder, 'transcripts'), 'fc5e04a8-d3a6-46a5-b511-ca0572110f47');
  const archive = new BlockArchive(path.join(folder, 'archive'), { mostBytes: Number.POSITIVE_INFINITY });
  const options = {
    archive: archive.folder,
    folder: path.join(folder, 'plugin'),
    live: path.join(folder, 'live'),
    isWrapped: false,
    isOnInCodex: (_folder: string) => Promise.resolve(false),
    isGuarded: false,
    runsIn: undefined as string | undefined,
    now: 0,
    countRemovable: NOTHING,
  };
  const answer = (event: string, more: Partial<typeof options> = {}) => hookAnswer(event, { ...options, ...more });
  return { folder, session, archive, answer };
}

/** What the hook puts in the place of the output of a tool of Claude Code. */
export const newOutput = (answer: unknown): Readonly<Record<string, unknown>> | undefined =>
  (answer as { hookSpecificOutput: { updatedToolOutput: Readonly<Record<string, unknown>> } } | undefined)
    ?.hookSpecificOutput.updatedToolOutput;
