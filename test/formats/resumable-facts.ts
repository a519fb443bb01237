import { type Resumable, sealsIn } from '../contracts/resumable.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object inside a value, itself included. */
function objectsIn(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isFields(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

/** Which id an object asks with, and which it answers. */
type Pairing = (part: Fields) => { call?: unknown; result?: unknown };

/** How one agent writes down what it needs to go on: read from the file itself, without any reader of ours. */
interface Checklist {
  /** The lines of a file, or the messages of a document. */
  readonly rows: (document: unknown) => Fields[];
  readonly id: (row: Fields) => unknown;
  readonly parent?: (row: Fields) => unknown;
  /** What a row says to the model; the whole row where absent. */
  readonly said?: (row: Fields) => unknown;
  readonly pairing: Pairing;
}

const lines = (document: unknown): Fields[] => document as Fields[];
const list =
  (...keys: readonly string[]) =>
  (document: unknown): Fields[] => {
    const key = isFields(document) ? keys.find((name) => name in document) : undefined;
    return (isFields(document) && key !== undefined ? document[key] : document) as Fields[];
  };
const inside = (value: unknown, key: string): unknown => (isFields(value) ? value[key] : undefined);

const anthropic: Pairing = ({ type, id, tool_use_id: answered }) =>
  type === 'tool_use' ? { call: id } : type === 'tool_result' ? { result: answered } : {};
const entries: Pairing = ({ type, id, callId }) =>
  type === 'tool_call' ? { call: id } : type === 'tool_response' ? { result: callId } : {};
const gemini: Pairing = ({ functionCall: call, functionResponse: response }) => ({
  call: inside(call, 'id'),
  result: inside(response, 'id'),
});
/** Of call and result in one object: the call is left alone when it has none. */
const geminiRecording: Pairing = ({ id, name, args, result }) =>
  typeof name === 'string' && isFields(args) ? { call: id, ...(result !== undefined && { result: id }) } : {};

const geminiRow: Checklist = { rows: lines, id: ({ id }) => id, pairing: geminiRecording };
const geminiTurns: Checklist = {
  rows: list('contents', 'clientHistory', 'history'),
  id: () => undefined,
  pairing: gemini,
};

/** The checklist of every format that can be written, by its name. */
export const CHECKLISTS: Readonly<Record<string, Checklist>> = {
  'claude-code': {
    rows: lines,
    id: ({ uuid }) => uuid,
    parent: ({ parentUuid }) => parentUuid ?? undefined,
    said: ({ message }) => message,
    pairing: anthropic,
  },
  codex: {
    rows: lines,
    id: ({ type, payload, timestamp }) =>
      type === 'response_item'
        ? `${inside(payload, 'type')} ${inside(payload, 'call_id') ?? inside(payload, 'id') ?? timestamp}`
        : undefined,
    said: ({ type, payload }) => (type === 'response_item' ? payload : undefined),
    pairing: ({ type, call_id: id }) =>
      String(type).endsWith('_output') ? { result: id } : String(type).endsWith('_call') ? { call: id } : {},
  },
  'gemini-cli': geminiRow,
  'gemini-cli-json': { ...geminiRow, rows: list('messages') },
  'gemini-checkpoint': geminiTurns,
  'gemini-api': geminiTurns,
  cline: { rows: list('messages'), id: ({ id, ts }) => id ?? ts, pairing: anthropic },
  'copilot-cli': {
    rows: lines,
    id: ({ id }) => id,
    parent: ({ parentId }) => parentId ?? undefined,
    pairing: ({ type, data, name, toolCallId }) =>
      typeof name === 'string' && toolCallId !== undefined
        ? { call: toolCallId }
        : type === 'tool.execution_complete'
          ? { result: inside(data, 'toolCallId') }
          : {},
  },
  llxprt: { rows: lines, id: ({ ts }) => ts, pairing: entries },
  'llxprt-checkpoint': { rows: list('history'), id: ({ metadata }) => inside(metadata, 'id'), pairing: entries },
  opencode: {
    rows: list('messages'),
    id: ({ info }) => inside(info, 'id'),
    parent: ({ info }) => inside(info, 'parentID'),
    pairing: ({ type, callID: id, state }) =>
      type === 'tool'
        ? { call: id, ...(/^(?:completed|error)$/.test(String(inside(state, 'status'))) && { result: id }) }
        : {},
  },
  pi: {
    rows: lines,
    id: ({ id }) => id,
    parent: ({ parentId }) => parentId ?? undefined,
    pairing: ({ type, id, role, toolCallId }) =>
      type === 'toolCall' ? { call: id } : role === 'toolResult' ? { result: toolCallId } : {},
  },
  'anthropic-messages': { rows: list('messages'), id: ({ id }) => id, pairing: anthropic },
  'openai-chat': {
    rows: list('messages', 'traj'),
    id: () => undefined,
    pairing: ({ type, id, tool_call_id: answered }) =>
      type === 'function' && id !== undefined ? { call: id } : { result: answered },
  },
  'openai-responses': {
    rows: list('input', 'output'),
    id: ({ id }) => id,
    pairing: ({ type, call_id: id }) => (String(type).endsWith('_output') ? { result: id } : { call: id }),
  },
  'ai-sdk-messages': {
    rows: list('messages'),
    id: ({ id }) => id,
    pairing: ({ type, toolCallId }) =>
      type === 'tool-call' ? { call: toolCallId } : type === 'tool-result' ? { result: toolCallId } : {},
  },
  'ai-sdk-ui': {
    rows: list('messages'),
    id: ({ id }) => id,
    pairing: ({ toolCallId, state }) =>
      toolCallId === undefined
        ? {}
        : { call: toolCallId, ...(String(state).startsWith('output-') && { result: toolCallId }) },
  },
  'high-density': { rows: lines, id: ({ metadata }) => inside(metadata, 'id'), pairing: entries },
};

/** Calls without a result and results without a call, as often as they occur. */
function unpairedIn(values: readonly unknown[], pairing: Pairing): string[] {
  const parts = values.flatMap(objectsIn).map(pairing);
  const calls = parts.flatMap(({ call }) => (typeof call === 'string' ? call : []));
  const results = parts.flatMap(({ result }) => (typeof result === 'string' ? result : []));
  return [...calls.filter((id) => !results.includes(id)), ...results.filter((id) => !calls.includes(id))];
}

/** The values of the lines that are JSON, or the one value that a file is. */
function parsed(text: string, isLines: boolean): unknown {
  if (!isLines) return JSON.parse(text) as unknown;
  return text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as unknown] : []));
}

