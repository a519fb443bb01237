import path from 'node:path';
import { isRecord } from '../content/foreign-value.ts';
import type { HookEvent } from './hook-event.ts';
import { linesFromEnd } from './lines-from-end.ts';

type Line = Readonly<Record<string, unknown>>;

/** Farther back nothing is looked for: one more copy costs less than the time. */
const MOST_CHARACTERS = 48 * 1024 * 1024;

function* parsedLines(file: string): Generator<Line> {
  let characters = 0;
  for (const text of linesFromEnd(file)) {
    characters += text.length;
    if (characters > MOST_CHARACTERS) return;
    try {
      const line: unknown = JSON.parse(text);
      if (isRecord(line)) yield line;
    } catch {
      // The agent is writing this line, or it is empty.
    }
  }
}

const blocksOf = ({ message }: Line): readonly unknown[] =>
  isRecord(message) && Array.isArray(message['content']) ? message['content'] : [];

/** From the newest line up to its root: what a rewind left is not on this path, what a compaction removed is before its root. */
function isOnPath(file: string, callId: string, isSidechain: boolean): boolean {
  let wanted: unknown;
  for (const line of parsedLines(file)) {
    const { uuid, parentUuid, subtype } = line;
    // Results that Claude Code cleared itself.
    if (subtype === 'microcompact_boundary' || subtype === 'compact_boundary') return false;
    if (typeof uuid !== 'string' || (line['isSidechain'] === true) !== isSidechain) continue;
    if (wanted !== undefined && uuid !== wanted) continue;
    if (blocksOf(line).some((block) => isRecord(block) && block['type'] === 'tool_use' && block['id'] === callId))
      return true;
    if (typeof parentUuid !== 'string') return false;
    wanted = parentUuid;
  }
  return false;
}

/** Codex writes one line after the other; a compaction and a rollback are lines. */
function isAfterCut(file: string, callId: string): boolean {
  for (const { type, payload } of parsedLines(file)) {
    if (type === 'compacted') return false;
    if (!isRecord(payload)) continue;
    if (payload['type'] === 'thread_rolled_back') return false;
    if (type === 'response_item' && payload['call_id'] === callId && String(payload['type']).endsWith('_call'))
      return true;
  }
  return false;
}

/** The transcript of a subagent of Claude Code is a file of its own. */
const ownTranscript = ({ transcript, session, agentId }: HookEvent): string =>
  agentId === undefined
    ? transcript
    : path.join(path.dirname(transcript), session, 'subagents', `agent-${agentId}.jsonl`);

/**
 * True if the transcript proves that the model still sees an earlier call, and so its result. @throws the system's error if there is
 * no transcript.
 */
export function isVisibleCall(event: HookEvent, callId: string): boolean {
  if (event.transcript === '') return false;
  const isOfCodex = typeof event.fields['turn_id'] === 'string';
  if (isOfCodex) return event.agentId === undefined && isAfterCut(event.transcript, callId);
  return isOnPath(ownTranscript(event), callId, event.agentId !== undefined);
}
