import { append } from '../../../content/append.ts';
import { type Fields, isRecord, recordsOf } from '../../../content/foreign-value.ts';
import { madeOnce } from '../../../content/group-by.ts';
import { CacheMarks } from './cache-marks.ts';
import { RuleBroken } from './rule-broken.ts';

export interface Message {
  readonly role: string;
  /** Where it stands in the request, and where its first block stands in it: the API joins messages of one role. */
  readonly blocks: readonly { readonly block: Fields; readonly place: string; readonly message: number }[];
}

const ROLES = new Set(['user', 'assistant', 'system']);
/** Calls of the client and of servers. */
const CALL = /^(?:server_|mcp_)?tool_use$/;
const SERVER_CALL = /^(?:server|mcp)_tool_use$/;
const CALL_ID = /^[a-zA-Z0-9_-]+$/;

/** @throws RuleBroken */
function checkCall(block: Fields, place: string, at: number): void {
  const type = String(block['type']);
  const id = type === 'tool_result' ? 'tool_use_id' : 'id';
  if (type === 'tool_use' || type === 'tool_result') {
    if (typeof block[id] !== 'string')
      throw new RuleBroken(`${place}.${type}.${id}: Input should be a valid string`, { at });
    if (type === 'tool_use' && !CALL_ID.test(block[id]))
      throw new RuleBroken(`${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`, { at });
  }
  if (CALL.test(type) && !isRecord(block['input']))
    throw new RuleBroken(`${place}.${type}.input: Input should be a valid dictionary`, { at });
}

/** The messages with their blocks, those of one role joined. @throws RuleBroken */
export function messagesOf(value: unknown): Message[] {
  const given = recordsOf(value);
  if (given.length === 0) throw new RuleBroken('messages: at least one message is required');
  const joined: { role: string; blocks: Message['blocks'][number][] }[] = [];
  for (const [at, message] of given.entries()) {
    const role = String(message['role']);
    if (!ROLES.has(role)) throw new RuleBroken(`messages.${at}.role: Input should be 'user' or 'assistant'`, { at });
    const { content } = message;
    if (typeof content !== 'string' && !Array.isArray(content))
      throw new RuleBroken(
        `messages.${at}.content: ${content === undefined ? 'Field required' : 'Input should be a valid list'}`,
        { at },
      );
    const items = Array.isArray(content) ? content.filter(isRecord) : [asTextBlock(message)];
    // After a compaction Claude Code 2.1.330 itself sends an empty message of the system.
    const isOptional = role === 'system' || (role === 'assistant' && at === given.length - 1);
    if (!isOptional && (items.length === 0 || content === '')) {
      throw new RuleBroken(
        `messages.${at}: all messages must have non-empty content except for the optional final assistant message`,
        { at },
      );
    }
    const blocks = items.map((block, index) => ({ block, place: `messages.${at}.content.${index}`, message: at }));
    for (const { block, place } of blocks) {
      if (block['type'] === 'text' && block['text'] === '' && !isOptional)
        throw new RuleBroken('messages: text content blocks must be non-empty', { at });
      checkCall(block, place, at);
    }
    const last = joined.at(-1);
    if (last?.role === role && role !== 'system') append(last.blocks, blocks);
    else joined.push({ role, blocks });
  }
  return joined;
}

const textBlocks = new WeakMap<Fields, Fields>();

/** A message of one text has the meaning of a list with that text. */
const asTextBlock = (message: Fields): Fields =>
  madeOnce(textBlocks, message, () => ({ type: 'text', text: message['content'] }));

/**
 * Each call is answered at the start of the next message, and each result answers a call of the message before.
 * Source: https://github.com/anthropics/claude-code/issues/5989, https://github.com/anthropics/claude-code/issues/13460
 * @throws RuleBroken
 */
export function checkPairs(all: readonly Message[]): void {
  const messages = all.filter(({ role }) => role !== 'system');
  const seen = new Set<string>();
  for (const [at, { role, blocks }] of messages.entries()) {
    const previous = messages[at - 1];
    const open = new Set(previous?.role === 'assistant' ? idsOf(previous, 'tool_use', 'id') : []);
    const answeredHere = new Set<string>();
    for (const { block, place, message } of blocks) {
      if (block['type'] !== 'tool_result') continue;
      const id = String(block['tool_use_id']);
      if (answeredHere.has(id)) {
        throw new RuleBroken(
          `${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
          { at: message },
        );
      }
      answeredHere.add(id);
      if (!(role === 'user' && open.has(id))) {
        throw new RuleBroken(
          `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
          { at: message },
        );
      }
    }
    if (role !== 'assistant' || at === messages.length - 1) continue;
    const next = messages[at + 1]!.blocks;
    const end = next.findIndex(({ block }) => block['type'] !== 'tool_result');
    const answered = new Set(next.slice(0, end === -1 ? next.length : end).map(({ block }) => block['tool_use_id']));
    const calls = idsOf({ role, blocks }, 'tool_use', 'id');
    const missing = calls.filter((id) => !answered.has(id));
    if (missing.length > 0) {
      throw new RuleBroken(
        `messages.${blocks.at(-1)!.message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
        { at: blocks.at(-1)!.message },
      );
    }
    for (const id of calls) {
      if (seen.has(id)) throw new RuleBroken(`messages.${blocks[0]!.message}: \`tool_use\` ids must be unique`);
      seen.add(id);
    }
  }
}

const idsOf = ({ blocks }: Message, type: string, key: string): string[] =>
  blocks.flatMap(({ block }) => (block['type'] === type ? String(block[key]) : []));

/**
 * Each call of a server has its result in an answer, unless it is in the last one, which may go on.
 * Source: https://github.com/vercel/ai/pull/13578, https://github.com/anthropics/anthropic-sdk-python/pull/1151
 * @throws RuleBroken
 */
export function checkServerCalls(messages: readonly Message[]): void {
  const last = messages.findLast(({ role }) => role === 'assistant');
  const all = messages.flatMap(({ blocks }) => blocks);
  const answered = new Set(all.map(({ block }) => block['tool_use_id']));
  for (const { blocks } of messages.filter((message) => message !== last))
    for (const { block, message: at } of blocks) {
      const { type, id, name } = block;
      if (!SERVER_CALL.test(String(type)) || answered.has(id)) continue;
      const result = type === 'mcp_tool_use' ? 'mcp_tool_result' : `${name}_tool_result`;
      throw new RuleBroken(
        `messages.${at}: \`${name}\` tool use with id \`${id}\` was found without a corresponding \`${result}\` block`,
        { at },
      );
    }
}

/** The cache marks of a whole request. @throws RuleBroken */
export function checkMarks(body: Fields, messages: readonly Message[]): void {
  const marks = new CacheMarks();
  for (const [at, tool] of recordsOf(body['tools']).entries()) marks.of(tool, `tools.${at}`);
  for (const [at, block] of recordsOf(body['system']).entries()) marks.of(block, `system.${at}`);
  for (const { blocks } of messages) for (const { block, place } of blocks) marks.of(block, place);
  if (isRecord(body['cache_control'])) marks.of({ cache_control: body['cache_control'] }, 'messages');
  marks.end();
}
