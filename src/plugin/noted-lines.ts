import type { ToolCallBlock } from '../content/content.ts';
import { lineHash } from '../content/lines/line-hash.ts';
import { MIN_RUN_CHARACTERS, type TextLines } from '../strategies/high-density/repeated-lines/text-lines.ts';
import { noteCall, notedCalls } from './noted-calls.ts';

/** So many calls are looked at again: after a rewind some are not visible. */
const MAX_LIKELY = 4;
/** Lines between those that say something are as good as none. */
const MIN_SHARED_CHARACTERS = MIN_RUN_CHARACTERS / 2;
/** The number of calls before this one that are looked at. If one of them asked for the same, this call may ask because of a marker. */
const MAX_CALLS_AGAIN = 4;

const askedBy = ({ name, parameters }: ToolCallBlock): number => lineHash(JSON.stringify([name, parameters]));

/** The hashes of the lines of texts that say something. */
function hashesOf(texts: readonly TextLines[]): Int32Array {
  const hashes = new Set<number>();
  for (const text of texts)
    for (let line = 0; line < text.count; line++) if (text.isLandmark(line)) hashes.add(text.hashOf(line));
  return Int32Array.from(hashes);
}

interface Sought {
  readonly call: ToolCallBlock;
  /** The lines that the call shows. */
  readonly own: TextLines;
  readonly leastLines: number;
}

/**
 * The noted calls of one conversation, at most a few, that may show a run of at least `leastLines` of these lines, and those just before that
 * asked for the same as `call`. Every hook is a process of its own, so they are in a file. Hashes find, and bytes decide. Linear in all noted
 * lines. @throws the system's error.
 */
export function likelyCalls(file: string, { call, own, leastLines }: Sought): ReadonlySet<string> {
  const asked = askedBy(call);
  const earlier = notedCalls(file).filter(({ id }) => id !== call.id);
  const again = earlier.slice(-MAX_CALLS_AGAIN).filter((one) => one.asked === asked);
  const characters = charactersOf(own);
  const sieve = sieveOf(characters.keys());
  const found = earlier.flatMap(({ id, lines }) => {
    if (!mayShare(lines, sieve)) return [];
    const shared = lines.filter((hash) => characters.has(hash));
    const length = shared.reduce((sum, hash) => sum + characters.get(hash)!, 0);
    const isLikely = length >= MIN_SHARED_CHARACTERS && hasRun(own, new Set(shared), leastLines);
    return isLikely ? { id, length } : [];
  });
  // If several have the same amount of text, the newest is taken.
  const best = found.reverse().sort((one, other) => other.length - one.length);
  return new Set([...again, ...best.slice(0, MAX_LIKELY)].map(({ id }) => id));
}

/** Notes the texts that a call shows or wrote. @throws the system's error. */
export const noteLines = (file: string, call: ToolCallBlock, texts: readonly TextLines[]): Promise<void> =>
  noteCall(file, { id: call.id, asked: askedBy(call), lines: hashesOf(texts) });

/** By hash of a line that says something: how many characters all lines with it have. */
function charactersOf(own: TextLines): ReadonlyMap<number, number> {
  const characters = new Map<number, number>();
  for (let line = 0; line < own.count; line++) {
    if (!own.isLandmark(line)) continue;
    const hash = own.hashOf(line);
    characters.set(hash, (characters.get(hash) ?? 0) + own.endOf(line) - own.startOf(line));
  }
  return characters;
}

const SIEVE_MASK = 0x3ffff;

/** By the end of a hash: 1 if it may be one of these. Most noted lines are not among these, and a map takes ten times as long to tell. */
function sieveOf(hashes: Iterable<number>): Uint8Array {
  const sieve = new Uint8Array(SIEVE_MASK + 1);
  for (const hash of hashes) sieve[hash & SIEVE_MASK] = 1;
  return sieve;
}

/** False if none of these lines is among those of a sieve. */
function mayShare(lines: Int32Array, sieve: Uint8Array): boolean {
  for (let at = 0; at < lines.length; at++) if (sieve[lines[at]! & SIEVE_MASK] === 1) return true;
  return false;
}

/** True if enough lines, one after the other, are among the shared ones. Lines that are too short to say something may be. */
function hasRun(own: TextLines, shared: ReadonlySet<number>, leastLines: number): boolean {
  let first = 0;
  for (let line = 0; line < own.count; line++) {
    if (own.isMarked(line) || (own.isLandmark(line) && !shared.has(own.hashOf(line)))) first = line + 1;
    else if (line - first + 1 >= leastLines && own.endOf(line) - own.startOf(first) >= MIN_RUN_CHARACTERS) return true;
  }
  return false;
}
