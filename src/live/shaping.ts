import { readsLikeFailure } from '../content/calls/failure-text.ts';
import { isFailure } from '../content/calls/pairing.ts';
import type { ToolCallBlock } from '../content/content.ts';
import { isRecord } from '../content/foreign-value.ts';
import type { LiveResult } from './branch.ts';
import type { FrozenResult } from './frozen.ts';
import type { Labels } from './labels.ts';

/** A shorter text is not worth a reference. */
const LEAST_REPEATED_CHARACTERS = 600;

/**
 * What Claude Code answers to a repeated read of an unchanged file, now and before.
 * Source: https://github.com/anthropics/claude-code/issues/64882 and https://github.com/anthropics/claude-code/issues/46749
 */
const STUBS: readonly string[] = [
  'Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.',
  'File unchanged since last read. The content from the earlier Read tool_result in this conversation is still current — refer to that instead of re-reading.',
];

export const isStub = ({ text, block }: LiveResult): boolean =>
  block.toolName === 'Read' && text.length < 400 && STUBS.some((stub) => text.trimStart().startsWith(stub));

/** The file and the range of a read of Claude Code. */
export function readKey(call: ToolCallBlock | undefined): string | undefined {
  if (call?.name !== 'Read' || !isRecord(call.parameters)) return undefined;
  const { file_path: file, offset, limit } = call.parameters;
  return typeof file === 'string' ? JSON.stringify([file, offset ?? null, limit ?? null]) : undefined;
}

/** What was sent before a new result. */
export interface EarlierResults {
  /** All results before it that the request contains, in order. */
  readonly results: readonly LiveResult[];
  readonly frozen: ReadonlyMap<string, FrozenResult>;
  readonly calls: ReadonlyMap<string, ToolCallBlock>;
  /** By `readKey`, also those that the agent does not send any more. */
  readonly readTexts: ReadonlyMap<string, string>;
  readonly labels: Labels;
}

/** The form in which a new result is sent for the first time; `undefined`: as it is. */
export function shapeNew(result: LiveResult, earlier: EarlierResults): FrozenResult | undefined {
  return isStub(result) ? healed(result, earlier) : repeated(result, earlier);
}

/** A result that is word for word an earlier one, which is still sent, becomes a reference to it. */
function repeated(result: LiveResult, { results, frozen, calls, labels }: EarlierResults): FrozenResult | undefined {
  if (result.text.length < LEAST_REPEATED_CHARACTERS) return undefined;
  const target = results.find(({ id, text }) => text === result.text && id !== result.id && !frozen.has(id));
  if (target === undefined) return undefined;
  const reason = `word for word the result of the earlier ${labels.call(calls.get(target.block.callId))}`;
  const text = `[density: ${reason} (${target.block.callId})]`;
  return { id: result.id, kind: 'repeat', text, reason, target: target.id, files: [] };
}

/** The text of the read that a stub refers to, if it is not sent any more. */
function healed(result: LiveResult, earlier: EarlierResults): FrozenResult | undefined {
  const { calls, labels, readTexts } = earlier;
  const call = calls.get(result.block.callId);
  const key = readKey(call);
  if (key === undefined || stubTarget(result, earlier) !== undefined) return undefined;
  const read = readTexts.get(key);
  if (read === undefined) return undefined;
  const edits = laterWrites(key, earlier);
  const note =
    edits.length === 0
      ? ''
      : `[density: the text below is older than ${edits.map((one) => labels.call(one)).join(', ')}]\n`;
  const reason = 'the read that it refers to is not in the request any more';
  return { id: result.id, kind: 'healed', text: `${note}${read}`, reason, files: [] };
}

/** The result that a stub refers to, if it is sent in full. */
export function stubTarget(stub: LiveResult, { results, frozen, calls }: EarlierResults): LiveResult | undefined {
  const key = readKey(calls.get(stub.block.callId));
  if (key === undefined) return undefined;
  return results.findLast((one) => !isStub(one) && !frozen.has(one.id) && readKey(calls.get(one.block.callId)) === key);
}

/** Calls after the newest read of this text that changed its file. */
function laterWrites(key: string, { results, calls, labels }: EarlierResults): ToolCallBlock[] {
  const [file] = JSON.parse(key) as [string];
  const from = results.findLastIndex((one) => !isStub(one) && readKey(calls.get(one.block.callId)) === key);
  return results.slice(from + 1).flatMap(({ block }) => {
    const call = calls.get(block.callId);
    const isWrite = call !== undefined && !failed(block) && labels.files(call).writes.includes(file);
    return isWrite ? [call] : [];
  });
}

const failed = (block: LiveResult['block']): boolean => isFailure(block) || readsLikeFailure(block);

/** The files that a new result shows to be needed again: a failed edit of a file, or a second read of it. */
export function neededAgain(
  result: LiveResult,
  { calls, labels }: Pick<EarlierResults, 'calls' | 'labels'>,
): readonly string[] {
  const call = calls.get(result.block.callId);
  if (call === undefined) return [];
  const { reads, writes, isPureRead } = labels.files(call);
  if (failed(result.block)) return writes;
  return isPureRead ? reads : [];
}
