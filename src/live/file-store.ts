import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { jsonFields } from '../content/foreign-value.ts';
import { openAppendLog } from '../disk/append-log.ts';
import { ifThere } from '../disk/if-there.ts';
import { codeOf, messageOf } from '../errors.ts';
import type { PrunerStore, StoredLines } from './contract.ts';

interface FileStoreOptions {
  /** Called with what is wrong with a file. Pruning goes on without what it cannot read or write. */
  readonly onTrouble?: (what: string) => void;
}

/**
 * Decisions in files of this folder, one for each conversation, readable by their owner only. The version is the size of the file.
 * Lines that are appended together follow one that says where it expects to be (`{"after":…}`): if two processes append
 * at once, the second ones are at another place, and everybody ignores them. So no lock can be left behind.
 * A damaged file is set aside, and what is readable of it is used.
 */
export function fileStore(folder: string, { onTrouble }: FileStoreOptions = {}): PrunerStore {
  const fileOf = (conversation: string): string => path.join(folder, `${conversation}.jsonl`);
  const failed = (error: unknown): never => {
    onTrouble?.(`decisions cannot be kept, so nothing new is removed: ${messageOf(error)}`);
    throw error;
  };
  const load = async (conversation: string, after?: number): Promise<StoredLines> => {
    const file = fileOf(conversation);
    const { isDamaged, ...stored } = await storedLines(file, after);
    if (!isDamaged) return stored;
    const lines = (await storedLines(file)).lines.filter((line) => jsonFields(line) !== undefined);
    await rename(file, `${file}.damaged`);
    onTrouble?.(`a file of decisions was damaged; what is readable is used, and all of it is in ${file}.damaged`);
    return { lines, version: (await append(file, lines)) ?? 0, isWhole: true };
  };
  return {
    version: async (conversation) => (await ifThere(stat(fileOf(conversation))).catch(failed))?.size ?? 0,
    load: (conversation, after) => load(conversation, after).catch(failed),
    append: (conversation, lines, expected) => append(fileOf(conversation), lines, expected).catch(failed),
  };
}

/** The size of the file after these lines; undefined if others appended first. @throws the system's error. */
async function append(file: string, lines: readonly string[], expected?: number): Promise<number | undefined> {
  const head = { after: expected ?? null, by: randomBytes(6).toString('base64url') };
  const batch = Buffer.from([JSON.stringify(head), ...lines].map((line) => `${line}\n`).join(''));
  const log = await openAppendLog(file);
  try {
    await log.appendFile(batch);
    const { size } = await log.stat();
    if (expected === undefined || size === expected + batch.length) return size;
    // Others appended too, before or after these lines.
    const there = Buffer.alloc(batch.length);
    await log.read(there, 0, there.length, expected);
    return there.equals(batch) ? expected + batch.length : undefined;
  } finally {
    await log.close();
  }
}

interface FoundLines extends StoredLines {
  /** True if a line is no decision, and not the last of those appended together, whose writer may be at it, or was killed. */
  readonly isDamaged: boolean;
}

async function storedLines(file: string, after = 0): Promise<FoundLines> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { lines: [], version: 0, isWhole: true, isDamaged: false };
    throw error;
  }
  try {
    return await linesAfter(handle, after);
  } finally {
    await handle.close();
  }
}

async function linesAfter(handle: FileHandle, wanted: number): Promise<FoundLines> {
  const { size, mtimeMs: appendedAtMs } = await handle.stat();
  const isWhole = wanted === 0 || wanted > size;
  const start = isWhole ? 0 : wanted;
  const bytes = Buffer.alloc(size - start);
  await handle.read(bytes, 0, bytes.length, start);
  const lines: string[] = [];
  let isLost = false;
  let isDamaged = false;
  let isCut = false;
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    const line = bytes.toString('utf8', at, end === -1 ? bytes.length : end);
    const expected = expectedPlace(line);
    // Whoever appends next ends the line that a killed writer began.
    if (isCut && expected === undefined) isDamaged = true;
    isCut = end !== -1 && line !== '' && jsonFields(line) === undefined;
    if (isCut && !line.startsWith('{')) isDamaged = true;
    if (expected !== undefined) isLost = expected !== null && expected !== start + at;
    else if (!isLost) lines.push(line);
    at = end === -1 ? bytes.length : end + 1;
  }
  return { lines, version: size, isWhole, isDamaged, nowMs: Date.now(), appendedAtMs };
}

/** Where a line that begins others expects to be; null: anywhere; undefined for other lines. */
function expectedPlace(line: string): number | null | undefined {
  if (!line.startsWith('{"after":')) return undefined;
  const place = jsonFields(line)?.['after'];
  return typeof place === 'number' ? place : null;
}
