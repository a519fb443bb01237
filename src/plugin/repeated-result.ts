import { createHash } from 'node:crypto';
import path from 'node:path';
import type { ContentBlock } from '../content/content.ts';
import { isRecord } from '../content/foreign-value.ts';
import { oneLine } from '../content/lines/one-line.ts';
import { type BlockArchive, blockHash } from '../disk/block-archive.ts';
import { EarlierResults } from './earlier-results.ts';
import type { HookEvent } from './hook-event.ts';
import { seenCalls } from './seen-calls.ts';
import { shownResult } from './shown-result.ts';

/** A shorter text is not worth a reference. */
const LEAST_CHARACTERS = 600;
const LABEL_CHARACTERS = 100;
const HASH_CHARACTERS = 12;
/** After a rewind the newest of the same results may be gone and an older one visible. */
const MOST_LOOKED_FOR = 3;

/** Parameters that say what a call is about. */
const KEYS = ['file_path', 'command', 'pattern', 'path', 'query', 'url'];

/** What density itself gave back is not taken away again. */
const isOurs = (tool: string): boolean => /^mcp__.*density/.test(tool);

function label(tool: string, input: unknown): string {
  const key = isRecord(input) ? KEYS.map((name) => input[name]).find((value) => typeof value === 'string') : undefined;
  return oneLine(key === undefined ? tool : `${tool} ${String(key)}`, LABEL_CHARACTERS);
}

export interface RepeatedResultOptions {
  readonly archive: BlockArchive;
  /** Where the results of each conversation are noted. */
  readonly folder: string;
}

/** The file in which the results of the event's conversation are noted. */
export const resultsFile = ({ session, agentId }: HookEvent, folder: string): string =>
  path.join(folder, `${agentId === undefined ? session : `${session}.${agentId}`}.jsonl`);

/**
 * What a hook prints after a call whose result is word for word an earlier one that the model still sees: one line in its place.
 * Undefined: the result stays. The text is in the archive before this returns. @throws the system's error; then the result stays.
 */
export async function repeatedResult(
  event: HookEvent,
  { archive, folder }: RepeatedResultOptions,
): Promise<object | undefined> {
  const { tool_name: tool, tool_input: input, tool_use_id: callId } = event.fields;
  const shown = shownResult(event);
  if (shown === undefined || shown.text.length < LEAST_CHARACTERS) return undefined;
  if (typeof tool !== 'string' || typeof callId !== 'string' || isOurs(tool)) return undefined;
  const hash = createHash('sha256').update(`${tool}\0${shown.text}`).digest('hex');
  const earlier = new EarlierResults(resultsFile(event, folder));
  const same = earlier
    .withHash(hash)
    .filter((one) => one.callId !== callId)
    .slice(0, MOST_LOOKED_FOR)
    .find((one) => seenCalls(event, new Set([one.callId])).length > 0);
  if (same === undefined) {
    await earlier.add({ hash, callId, what: label(tool, input) });
    return undefined;
  }
  // As the earlier call's: all its repeats are one text in the archive, and their lines are the same.
  const call: ContentBlock = { type: 'tool_call', id: same.callId, name: tool, parameters: input };
  const result: ContentBlock = { type: 'tool_response', callId: same.callId, toolName: tool, result: shown.text };
  await archive.keep([call, result]);
  const name = blockHash(result).slice(0, HASH_CHARACTERS);
  return shown.replacedBy(
    `[density: word for word the result of the earlier ${same.what}, which is still above; full text: recall ${name}, or density show ${name}]`,
  );
}
