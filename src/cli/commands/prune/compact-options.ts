import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { CompactOptions, ReadTools } from '../../../compaction/contract.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import { fileStatus } from '../../../disk/file-status.ts';
import type { SessionFile } from '../../options/session-file.ts';
import type { ReadOptions } from '../../options/session-options.ts';
import type { RedactOptions } from '../../output/redaction.ts';
import { printable } from '../../terminal/printable.ts';
import type { Screen } from '../../terminal/terminal.ts';

/** Options of `density compact`. */
export interface CompactCommandOptions extends Omit<ReadOptions, 'model' | 'contextLimit'>, RedactOptions {
  readonly output?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly workDir?: string;
  readonly outputDir?: string;
  readonly summaryModel?: string;
  readonly maxWords?: number;
  readonly maxFiles?: number;
}

/** Every session has more tokens than this, so the command always compacts. */
const ANY_TOKENS = 1e-9;
/** Longer than for a running agent: here a person waits and sees the progress. */
const DEADLINE_MS = 300_000;

/** The tools of an agent that read files, with the parameters that contain paths. */
function readToolsOf({ tools }: ToolVocabulary): ReadTools {
  const reading = Object.entries(tools).filter(([, { role, pathKeys }]) => role === 'read' && pathKeys !== undefined);
  return Object.fromEntries(reading.map(([name, { pathKeys = [] }]) => [name, pathKeys]));
}

/** The folder that was asked for, else the recorded one if it exists here, else the current one. */
function workDirOf({ session }: SessionFile, asked: string | undefined): string {
  const recorded = session.workspaceRoot;
  if (asked !== undefined) return path.resolve(asked);
  return recorded !== undefined && fileStatus(recorded)?.isDirectory() ? realpathSync(recorded) : process.cwd();
}

/** The options of the library for a session; its warnings and errors are printed on `notes`. */
export function compactOptions(opened: SessionFile, options: CompactCommandOptions, notes: Screen): CompactOptions {
  const { summaryModel, maxWords, maxFiles, outputDir } = options;
  const say = (message: string): void =>
    void notes.print(notes.colors.yellow(`${printable(message)}\n`)).catch(() => {});
  return {
    contextTokenLimit: ANY_TOKENS,
    deadlineMs: DEADLINE_MS,
    workDir: workDirOf(opened, options.workDir),
    readTools: readToolsOf(opened.format.vocabulary),
    sessionId: opened.session.id ?? path.basename(opened.name),
    logger: {
      info: () => {},
      // This warning is always true with the limit `ANY_TOKENS`.
      warn: (message) => message.startsWith('The compacted messages still') || say(message),
      error: say,
    },
    ...(summaryModel !== undefined && { summaryModel }),
    ...(maxWords !== undefined && { summaryMaxWords: maxWords }),
    ...(maxFiles !== undefined && { maxRestoreFiles: maxFiles }),
    ...(outputDir !== undefined && { outputDir }),
  };
}
