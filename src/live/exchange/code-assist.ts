import { membersOf, OPEN_OBJECT, skipSpace, valueCount } from '../../formats/json/json-scan.ts';

import { MAX_VALUES } from '../request/request-list.ts';

/** The request of the Gemini API in one of Code Assist, `{ model, project, request }`. Source: Gemini CLI 0.61.0. */
interface CodeAssistRequest {
  readonly body: Uint8Array;
  readonly model?: string;
  /** The session that it names. */
  readonly conversation?: string;
  /** The whole request with another one in its place; every other byte is the same. */
  whole(body: Uint8Array): Uint8Array;
}

const decoder = new TextDecoder();

/** The inner request; undefined if there is none, or two. @throws SyntaxError for a broken name. */
export function codeAssistRequest(bytes: Uint8Array): CodeAssistRequest | undefined {
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== OPEN_OBJECT || valueCount(bytes, start, bytes.length) > MAX_VALUES) return undefined;
  const members = membersOf(bytes, start);
  const [request, another] = members.filter(({ key }) => key === 'request');
  if (request === undefined || another !== undefined || bytes[request.valueStart] !== OPEN_OBJECT) return undefined;
  const textOf = (list: typeof members, name: string): string | undefined => {
    const found = list.find(({ key }) => key === name);
    const value: unknown = found && JSON.parse(decoder.decode(bytes.subarray(found.valueStart, found.end)));
    return typeof value === 'string' ? value : undefined;
  };
  const inner = membersOf(bytes, request.valueStart);
  const model = textOf(members, 'model') ?? textOf(inner, 'model');
  const conversation = textOf(inner, 'session_id');
  return {
    body: bytes.subarray(request.valueStart, request.end),
    ...(model !== undefined && { model: model.replace(/^models\//, '') }),
    ...(conversation !== undefined && { conversation }),
    whole: (body) => Buffer.concat([bytes.subarray(0, request.valueStart), body, bytes.subarray(request.end)]),
  };
}
