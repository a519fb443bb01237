import path from 'node:path';
import type { MessageLike, ReadTools, WrittenMessage } from '../contract.ts';
import { blocksOf } from '../message.ts';

/** The tool of the PRD and the key of its file. Source: PRD 5.3. */
const DEFAULT_READ_TOOLS: ReadTools = { read_file: 'path' };

/** A file that the conversation read, with its last spelling. */
export interface FileRead {
  readonly spelled: string;
  /** Absolute and normalised; links are not resolved. */
  readonly path: string;
}

function spelledIn(input: unknown, keys: string | readonly string[]): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  return [keys]
    .flat()
    .map((key): unknown => (Object.hasOwn(input, key) ? Reflect.get(input, key) : undefined))
    .find((value) => typeof value === 'string' && value !== '') as string | undefined;
}

/**
 * The files that assistant messages read, each once, the most recently read first; then those that an earlier compaction
 * restored, in its order. Relative paths start at `workDir`. Source: PRD, F-005, rules 1 to 4; UC-005.
 */
export function fileReads(
  messages: readonly MessageLike[],
  { workDir, readTools = DEFAULT_READ_TOOLS }: { workDir: string; readTools?: ReadTools | undefined },
): FileRead[] {
  const reads = new Map<string, FileRead>();
  const note = (spelled: string): void => {
    const resolved = path.resolve(workDir, spelled);
    // A map keeps the order of the first insertion.
    reads.delete(resolved);
    reads.set(resolved, { spelled, path: resolved });
  };
  // A compaction puts the most recently read first, and what was read since is newer than all of them.
  for (const spelled of messages.flatMap(restoredPaths).reverse()) note(spelled);
  for (const message of messages) {
    if (message.role !== 'assistant' || typeof message.content === 'string') continue;
    for (const { type, name, input } of blocksOf(message)) {
      if (type !== 'tool_use' || typeof name !== 'string' || !Object.hasOwn(readTools, name)) continue;
      const spelled = spelledIn(input, readTools[name]!);
      if (spelled !== undefined) note(spelled);
    }
  }
  return [...reads.values()].reverse();
}

const TITLE = '[Restored after compact] ';
const AFTER_PATH = ':\n';

/** The message that restores a file. Source: PRD, F-005, rule 7. */
export function restoredMessage(spelled: string, text: string): WrittenMessage {
  return { role: 'user', content: `${TITLE}${spelled}${AFTER_PATH}${text}` };
}

/** The files, as they were spelled, that an earlier compaction restored in this message. */
export function restoredPaths(message: MessageLike): string[] {
  if (message.role !== 'user') return [];
  return blocksOf(message).flatMap(({ text }) => {
    if (typeof text !== 'string' || !text.startsWith(TITLE)) return [];
    const end = text.indexOf(AFTER_PATH, TITLE.length);
    return end > TITLE.length ? [text.slice(TITLE.length, end)] : [];
  });
}
