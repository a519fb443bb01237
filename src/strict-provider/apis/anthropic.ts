import { type Fields, isRecord } from '../../content/foreign-value.ts';
import { madeOnce } from '../../content/group-by.ts';
import { type ApiContext, type Prompt, type PromptPart, RuleBroken, type Said } from '../contract.ts';
import { PrefixNode } from '../meter.ts';
import { rulesOfModel } from '../models.ts';
import type { PartReader } from '../part-reader.ts';
import { anthropicAnswer, anthropicWire } from './anthropic-answer.ts';
import { type Api, recordsOf } from './api.ts';
import { BINDING_BETA, BoundThinking } from './bound-thinking.ts';
import { CacheMarks } from './cache-marks.ts';
import { TurnThinking } from './turn-thinking.ts';

interface Message {
  readonly role: string;
  /** Where it stands in the request, and where its first block stands in it: the API joins messages of one role. */
  readonly blocks: readonly { readonly block: Fields; readonly place: string; readonly message: number }[];
}

const ROLES = new Set(['user', 'assistant', 'system']);
const CALL_ID = /^[a-zA-Z0-9_-]+$/;

/** The messages with their blocks, those of one role joined. @throws RuleBroken */
function messagesOf(value: unknown): Message[] {
  const given = recordsOf(value);
  if (given.length === 0) throw new RuleBroken('messages: at least one message is required');
  const joined: { role: string; blocks: Message['blocks'][number][] }[] = [];
  for (const [at, message] of given.entries()) {
    const role = String(message['role']);
    if (!ROLES.has(role)) throw new RuleBroken(`messages.${at}.role: Input should be 'user' or 'assistant'`);
    const { content } = message;
    const items = Array.isArray(content) ? content.filter(isRecord) : [asTextBlock(message)];
    // After a compaction Claude Code 2.1.330 itself sends an empty message of the system.
    const isOptional = role === 'system' || (role === 'assistant' && at === given.length - 1);
    if (!isOptional && (items.length === 0 || content === '')) {
      throw new RuleBroken(
        `messages.${at}: all messages must have non-empty content except for the optional final assistant message`,
      );
    }
    const blocks = items.map((block, index) => ({ block, place: `messages.${at}.content.${index}`, message: at }));
    for (const { block, place } of blocks) {
      if (block['type'] === 'text' && block['text'] === '' && !isOptional)
        throw new RuleBroken('messages: text content blocks must be non-empty');
      if (block['type'] === 'tool_use' && !CALL_ID.test(String(block['id'])))
        throw new RuleBroken(`${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    }
    const last = joined.at(-1);
    if (last?.role === role && role !== 'system') last.blocks.push(...blocks);
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
function checkPairs(all: readonly Message[]): void {
  const messages = all.filter(({ role }) => role !== 'system');
  const seen = new Set<string>();
  for (const [at, { role, blocks }] of messages.entries()) {
    const previous = messages[at - 1];
    const open = new Set(previous?.role === 'assistant' ? idsOf(previous, 'tool_use', 'id') : []);
    for (const { block, place } of blocks) {
      const id = String(block['tool_use_id']);
      if (block['type'] === 'tool_result' && !(role === 'user' && open.has(id))) {
        throw new RuleBroken(
          `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
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

/** The text of thinking, whole or sealed. */
const thinkingText = (block: Fields): string => String(block['thinking'] ?? block['data'] ?? '');

/** Anthropic's Messages API. */
export function anthropicApi(reader: PartReader): Api {
  const bound = new BoundThinking();
  const turns = new TurnThinking();
  const root = new PrefixNode();

  function read(body: Fields, { model, family, account, accountCreatedAt, betas }: ApiContext): Prompt {
    const marks = new CacheMarks();
    const parts: PromptPart[] = [];
    let prefix = root.after(account);
    const add = (part: Fields, place: string, role: string): void => {
      const key = `${role} ${reader.keyOf(part)}`;
      parts.push({ key, tokens: reader.tokensOf(part, family), mark: marks.of(part, place) });
      if (!isThinking(part)) prefix = prefix.after(key);
    };
    const messages = messagesOf(body['messages']);
    const thinking = isRecord(body['thinking']) ? body['thinking'] : {};
    const isSilent = thinking['type'] === 'disabled';
    const binding = isRecord(thinking['block_binding']) ? thinking['block_binding'] : {};
    if ('block_binding' in thinking && !betas.includes(BINDING_BETA)) {
      throw new RuleBroken('thinking.block_binding: Extra inputs are not permitted');
    }
    const check = bound.checkOf({ model, accountCreatedAt, betas, behavior: binding['prefix_mismatch_behavior'] });
    for (const [at, tool] of recordsOf(body['tools']).entries()) add(tool, `tools.${at}`, 'tool');
    const { system } = body;
    const systemBlocks = typeof system === 'string' ? [{ type: 'text', text: system }] : recordsOf(system);
    for (const [at, block] of systemBlocks.entries()) add(block, `system.${at}`, 'system');
    checkPairs(messages);
    if (!isSilent && rulesOfModel(model).bindsThinking !== true) turns.check(messages);
    for (const { role, blocks } of messages) {
      for (const { block, place } of blocks) {
        if (!isThinking(block)) add(block, place, role);
        else {
          marks.of(block, place);
          const signature = block['type'] === 'thinking' ? block['signature'] : block['data'];
          if (check.accepts(signature, { text: thinkingText(block), prefix, place })) add(block, place, role);
        }
      }
    }
    if (isRecord(body['cache_control']))
      markLast(parts, marks.of({ cache_control: body['cache_control'] }, 'messages'));
    marks.end();
    const answer = (said: Said): readonly unknown[] => {
      const { previous } = check;
      const told = isSilent ? withoutThinking(said) : said;
      const [message] = anthropicAnswer(told, (text) => bound.sign({ model, text, prefix, previous }));
      turns.given(message!);
      return [message];
    };
    return { parts, dropped: check.dropped, answer };
  }

  return { read, ...anthropicWire };
}

const isThinking = ({ type }: Fields): boolean => type === 'thinking' || type === 'redacted_thinking';

const withoutThinking = ({ thinking: _, ...said }: Said): Said => said;

/** A mark on the whole request stands on its last part. */
function markLast(parts: PromptPart[], mark: PromptPart['mark']): void {
  const last = parts.pop();
  if (last) parts.push({ ...last, mark: last.mark ?? mark });
}
