import { isDeepStrictEqual } from 'node:util';
import type { ToolResponseBlock } from '../../content/content.ts';
import { type Fields, isRecord } from '../../content/foreign-value.ts';
import type { ResponseFacts } from '../blocks/tool-result.ts';
import type { JsonChange, JsonPath } from '../json/json-change.ts';
import { jsonText } from '../json/json-text.ts';

const ERROR_CHARACTERS = 200;

const isPlain = (response: unknown): response is Fields =>
  isRecord(response) && Object.keys(response).every((key) => key === 'output' || key === 'error');

/** The result in a `functionResponse.response`: its `output` and `error`, or the whole value if it has another shape. */
export function responseFacts(response: unknown): ResponseFacts {
  if (!isRecord(response)) return { result: response ?? '' };
  const { error } = response;
  const result = isPlain(response) ? (response['output'] ?? '') : response;
  if (error === undefined || error === null) return { result };
  return { result, error: typeof error === 'string' ? error : jsonText(error, 'an error').slice(0, ERROR_CHARACTERS) };
}

/** The changes of the `response` at `path` that turn it into `block`. */
export function responseChanges(response: unknown, path: JsonPath, block: ToolResponseBlock): JsonChange[] {
  const before = responseFacts(response);
  const { result, error } = block;
  if (!isPlain(response)) {
    if (isDeepStrictEqual(before.result, result) && before.error === error) return [];
    return [{ kind: 'set', path, value: { output: result ?? '', ...(error !== undefined && { error }) } }];
  }
  const changes: JsonChange[] = [];
  if (!isDeepStrictEqual(before.result, result))
    changes.push({ kind: 'set', path: [...path, 'output'], value: result ?? '' });
  if (before.error !== error)
    changes.push(
      error === undefined
        ? { kind: 'remove', path: [...path, 'error'] }
        : { kind: 'set', path: [...path, 'error'], value: error },
    );
  return changes;
}

/** `after` without an error that `before` has too, but not from this `response`: a recorded call has a status besides. */
export function withoutOtherError(
  response: unknown,
  before: ResponseFacts,
  after: ToolResponseBlock,
): ToolResponseBlock {
  if (responseFacts(response).error !== undefined || before.error !== after.error) return after;
  const { error: _, ...rest } = after;
  return rest;
}

/** A new `functionResponse` part. */
export function newResponse({ callId, toolName, result, error }: ToolResponseBlock): unknown {
  const output = result ?? '';
  return {
    functionResponse: {
      id: callId,
      name: toolName,
      response: { ...((output !== '' || error === undefined) && { output }), ...(error !== undefined && { error }) },
    },
  };
}
