import path from 'node:path';
import { asText, isRecord, jsonOf, type Fields as Line } from '../content/foreign-value.ts';
import { recordsOf } from '../formats/lines/record-lines.ts';
import type { HookEvent } from './hook-event.ts';
import { lineEnd, lineStart, linesOf, partsFromEnd, recordsFromEnd } from './lines-from-end.ts';

/** A call that the model still sees. */
export interface SeenCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** As the model sees it; `undefined` if it is not recorded yet, or no plain text. */
  readonly result: string | undefined;
}

/** Which calls are looked for: some by their ids, or all, without their results. */
type Wanted = ReadonlySet<string> | 'all';

/** Words by which lines are found, because to parse all lines of a long transcript takes longer than a hook may. `everyCall` is in the line of every call. */
const wordsOf = (wanted: Wanted, everyCall: string, cuts: readonly string[]): readonly Buffer[] =>
  [...(wanted === 'all' ? [everyCall] : wanted), ...cuts].map((word) => Buffer.from(word));

const hasOne = (bytes: Buffer, words: readonly Buffer[]): boolean => words.some((word) => bytes.includes(word));

const isWanted = (wanted: Wanted, id: unknown): id is string =>
  typeof id === 'string' && (wanted === 'all' || wanted.has(id));

/** The text of a result that has no other parts. */
function plainText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : undefined;
  const [part, ...others]: unknown[] = content;
  return others.length === 0 && isRecord(part) && typeof part['text'] === 'string' ? part['text'] : undefined;
}

/** Results that Claude Code cleared itself, or a compaction. */
const BOUNDARIES: readonly unknown[] = ['microcompact_boundary', 'compact_boundary'];
/** Longer words are found faster. */
const BOUNDARY_WORDS = BOUNDARIES.map((subtype) => `"subtype":"${subtype}"`);

const blocksOf = ({ message }: Line): readonly unknown[] =>
  isRecord(message) && Array.isArray(message['content']) ? message['content'] : [];

/** How Claude Code begins nearly all records of a conversation. */
const PARENT = '{"parentUuid":"';
const UUID_CHARACTERS = 36;

const uuidField = (uuid: string): string => `"uuid":"${uuid}"`;

/** The line before the record of this id in a line, or before those that it follows there; `undefined` for a root. */
function parentIn(bytes: Buffer, uuid: string): string | undefined {
  let next: string | undefined = uuid;
  for (const record of recordsOf(bytes).toReversed())
    if (record['uuid'] === next) next = typeof record['parentUuid'] === 'string' ? record['parentUuid'] : undefined;
  return next;
}

/** The line before a part on the path that leads from this line through it; `undefined` if its root is in the part. */
function beforePart(part: Buffer, uuid: string): string | undefined {
  let next: string | undefined = uuid;
  for (let end = part.length; end > 0 && next !== undefined; ) {
    const at: number = part.lastIndexOf(uuidField(next), end - 1);
    if (at === -1) break;
    const line = lineStart(part, at);
    // A line can have several records.
    const own = part.subarray(line, at).lastIndexOf(PARENT);
    const start = line + Math.max(0, own);
    const head = own === -1 ? '' : part.toString('latin1', start, start + PARENT.length + UUID_CHARACTERS + 1);
    const isUsual = head.endsWith('"');
    next = isUsual ? head.slice(PARENT.length, -1) : parentIn(part.subarray(line, lineEnd(part, at)), next);
    end = start;
  }
  return next;
}

/** From the newest line up to its root: what a rewind left is not on this path, what a compaction removed is before its root. The result of a call may be beside the path. */
function seenOnPath(file: string, wanted: Wanted, isSidechain: boolean): readonly SeenCall[] {
  const words = wordsOf(wanted, '"tool_use"', BOUNDARY_WORDS);
  const results = new Map<string, string | undefined>();
  const seen: SeenCall[] = [];
  let next: string | undefined;
  for (const part of partsFromEnd(file)) {
    if (next !== undefined && !hasOne(part, words)) {
      next = beforePart(part, next);
      if (next === undefined) break;
      continue;
    }
    for (const bytes of linesOf(part)) {
      const mayBeNext = next === undefined || bytes.includes(uuidField(next));
      const records = mayBeNext || hasOne(bytes, words) ? recordsOf(bytes) : [];
      for (const record of records.toReversed()) {
        const { uuid, parentUuid, subtype } = record;
        const isNext = next === undefined || uuid === next;
        if (BOUNDARIES.includes(subtype)) return seen.reverse();
        if (typeof uuid !== 'string' || (record['isSidechain'] === true) !== isSidechain) continue;
        for (const block of blocksOf(record)) {
          if (!isRecord(block)) continue;
          const { type, id, name, input, tool_use_id: answered, content } = block;
          if (type === 'tool_result' && isWanted(wanted, answered) && !results.has(answered))
            results.set(answered, plainText(content));
          if (type === 'tool_use' && isNext && isWanted(wanted, id))
            seen.push({ id, name: asText(name), input, result: results.get(id) });
        }
        if (!isNext) continue;
        if (typeof parentUuid !== 'string' || (wanted !== 'all' && seen.length === wanted.size)) return seen.reverse();
        next = parentUuid;
      }
    }
  }
  return seen.reverse();
}

const CUT_WORDS = ['"compacted"', '"thread_rolled_back"'];

/** What a model of Codex wrote as parameters. */
function parameters(text: unknown): unknown {
  const value = typeof text === 'string' ? jsonOf(text) : undefined;
  return value === undefined ? text : value;
}

/** Codex writes one line after the other; a compaction and a rollback are lines. */
function seenAfterCut(file: string, wanted: Wanted): readonly SeenCall[] {
  const words = wordsOf(wanted, '"call_id"', CUT_WORDS);
  const results = new Map<string, string | undefined>();
  const seen: SeenCall[] = [];
  for (const { type, payload } of recordsFromEnd(file, (bytes) => hasOne(bytes, words))) {
    if (type === 'compacted') break;
    if (!isRecord(payload)) continue;
    const { type: kind, call_id: id, name } = payload;
    if (kind === 'thread_rolled_back') break;
    if (type !== 'response_item' || !isWanted(wanted, id)) continue;
    if (asText(kind).endsWith('_call_output')) results.set(id, plainText(payload['output']));
    else if (asText(kind).endsWith('_call')) {
      const input = parameters(payload['arguments'] ?? payload['input']);
      seen.push({ id, name: asText(name), input, result: results.get(id) });
      if (wanted !== 'all' && seen.length === wanted.size) break;
    }
  }
  return seen.reverse();
}

/** The transcript of a subagent of Claude Code is a file of its own. */
export const ownTranscript = ({ transcript, session, agentId }: HookEvent): string =>
  agentId === undefined
    ? transcript
    : path.join(path.dirname(transcript), session, 'subagents', `agent-${agentId}.jsonl`);

/**
 * The calls that the model still sees, as the transcript proves, in their order, with the text that it sees. @throws the
 * system's error if there is no transcript.
 */
export function seenCalls(event: HookEvent, wanted: Wanted): readonly SeenCall[] {
  const { transcript, agentId } = event;
  if (transcript === '' || (wanted !== 'all' && wanted.size === 0)) return [];
  if (event.isOfCodex) return agentId === undefined ? seenAfterCut(transcript, wanted) : [];
  return seenOnPath(ownTranscript(event), wanted, agentId !== undefined);
}
