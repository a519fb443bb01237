import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ContentBlock, IContent } from '../../src/content/content.ts';
import type { SessionFormat } from '../../src/formats/contract.ts';
import { formatNamed } from '../../src/formats/index.ts';
import { historyOf, rewritten } from '../contracts/format.ts';
import { expectResumable, type Resumable, sealsIn } from '../contracts/resumable.ts';
import { realSessions } from '../real-sessions.ts';
import { SAMPLES } from './samples.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object inside a value, itself included. */
function objectsIn(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isFields(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

/** Which ids a part asks with, and which it answers. */
type Pairing = (part: Fields) => { call?: unknown; result?: unknown };

function unpairedIn(value: unknown, pairing: Pairing): string[] {
  const parts = objectsIn(value).map(pairing);
  const calls = parts.flatMap(({ call }) => (typeof call === 'string' ? call : []));
  const results = parts.flatMap(({ result }) => (typeof result === 'string' ? result : []));
  return [...calls.filter((id) => !results.includes(id)), ...results.filter((id) => !calls.includes(id))];
}

const PAIRINGS: Readonly<Record<string, Pairing>> = {
  cline: ({ type, id, tool_use_id: answered }) => (type === 'tool_use' ? { call: id } : { result: answered }),
  'copilot-cli': ({ type, data, name, toolCallId }) =>
    typeof name === 'string' && toolCallId !== undefined
      ? { call: toolCallId }
      : type === 'tool.execution_complete' && isFields(data)
        ? { result: data['toolCallId'] }
        : {},
  'ai-sdk-messages': ({ type, toolCallId }) =>
    type === 'tool-call' ? { call: toolCallId } : type === 'tool-result' ? { result: toolCallId } : {},
  'ai-sdk-ui': () => ({}),
  'openai-responses': ({ type, call_id: id }) => (String(type).endsWith('_output') ? { result: id } : { call: id }),
  'gemini-api': ({ functionCall: call, functionResponse: response }) => ({
    call: isFields(call) ? call['id'] : undefined,
    result: isFields(response) ? response['id'] : undefined,
  }),
};

/** Fields that hold the messages; all others say what the session is. */
const LISTS = ['messages', 'input', 'output', 'contents'];

function checklist(name: string, text: string): Resumable {
  const isLines = name === 'copilot-cli';
  const document: unknown = isLines
    ? text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
    : JSON.parse(text);
  const key = isFields(document) ? LISTS.find((list) => list in document) : undefined;
  const list = (isFields(document) && key !== undefined ? document[key] : document) as Fields[];
  const idOf = ({ id, ts }: Fields): string => String(id ?? ts ?? '');
  const named = list.filter((one) => idOf(one) !== '');
  const around = isFields(document) ? Object.entries(document).filter(([field]) => field !== key) : [];
  return {
    identity: isLines ? [list[0]] : around,
    ids: named.map(idOf),
    parents: new Map(
      named.flatMap((one) => (typeof one['parentId'] === 'string' ? [[idOf(one), one['parentId']]] : [])),
    ),
    signatures: new Map(named.map((one) => [idOf(one), sealsIn(one)])),
    unpaired: unpairedIn(list, PAIRINGS[name] as Pairing),
    sequence: [],
  };
}

/** The history without every second pair of call and result, and with shorter results. */
function smaller(history: readonly IContent[]): IContent[] {
  const ids = history.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'tool_call' ? block.id : [])));
  const isGone = (id: string): boolean => ids.indexOf(id) % 2 === 1;
  return history.flatMap((entry) => {
    const hasGone = entry.blocks.some((block) => block.type === 'tool_response' && isGone(block.callId));
    const blocks = entry.blocks.flatMap((block): ContentBlock[] => {
      if (block.type === 'tool_call') return isGone(block.id) ? [] : [block];
      if (block.type === 'media' && hasGone) return [];
      if (block.type !== 'tool_response') return [block];
      return isGone(block.callId) ? [] : [{ ...block, result: 'gone' }];
    });
    return blocks.length === 0 ? [] : [{ ...entry, blocks }];
  });
}

function expectSafe(format: SessionFormat, text: string): void {
  const history = historyOf(format, text);
  const summary: IContent = { speaker: 'human', blocks: [{ type: 'text', text: 'So far.' }] };
  const before = checklist(format.name, text);
  for (const after of [smaller(history), [...history, summary]])
    expectResumable(before, checklist(format.name, rewritten(format, text, after)));
}

describe('a written session can be gone on with', () => {
  test.each(Object.keys(PAIRINGS))('%s: identity, ids in order, parents, pairs and signatures', (name) => {
    const { texts = [] } = SAMPLES[name] ?? {};
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expectSafe(formatNamed(name), text);
  });

  const recorded = [
    ...realSessions('cline-roo').map((file) => [path.basename(file), 'cline', file] as const),
    ...realSessions('copilot-cli').map((file) => [path.basename(file), 'copilot-cli', file] as const),
  ];

  test.runIf(recorded.length > 0).each(recorded)('%s of %s', (_, name, file) => {
    expectSafe(formatNamed(name), readFileSync(file, 'utf8'));
  });
});