/** What an agent needs of one of its files. */
export function resumableFacts(name: string, text: string): Resumable {
  const checklist = CHECKLISTS[name];
  if (!checklist) throw new Error(`Expected a checklist of ${name}, got none.`);
  const { rows, id, parent = () => undefined, said = (row) => row, pairing } = checklist;
  const isLines = rows === lines;
  const document = parsed(text.replace(/^\ufeff/, ''), isLines);
  const all = rows(document);
  const around = isFields(document) ? Object.entries(document).filter(([, value]) => value !== all) : [];
  const counts = new Map<unknown, number>();
  for (const row of all) counts.set(id(row), (counts.get(id(row)) ?? 0) + 1);
  // A name that several rows have names none of them.
  const named = all.flatMap((row) =>
    id(row) === undefined || counts.get(id(row)) !== 1 ? [] : [[String(id(row)), row] as const],
  );
  return {
    identity: isLines
      ? [all[0]?.['id'], all.find((row) => 'sessionId' in row)?.['sessionId'], inside(all[0]?.['payload'], 'id')]
      : around,
    ids: named.map(([own]) => own),
    parents: new Map(named.flatMap(([own, row]) => (parent(row) === undefined ? [] : [[own, String(parent(row))]]))),
    signatures: new Map(named.map(([own, row]) => [own, sealsIn(said(row))])),
    unpaired: unpairedIn(all.map(said), pairing),
    sequence: all.flatMap(({ seq }) => (typeof seq === 'number' ? seq : [])),
  };
}
