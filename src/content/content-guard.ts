import type { IContent } from './content.ts';
import { isList, isRecord } from './foreign-value.ts';

const SPEAKERS: ReadonlySet<unknown> = new Set(['human', 'ai', 'tool']);

/** By type of block: the fields that must be strings. */
const TEXT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  tool_call: ['id', 'name'],
  tool_response: ['callId', 'toolName'],
  media: ['mimeType', 'data', 'encoding'],
  thinking: ['thought'],
  code: ['code'],
};

/** Why a value from outside is not a block; `undefined` if it is one. */
export function blockProblem(block: unknown, index: number): string | undefined {
  const type = isRecord(block) ? block['type'] : undefined;
  const fields = typeof type === 'string' && Object.hasOwn(TEXT_FIELDS, type) ? TEXT_FIELDS[type] : undefined;
  if (!isRecord(block) || !fields) return `block ${index} has no known \`type\``;
  for (const field of fields) {
    if (typeof block[field] !== 'string') return `block ${index} (${String(type)}) has no text in \`${field}\``;
  }
  return undefined;
}

const firstProblem = (blocks: readonly unknown[]): string | undefined =>
  blocks.map(blockProblem).find((problem) => problem !== undefined);

/** Why `value` cannot be in a history; `undefined` when it has a known speaker and well-formed blocks, at least one. */
export function describeInvalidEntry(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return `\`${String(value)}\``;
  const { speaker, blocks } = value as { speaker?: unknown; blocks?: unknown };
  if (!SPEAKERS.has(speaker)) return `the speaker ${JSON.stringify(speaker) ?? String(speaker)}`;
  if (!isList(blocks)) return 'no list of blocks';
  if (blocks.length === 0) return 'an entry with zero blocks';
  const problem = firstProblem(blocks);
  return problem && `an entry with a fault: ${problem}`;
}

/** Why a value from outside is not an `IContent`; `undefined` if it is one. */
export function contentProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return 'expected an object';
  if (!SPEAKERS.has(value['speaker'])) return 'expected `speaker` human, ai or tool';
  if (!isList(value['blocks'])) return 'expected a list in `blocks`';
  if (value['blocks'].length === 0) return 'expected at least one block in `blocks`';
  if (value['metadata'] !== undefined && !isRecord(value['metadata'])) return 'expected an object in `metadata`';
  return firstProblem(value['blocks']);
}

/** True if a value from outside is an `IContent`. */
export function isContent(value: unknown): value is IContent {
  return contentProblem(value) === undefined;
}
